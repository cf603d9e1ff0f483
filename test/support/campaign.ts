import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { anyBlows, type Damaged, damagedFiles, healthyFiles } from './damage.ts'
import { SPECIMENS } from './generate/index.ts'
import { fairness, LAWS, run, silence } from './laws.ts'

/**
 * A long search: `tsx test/support/campaign.ts RUNS [FORMAT] [SEED] [KIND]`. Each kind of breach is counted and shown by the
 * smallest file that was met, which is kept; with KIND (a part of its name) the search ends there, and the file is reduced.
 */
const [runs = '1000', only = '', seed = '1', kind = ''] = process.argv.slice(2)

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
  const settings = { numRuns: Number(runs), seed: Number(seed) }
  if (kind === '') {
    for (const file of fc.sample(all, settings)) note(name, file)
    continue
  }
  const property = fc.property(all, (file) => !breachesOf(name, file).some(([key]) => key.includes(kind)))
  const { failed, counterexample } = fc.check(property, { ...settings, interruptAfterTimeLimit: 120_000 })
  if (failed && counterexample) note(name, counterexample[0])
}

function breachesOf(name: string, file: Damaged): [key: string, text: string][] {
  const key = (law: string, text: string): string =>
    `${name} ${law}: ${text
      .replace(/~\w+~/g, '~')
      .replace(/\d+/g, '#')
      .slice(0, law === 'identity' ? 20 : 70)}`
  try {
    const done = run(file)
    const laws = file.blows.length === 0 ? { ...LAWS, silence, fairness } : LAWS
    return Object.entries(laws).flatMap(([law, of]) => of(done).map((text): [string, string] => [key(law, text), text]))
  } catch (error) {
    const { message, stack } = error as Error
    return [[key('totality', message), `${stack?.split('\n').slice(0, 4).join(' ')}`]]
  }
}

function note(name: string, file: Damaged): void {
  files++
  for (const [key, text] of breachesOf(name, file)) {
    const known = breaches.get(key)
    if (!known || known.file.bytes.length > file.bytes.length)
      breaches.set(key, { count: (known?.count ?? 0) + 1, file, text })
    else known.count++
  }
}

const folder = join(tmpdir(), 'convfix-breaches')
mkdirSync(folder, { recursive: true })
for (const [key, { count, file, text }] of [...breaches].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const kept = join(folder, `${key.replace(/\W+/g, '-').slice(0, 60)}-${seed}`)
  writeFileSync(kept, file.bytes)
  console.log(`${count} x ${key}\n   ${text}\n   ${JSON.stringify(file.blows)}\n   kept as ${kept}`)
}
console.log(`\n${files} files, ${breaches.size} kinds of breach`)
