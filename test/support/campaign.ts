import fc from 'fast-check'
import { anyBlows, type Damaged, damagedFiles, healthyFiles } from './damage.ts'
import { SPECIMENS } from './generate/index.ts'
import { fairness, LAWS, run, silence } from './laws.ts'

/**
 * A long search: `tsx test/support/campaign.ts RUNS [FORMAT] [SEED]`. Each kind of breach is shown once, by the smallest file
 * that was met.
 */
const [runs = '1000', only = '', seed = '1'] = process.argv.slice(2)

interface Breach {
  count: number
  readonly file: Damaged
  readonly text: string
}

const breaches = new Map<string, Breach>()
let files = 0

for (const [name, specimens] of Object.entries(SPECIMENS)) {
  if (!name.startsWith(only)) continue
  const all = fc.oneof(
    { weight: 1, arbitrary: healthyFiles(specimens) },
    { weight: 6, arbitrary: damagedFiles(specimens, anyBlows) },
  )
  for (const file of fc.sample(all, { numRuns: Number(runs), seed: Number(seed) })) {
    files++
    note(name, file)
  }
}

function note(name: string, file: Damaged): void {
  let found: [string, string][]
  try {
    const done = run(file)
    const laws = file.blows.length === 0 ? { ...LAWS, silence, fairness } : LAWS
    found = Object.entries(laws).flatMap(([law, of]) => of(done).map((text): [string, string] => [law, text]))
  } catch (error) {
    const { message, stack } = error as Error
    found = [['totality', `${message} ${stack?.split('\n').slice(1, 4).join(' ')}`]]
  }
  for (const [law, text] of found) {
    const key = `${name} ${law}: ${text.replace(/~\w+~/g, '~').replace(/\d+/g, '#').slice(0, 70)}`
    const known = breaches.get(key)
    if (!known || known.file.bytes.length > file.bytes.length)
      breaches.set(key, { count: (known?.count ?? 0) + 1, file, text })
    else known.count++
  }
}

for (const [key, { count, file, text }] of [...breaches].sort(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(`\n${count} x ${key}\n   ${text}\n   ${JSON.stringify(file.blows)}`)
  console.log(file.bytes.toString('utf8').slice(0, 3000))
}
console.log(`\n${files} files, ${breaches.size} kinds of breach`)
