/**
 * Measures what convfix costs, each row beside the same work without it: both sides run in turn in one call, and the medians are
 * compared. These figures are no test, since machines are noisy.
 *
 *   npm run bench                          all of them (about half an hour)
 *   npm run bench -- text growth           those whose names begin so
 *   npm run bench -- --list                their names
 *   npm run bench -- --mb 20 --times 3     smaller sessions, fewer runs
 *   npm run bench -- --save                keeps the results and writes them into the README
 *   npm run bench -- --markdown            prints the kept results
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Bench } from './bench/bench.ts'
import { BENCHES } from './bench/index.ts'
import { markdown, plain, type Result, saveResult } from './bench/results.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    mb: { type: 'string', default: '100' },
    times: { type: 'string', default: '5' },
  },
})

function chosen(): readonly Bench[] {
  const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name.startsWith(name)))
  if (unknown.length > 0) throw new Error(`no measurement is called ${unknown.join(', ')}: see npm run bench -- --list`)
  return positionals.length === 0
    ? BENCHES
    : BENCHES.filter((bench) => positionals.some((name) => bench.name.startsWith(name)))
}

const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`

async function measure(bench: Bench): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'convfix-bench-'))
  try {
    const times = Number(values.times)
    const rows = await bench.run({ folder, megabytes: Number(values.mb), times })
    const date = new Date().toISOString().slice(0, 10)
    return { name: bench.name, table: bench.table, date, machine, times, rows }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (values.list) {
  for (const { name, about } of BENCHES) console.log(`${name.padEnd(16)} ${about}`)
} else if (values.markdown) {
  console.log(markdown())
} else {
  const order = BENCHES.map(({ name }) => name)
  console.log(`${machine}; medians of ${values.times}`)
  for (const bench of chosen()) {
    try {
      const result = await measure(bench)
      console.log(`\n${bench.name}: ${bench.about}\n${plain(bench.table, result.rows)}`)
      // Each at once: a long call that is broken off keeps what it has.
      if (values.save) saveResult(result, order)
    } catch (error) {
      console.error(`\n${bench.name}: ${error instanceof Error ? error.message : error}`)
      process.exitCode = 1
    }
  }
  if (values.save && spawnSync('npm', ['run', '--silent', 'generate'], { stdio: 'inherit' }).status !== 0)
    process.exitCode = 1
}
