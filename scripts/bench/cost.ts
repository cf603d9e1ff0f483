import { copyFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { normalizeMessages } from '../../dist/index.js'
import {
  ANY_SIZE,
  BASELINE,
  type Bench,
  BIN,
  count,
  megabytes,
  milliseconds,
  type Place,
  type Row,
  ratio,
  seconds,
  session,
} from './bench.ts'
import { chatMessages, PAST, writeSession } from './generate.ts'
import { inTurn, median, spend, spendNode } from './measure.ts'

/**
 * A request to Anthropic may have 32 MB, and a hundred images. A session of 100 MB lives only because it was compacted on the way, so
 * generated ones are, too: each part stays below the limits, and the file is silent. All of it has to be read, since what is not sent
 * is known at the end only.
 */
const PARTS = 4

const PARSE = 'JSON.parse'

/** Check beside `JSON.parse` on the same files, in which nothing is wrong. */
function beside(
  what: string,
  at: Place,
  paths: readonly string[],
  records: number,
  options: readonly string[] = [],
): Row {
  const [ours, theirs] = inTurn(at.times, [
    () => spendNode([BIN, 'check', '--max-warnings', '0', ...options, ...paths], { expected: [0] }),
    () => spendNode([BASELINE, ...paths]),
  ])
  return [
    `check ${what}, ${count(records)} records`,
    `${seconds(ours.cpu)}, peak ${megabytes(ours.memory)}`,
    `${PARSE} ${seconds(theirs.cpu)}, peak ${megabytes(theirs.memory)}`,
    ratio(ours.cpu, theirs.cpu),
    '1.0, 160 MB',
  ]
}

const text: Bench = {
  name: 'text',
  table: 'cost',
  about: 'check of a session of texts beside JSON.parse',
  run(at) {
    const size = { seed: 1, bytes: at.megabytes * 1e6 }
    const parts = session(at, 'text', { ...size, parts: PARTS })
    const whole = session(at, 'whole', size)
    return [
      beside(`${at.megabytes} MB of text, compacted`, at, [parts.path], parts.records),
      beside(`${at.megabytes} MB of text, all sent`, at, [whole.path], whole.records, ANY_SIZE),
    ]
  },
}

const media: Bench = {
  name: 'media',
  table: 'cost',
  about: 'check of sessions with images beside JSON.parse',
  run(at) {
    const one = session(at, 'media', { seed: 1, bytes: at.megabytes * 1e6, media: true, parts: PARTS })
    // Here every image is one that is sent.
    const several = Array.from({ length: PARTS }, (_, i) =>
      session(at, `media-${i}`, { seed: 10 + i, bytes: (at.megabytes / PARTS) * 1e6, media: true }),
    )
    const records = several.reduce((sum, each) => sum + each.records, 0)
    const paths = several.map(({ path }) => path)
    return [
      beside(`${at.megabytes} MB of images, compacted`, at, [one.path], one.records),
      beside(`${PARTS} sessions of ${at.megabytes / PARTS} MB of images`, at, paths, records),
    ]
  },
}

const memory: Bench = {
  name: 'memory',
  table: 'cost',
  about: 'what each further record takes of memory',
  run(at) {
    const [less, more] = [1, 3].map((factor) => {
      const { path, records } = session(at, 'memory', { seed: 4, bytes: factor * at.megabytes * 1e6 })
      const [cost] = inTurn(Math.min(at.times, 3), [
        () => spendNode([BIN, 'check', ...ANY_SIZE, path], { expected: [0] }),
      ])
      return { records, memory: cost.memory }
    }) as [{ records: number; memory: number }, { records: number; memory: number }]
    const bytes = ((more.memory - less.memory) * 1024 * 1024) / (more.records - less.records)
    return [
      [
        `memory of a record, ${count(less.records)} to ${count(more.records)}`,
        `${bytes.toFixed(0)} B`,
        '',
        '',
        '250 B',
      ],
    ]
  },
}

const fix: Bench = {
  name: 'fix',
  table: 'cost',
  about: '--fix beside check: nothing to repair, and every hundredth result missing',
  run(at) {
    return [undefined, 100].map((fault) => {
      const { path } = session(at, 'fix', { seed: 3, bytes: at.megabytes * 1e6, ...(fault && { fault }) })
      // Elsewhere, so that each run finds the same file; where nothing is repaired nothing is written.
      const out = join(at.folder, 'out')
      const [fixed, checked] = inTurn(at.times, [
        () => spendNode([BIN, 'check', '--fix', '--out-dir', out, ...ANY_SIZE, path], { expected: [0] }),
        () => spendNode([BIN, 'check', ...ANY_SIZE, path], { expected: [fault ? 1 : 0] }),
      ])
      return [
        `--fix ${at.megabytes} MB, ${fault ? 'every hundredth call open' : 'healthy'}`,
        `${seconds(fixed.cpu)}, peak ${megabytes(fixed.memory)}`,
        `check ${seconds(checked.cpu)}, peak ${megabytes(checked.memory)}`,
        ratio(fixed.cpu, checked.cpu),
        fault ? '2.5' : '1.1',
      ]
    })
  },
}

const start: Bench = {
  name: 'start',
  table: 'cost',
  about: 'convfix --version and the check of one small file beside Node doing nothing',
  run(at) {
    const { path } = session(at, 'small', { seed: 2, bytes: 10_000 })
    const empty = join(at.folder, 'empty.mjs')
    writeFileSync(empty, '0\n')
    // Without the probe for memory, which would make all of them look alike.
    const node = (...args: string[]) => spend(process.execPath, args)
    const [version, check, nothing] = inTurn(Math.max(at.times, 11), [
      () => node(BIN, '--version'),
      () => node(BIN, 'check', '--quiet', path),
      () => node(empty),
    ])
    const row = (what: string, ours: typeof version, aim: string): Row => [
      what,
      `${milliseconds(ours.cpu)}, wall ${milliseconds(ours.wall)}`,
      `node, nothing ${milliseconds(nothing.cpu)}, wall ${milliseconds(nothing.wall)}`,
      ratio(ours.cpu, nothing.cpu),
      aim,
    ]
    return [row('convfix --version', version, '1.5'), row('check one small session', check, '2.5')]
  },
}

const many: Bench = {
  name: 'many',
  table: 'cost',
  about: '2,000 files of 200 kB with --jobs 2 beside --jobs 1',
  run(at) {
    const files = 2000
    const folder = copies(at, 'many', files, 200_000)
    const jobs = (n: number) => spendNode([BIN, 'check', '--quiet', '--jobs', String(n), folder], { expected: [0] })
    const [two, one, parse] = inTurn(at.times, [() => jobs(2), () => jobs(1), () => spendNode([BASELINE, folder])])
    return [
      [
        `check ${count(files)} files of 200 kB, --jobs 2`,
        `wall ${seconds(two.wall)}, CPU ${seconds(two.cpu)}, peak ${megabytes(two.memory)}`,
        `--jobs 1: wall ${seconds(one.wall)}, CPU ${seconds(one.cpu)}, peak ${megabytes(one.memory)}`,
        `${ratio(one.wall, two.wall)} times as fast`,
        '1.6 times',
      ],
      ['the same, --jobs 1', seconds(one.cpu), `${PARSE} ${seconds(parse.cpu)}`, ratio(one.cpu, parse.cpu), ''],
    ]
  },
}

const files: Bench = {
  name: 'files',
  table: 'cost',
  about: '10,000 small files, also where only 64 files may be open',
  run(at) {
    const number = 10_000
    const folder = copies(at, 'files', number, 10_000)
    const check = (openFiles?: number) =>
      spendNode([BIN, 'check', '--quiet', folder], { expected: [0], ...(openFiles && { openFiles }) })
    const [free, few, parse] = inTurn(at.times, [() => check(), () => check(64), () => spendNode([BASELINE, folder])])
    return [
      { what: `check ${count(number)} files of 10 kB`, ours: free },
      { what: 'the same, `ulimit -n 64`', ours: few },
    ].map(({ what, ours }) => [
      what,
      `${seconds(ours.cpu)}, peak ${megabytes(ours.memory)}`,
      `${PARSE} ${seconds(parse.cpu)}, peak ${megabytes(parse.memory)}`,
      ratio(ours.cpu, parse.cpu),
      '',
    ])
  },
}

/** A folder with so many sessions, every tenth of them different. */
function copies(at: Place, name: string, files: number, bytes: number): string {
  const folder = join(at.folder, name)
  mkdirSync(folder)
  for (let i = 0; i < files; i++) {
    const path = join(folder, `${i}.jsonl`)
    if (i < 10) writeSession(path, { seed: 100 + i, bytes })
    else {
      copyFileSync(join(folder, `${i % 10}.jsonl`), path)
      utimesSync(path, PAST, PAST)
    }
  }
  return folder
}

const messages: Bench = {
  name: 'messages',
  table: 'cost',
  about: 'normalizeMessages on 30,000 and 123,000 messages in memory',
  run(at) {
    return [30_000, 123_000].map((number) => {
      const list = chatMessages(number, 100)
      const spent: number[] = []
      let applied = 0
      for (let i = 0; i < at.times + 2; i++) {
        const before = process.cpuUsage()
        applied = normalizeMessages(list, { target: 'openai-chat' }).applied.length
        const { user, system } = process.cpuUsage(before)
        spent.push((user + system) / 1e6)
      }
      return [
        `normalizeMessages, ${count(number)} messages, ${count(applied)} repairs`,
        milliseconds(median(spent)),
        '',
        '',
        number === 30_000 ? '50 ms' : '200 ms',
      ]
    })
  },
}

export const COST: readonly Bench[] = [text, media, memory, fix, start, many, files, messages]
