import { join } from 'node:path'
import { ANY_SIZE, type Bench, BIN, count, megabytes, type Place, type Row, seconds, session } from './bench.ts'
import type { SessionOptions } from './generate.ts'
import { type Cost, inTurn, spendNode } from './measure.ts'

/** How time grew from one row to the next: 1 where it grew as the work did. */
export function exponent(work: readonly [number, number], time: readonly [number, number]): string {
  const [before, after] = time
  return before > 0 && after > 0 ? (Math.log(after / before) / Math.log(work[1] / work[0])).toFixed(2) : '-'
}

interface Step {
  /** What the exponent is taken of. */
  readonly work: number
  readonly what: (records: number) => string
  readonly session: SessionOptions
}

function grow(at: Place, steps: readonly Step[]): Row[] {
  let last: { work: number; cpu: number } | undefined
  return steps.map(({ work, what, session: options }) => {
    const { path, records } = session(at, 'growth', options)
    const [cost] = inTurn(Math.min(at.times, 3), [
      () => spendNode([BIN, 'check', ...ANY_SIZE, path], { expected: [0] }),
    ])
    const grown = last ? `exponent ${exponent([last.work, work], [last.cpu, cost.cpu])}` : ''
    last = { work, cpu: cost.cpu }
    return [what(records), seconds(cost.cpu), megabytes(cost.memory), grown]
  })
}

const size: Bench = {
  name: 'growth-size',
  table: 'growth',
  about: 'sessions of 10 MB, 100 MB and 1 GB',
  run: (at) =>
    grow(
      at,
      [0.1, 1, 10].map((factor) => ({
        work: factor,
        what: (records) => `check ${count(factor * at.megabytes)} MB, ${count(records)} records`,
        session: { seed: 5, bytes: factor * at.megabytes * 1e6 },
      })),
    ),
}

const records: Bench = {
  name: 'growth-messages',
  table: 'growth',
  about: 'sessions of 1,000 to 1,000,000 short messages',
  run: (at) =>
    grow(
      at,
      [1e3, 1e4, 1e5, 1e6].map((number) => ({
        work: number,
        what: () => `check ${count(number)} short messages`,
        session: { seed: 6, records: number, scale: 0.05 },
      })),
    ),
}

const faults: Bench = {
  name: 'growth-faults',
  table: 'growth',
  about: 'one session with 1 to 10,000 calls that have no result, checked and repaired',
  run(at) {
    const turns = 20_000
    const out = join(at.folder, 'out')
    const report = `json=${join(at.folder, 'report.json')}`
    const measure = (number: number): readonly [Cost, Cost] => {
      // An open call is a record less.
      const shape = { seed: 7, records: 4 * turns - number, scale: 0.2 }
      const { path } = session(at, 'faults', { ...shape, fault: Math.floor(turns / number) })
      return inTurn(Math.min(at.times, 3), [
        () => spendNode([BIN, 'check', ...ANY_SIZE, '-r', report, path]),
        () => spendNode([BIN, 'check', '--fix', '--out-dir', out, ...ANY_SIZE, '-r', report, path]),
      ])
    }
    const numbers = [1, 10, 100, 1000, 10_000]
    const measured = numbers.map(measure)
    return ['check', 'check --fix'].flatMap((what, side) =>
      numbers.map((number, i): Row => {
        const cost = measured[i]![side]!
        // A few faults are lost in the noise.
        const each = (cost.cpu - measured[0]![side]!.cpu) / (number - 1)
        return [
          `${what}, ${count(number)} ${number === 1 ? 'fault' : 'faults'} in ${count(turns)} turns`,
          seconds(cost.cpu),
          megabytes(cost.memory),
          number < 1000 ? '' : `${(each * 1000).toFixed(2)} ms a fault`,
        ]
      }),
    )
  },
}

export const GROWTH: readonly Bench[] = [size, records, faults]
