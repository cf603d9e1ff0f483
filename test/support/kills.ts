import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Stops `convfix check --fix` at random moments: `tsx test/support/kills.ts [ROUNDS]`, after a build. Half of the rounds repair one
 * file, half a folder of broken examples and one file of 4 MB. After each, every file is its old self or its repaired self, every backup is the old
 * self, and the next run leaves no temporary file behind.
 */
const ROOT = join(import.meta.dirname, '..', '..')
const EXAMPLES = join(ROOT, 'fixtures', 'examples')
const BIN = join(ROOT, 'bin', 'convfix.js')
const SIGNALS = ['SIGKILL', 'SIGTERM', 'SIGINT'] as const

const rounds = Number(process.argv[2] ?? 500)
const old = new Map<string, Uint8Array>(
  readdirSync(EXAMPLES)
    .filter((name) => /\.jsonl?$/.test(name))
    .map((name) => [name, readFileSync(join(EXAMPLES, name))]),
)
old.set('big.jsonl', big(1000))
const names = [...old.keys()]

/** Calls without results. */
function big(turns: number): Buffer {
  const input = { command: 'ls', text: 'x'.repeat(4000) }
  const call = (i: number) => ({ type: 'tool_use', id: `toolu_${i}`, name: 'Bash', input })
  const lines = Array.from({ length: turns }, (_, i) => [
    JSON.stringify({ role: 'user', content: `go ${i}` }),
    JSON.stringify({ role: 'assistant', content: [call(i)] }),
  ])
  return Buffer.from(`${lines.flat().join('\n')}\n`)
}

function folderOf(some: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'convfix-kill-'))
  for (const name of some) {
    writeFileSync(join(folder, name), old.get(name)!)
    utimesSync(join(folder, name), 1e9, 1e9)
  }
  return folder
}

const argv = (what: string): string[] => [BIN, 'check', '--fix', '--force', '--quiet', '--no-config', what]

/** What each file becomes when nobody disturbs, and the milliseconds that it takes. */
function repairedAll(): { readonly repaired: Map<string, Uint8Array>; readonly whole: number } {
  const folder = folderOf(names)
  const began = performance.now()
  spawnSync(process.execPath, argv(folder))
  const whole = performance.now() - began
  const repaired = new Map(names.map((name) => [name, readFileSync(join(folder, name))]))
  rmSync(folder, { recursive: true })
  return { repaired, whole }
}

const { repaired, whole } = repairedAll()
const counts: Record<string, number> = { old: 0, repaired: 0, backups: 0, temporary: 0 }
const ends: Record<string, number> = {}
const problems: string[] = []

async function round(i: number): Promise<void> {
  const some = i % 2 === 0 ? [names[i % names.length]!] : names
  const folder = folderOf(some)
  const signal = SIGNALS[i % SIGNALS.length]!
  // Some runs end by themselves.
  const delay = Math.random() * whole * (some.length > 1 ? 1.2 : 0.6)
  const child = spawn(process.execPath, argv(i % 2 === 0 ? join(folder, some[0]!) : folder), { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const timer = setTimeout(() => child.kill(signal), delay)
  const [code, by] = (await ended) as [number | null, string | null]
  clearTimeout(timer)
  const end = `${signal}: ${by ?? code}`
  ends[end] = (ends[end] ?? 0) + 1
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
      else
        problems.push(
          `${when}: ${name} is ${bytes.equals(old.get(name)!) ? 'not repaired' : 'neither its old nor its repaired self'}`,
        )
    } else if (name.endsWith('.bak')) {
      counts.backups!++
      const of = name.replace(/\.convfix(\.\d+)?\.bak$/, '')
      if (!bytes.equals(old.get(of)!)) problems.push(`${when}: ${name} is not what stood there`)
    } else if (name.endsWith('.tmp') && !isNext) counts.temporary!++
    else if (!name.endsWith('.sha256')) problems.push(`${when}: ${name} is left behind`)
  }
}

for (let i = 0; i < rounds; i += 2) await Promise.all([round(i), round(i + 1)])
console.log(`${rounds} rounds: ${JSON.stringify(counts)}; ${JSON.stringify(ends)}; ${problems.length} problems`)
for (const problem of problems) console.log(problem)
process.exitCode = problems.length > 0 ? 1 : 0
