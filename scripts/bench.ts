/**
 * Prints the ratios of what convfix costs to what the same work costs without it. Both sides run in turn in one call, and
 * the medians are compared: these figures are no test, since machines are noisy.
 *
 *   npm run bench             100 MB sessions
 *   npm run bench -- 20       20 MB sessions
 */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { normalizeMessages } from '../dist/index.js'
import { chatMessages, writeSession } from './bench/generate.ts'
import { type Cost, inTurn, median, run } from './bench/measure.ts'

const megabytes = Number(process.argv[2] ?? 100)
const times = 5
const folder = mkdtempSync(join(tmpdir(), 'convfix-bench-'))
const bin = 'bin/convfix.js'
const baseline = 'scripts/bench/baseline.mjs'

const row = (what: string, ours: number, theirs: number, unit: string, bar: string, more = ''): void => {
  const ratio = theirs > 0 ? (ours / theirs).toFixed(2) : '-'
  console.log(
    `${what.padEnd(44)} ${ours.toFixed(2).padStart(8)} ${unit} ${theirs.toFixed(2).padStart(8)} ${unit}  ratio ${ratio.padStart(5)}  bar ${bar}  ${more}`,
  )
}

/** Long ago: a file of today may be one that its agent still writes. */
const past = new Date(1.7e12)

const session = (name: string, bytes: number, options: { readonly seed: number; readonly fault?: number }) => {
  const path = join(folder, name)
  const records = writeSession(path, bytes, options)
  utimesSync(path, past, past)
  return { path, records }
}

/** What repairing costs beside checking: of a file with nothing to repair, and of one where every hundredth result is missing. */
function measureFix(): void {
  for (const fault of [undefined, 100]) {
    const { path } = session('fix.jsonl', megabytes * 1e6, { seed: 3, ...(fault && { fault }) })
    const out = join(folder, 'out')
    const [fix, check] = inTurn(times, [
      () => run([bin, 'check', '--fix', '--out-dir', out, '--quiet', path]),
      () => run([bin, 'check', '--quiet', path]),
    ]) as [Cost, Cost]
    const what = fault ? 'every hundredth call open' : 'healthy'
    row(`--fix, ${megabytes} MB, ${what}: CPU`, fix.cpu, check.cpu, 's', fault ? '2.5' : '1.1')
  }
}

/** What each further record takes of memory. */
function measureMemory(): void {
  const [less, more] = [1, 3].map((factor) => {
    const { path, records } = session('memory.jsonl', factor * megabytes * 1e6, { seed: 4 })
    const [cost] = inTurn(3, [() => run([bin, 'check', '--quiet', path])]) as [Cost]
    return { records, memory: cost.memory }
  }) as [{ records: number; memory: number }, { records: number; memory: number }]
  const bytes = ((more.memory - less.memory) * 1024 * 1024) / (more.records - less.records)
  row(`memory of a record, ${less.records} to ${more.records} records`, bytes, 0, 'B', '250 B')
}

try {
  console.log(
    `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}, medians of ${times}\n`,
  )
  for (const media of [false, true]) {
    const path = join(folder, media ? 'media.jsonl' : 'text.jsonl')
    const records = writeSession(path, megabytes * 1e6, { seed: 1, media })
    utimesSync(path, past, past)
    const [ours, theirs] = inTurn(times, [() => run([bin, 'check', '--quiet', path]), () => run([baseline, path])]) as [
      Cost,
      Cost,
    ]
    row(
      `check, ${megabytes} MB ${media ? 'media' : 'text'}, ${records} records: CPU`,
      ours.cpu,
      theirs.cpu,
      's',
      '1.0',
      `peak ${ours.memory.toFixed(0)} MB (bar 160 at 100 MB)`,
    )
  }
  measureFix()
  measureMemory()
  const small = join(folder, 'small.jsonl')
  writeSession(small, 10_000, { seed: 2 })
  utimesSync(small, past, past)
  const empty = join(folder, 'empty.mjs')
  writeFileSync(empty, '0\n')
  const [version, check, nothing] = inTurn(11, [
    () => run([bin, '--version']),
    () => run([bin, 'check', '--quiet', small]),
    () => run([empty]),
  ]) as [Cost, Cost, Cost]
  row('start: convfix --version, wall', version.wall * 1000, nothing.wall * 1000, 'ms', '1.5')
  row('start: check of one small file, wall', check.wall * 1000, nothing.wall * 1000, 'ms', '2.5')
  for (const [count, limit] of [
    [30_000, 50],
    [123_000, 200],
  ] as const) {
    const messages = chatMessages(count, 100)
    const spent: number[] = []
    let applied = 0
    for (let i = 0; i < 7; i++) {
      const started = performance.now()
      applied = normalizeMessages(messages, { target: 'openai-chat' }).applied.length
      spent.push(performance.now() - started)
    }
    row(`normalizeMessages, ${count} messages, ${applied} repairs`, median(spent), 0, 'ms', `${limit} ms`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
