import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Stops `convfix check --fix` at random moments: `tsx test/support/kills.ts [ROUNDS]`, after a build. Half of the rounds repair one
 * file, half a folder of broken examples. After each, every file is its old self or its repaired self, every backup is the old
 * self, and the next run leaves no temporary file behind.
 */
const ROOT = join(import.meta.dirname, '..', '..')
const EXAMPLES = join(ROOT, 'fixtures', 'examples')
const BIN = join(ROOT, 'bin', 'convfix.js')
const SIGNALS = ['SIGKILL', 'SIGTERM', 'SIGINT'] as const
/** Longer than any run takes, so that some end by themselves. */
const LONGEST = 900

const rounds = Number(process.argv[2] ?? 500)
const names = readdirSync(EXAMPLES).filter((name) => /\.jsonl?$/.test(name))
const old = new Map(names.map((name) => [name, readFileSync(join(EXAMPLES, name))]))

function folderOf(some: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'convfix-kill-'))
  for (const name of some) {
    copyFileSync(join(EXAMPLES, name), join(folder, name))
    utimesSync(join(folder, name), 1e9, 1e9)
  }
  return folder
}

const argv = (what: string): string[] => [BIN, 'check', '--fix', '--force', '--quiet', '--no-config', what]

/** What each file becomes when nobody disturbs. */
function repairedAll(): Map<string, Buffer> {
  const folder = folderOf(names)
  spawnSync(process.execPath, argv(folder))
  const repaired = new Map(names.map((name) => [name, readFileSync(join(folder, name))]))
  rmSync(folder, { recursive: true })
  return repaired
}

const repaired = repairedAll()
const counts: Record<string, number> = { old: 0, repaired: 0, backups: 0, ended: 0 }
const problems: string[] = []

async function round(i: number): Promise<void> {
  const some = i % 2 === 0 ? [names[i % names.length]!] : names
  const folder = folderOf(some)
  const signal = SIGNALS[i % SIGNALS.length]!
  const delay = Math.random() * LONGEST
  const child = spawn(process.execPath, argv(i % 2 === 0 ? join(folder, some[0]!) : folder), { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const timer = setTimeout(() => child.kill(signal), delay)
  const [code] = (await ended) as [number | null]
  clearTimeout(timer)
  if (code === 0) counts.ended!++
  look(folder, `${signal} after ${delay.toFixed(0)} ms`, false)
  spawnSync(process.execPath, argv(folder))
  look(folder, `the run after ${signal}`, true)
  rmSync(folder, { recursive: true })
}

function look(folder: string, when: string, isNext: boolean): void {
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name))
    if (old.has(name)) {
      if (bytes.equals(repaired.get(name)!)) counts.repaired!++
      else if (!isNext && bytes.equals(old.get(name)!)) counts.old!++
      else problems.push(`${when}: ${name} is neither its old nor its repaired self`)
    } else if (name.endsWith('.bak')) {
      counts.backups!++
      const of = name.replace(/\.convfix(\.\d+)?\.bak$/, '')
      if (!bytes.equals(old.get(of)!)) problems.push(`${when}: ${name} is not what stood there`)
    } else if (isNext && !name.endsWith('.sha256')) problems.push(`${when}: ${name} is left behind`)
  }
}

for (let i = 0; i < rounds; i += 2) await Promise.all([round(i), round(i + 1)])
console.log(`${rounds} rounds: ${JSON.stringify(counts)}; ${problems.length} problems`)
for (const problem of problems) console.log(problem)
process.exitCode = problems.length > 0 ? 1 : 0
