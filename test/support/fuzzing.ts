import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fix } from '../../src/index.ts'
import { breach, mutant } from './fuzz.ts'
import { struck } from './strikes.ts'

/**
 * A long search: `tsx test/support/fuzzing.ts RUNS [FIRST SEED] [bytes|records]`: fixtures of every format, whose bytes or records were
 * changed. Each kind of breach is shown once and its file kept. Every 500th file is repeated up to 250 kB and up to 1 MB, for the growth
 * of the time.
 */
const [runs = '1000', first = '1', what = 'bytes'] = process.argv.slice(2)
const folder = join(tmpdir(), 'convfix-breaches')
mkdirSync(folder, { recursive: true })

const kinds = new Map<string, number>()
let bytes = 0
let steepest = { growth: 0, name: '' }
let slowest = { perByte: 0, name: '' }
for (let seed = Number(first); seed < Number(first) + Number(runs); seed++) {
  const file = what === 'records' ? struck(seed) : mutant(seed)
  bytes += file.bytes.length
  const began = performance.now()
  const text = breach(file.bytes)
  const perByte = (performance.now() - began) / (file.bytes.length + 20_000)
  if (perByte > slowest.perByte) slowest = { perByte, name: file.name }
  if (seed % 500 === 0 && file.bytes.length > 0) {
    const [small, large] = [250_000, 1_000_000].map((size) => timeOf(repeated(file.bytes, size)))
    // What takes less is noise.
    const growth = large! / Math.max(small!, 200)
    if (growth > steepest.growth) steepest = { growth, name: file.name }
  }
  if (text === undefined) continue
  const kind = text.replace(/\d+/g, '#').replace(/(loses a text: [^:]*):.*/, '$1')
  const count = kinds.get(kind) ?? 0
  kinds.set(kind, count + 1)
  if (count > 0) continue
  const kept = join(folder, `${what}-${seed}`)
  writeFileSync(kept, file.bytes)
  console.log(`${file.name}: ${text}\n   kept as ${kept}`)
}
for (const [kind, count] of kinds) console.log(`${count} x ${kind}`)

function repeated(bytes: Buffer, size: number): Buffer {
  return Buffer.concat(Array.from({ length: Math.ceil(size / bytes.length) }, () => bytes))
}

function timeOf(bytes: Buffer): number {
  const began = performance.now()
  fix(bytes)
  return performance.now() - began
}

const { rss } = process.memoryUsage()
const speed = `slowest ${(slowest.perByte * 1000).toFixed(2)} µs a byte: ${slowest.name}; four times as much took ${steepest.growth.toFixed(1)} times as long: ${steepest.name}`
console.log(`${runs} files, ${bytes} bytes, ${kinds.size} kinds of breach; ${Math.round(rss / 1e6)} MB; ${speed}`)
process.exitCode = kinds.size > 0 ? 1 : 0
