import { closeSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spendNode } from '../../scripts/bench/measure.ts'

/**
 * Transcripts that are made to break a reader, through the built command line: `tsx test/support/hostile.ts [NAME]…`. Too large for
 * the tests: they take up to 3 GB on the disk and some minutes each. Prints what each run cost and how it ended.
 */
const BIN = join(import.meta.dirname, '..', '..', 'bin', 'convfix.js')

type Put = (text: string) => void
interface Hostile {
  readonly make: (put: Put, path: string) => void
  /** Exit codes of `check`, of `fix --dry-run`. */
  readonly codes?: readonly number[]
  readonly name?: string
}

const user = (content: string): string => `{"role":"user","content":${content}}\n`
const answer = `{"role":"assistant","content":[{"type":"text","text":"so"}]}\n`
const MB = 1 << 20

const GEMINI = `{"sessionId":"3f2a91c0","projectHash":"0","startTime":"2026-01-01T00:00:00.000Z","lastUpdated":"2026-01-01T00:00:00.000Z","kind":"main"}\n`

const FILES: Readonly<Record<string, Hostile>> = {
  nesting: {
    make(put) {
      put(user('"go"'))
      put(`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"a":`)
      put('['.repeat(1_000_000))
      put(']'.repeat(1_000_000))
      put(`}}]}\n${user('"are you there?"')}`)
    },
  },
  keys: {
    make(put) {
      put(user('"go"'))
      put(`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{`)
      for (let i = 0; i < 1_000_000; i++) put(`"key ${i}":${i},`)
      put(`"last":1}}]}\n${user('"are you there?"')}`)
    },
  },
  line: {
    make(put) {
      put(user('"go"'))
      put(`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"text":"`)
      for (let i = 0; i < 200; i++) put('long and longer '.repeat(MB / 16))
      put(`"}}]}\n${user('"are you there?"')}`)
    },
  },
  sets: {
    make(put) {
      put(GEMINI)
      const message = (i: number): string =>
        JSON.stringify({
          id: `m${i}`,
          timestamp: '2026-01-01T00:00:00.000Z',
          type: 'user',
          content: [{ text: `go ${i}` }],
        })
      for (let i = 0; i < 2_000_000; i++) {
        put(`{"$set":{"messages":[${message(i)}],"lastUpdated":"2026-01-01T00:00:00.000Z"}}\n`)
      }
    },
  },
  jsonl: {
    make(put) {
      const text = 'text '.repeat(20_000)
      for (let size = 0; size < 3000 * MB; size += 100_100) {
        put(user(`"${text}"`))
        put(`{"role":"assistant","content":"${text}"}\n`)
      }
      put(`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]}\n`)
      put(user('"are you there?"'))
    },
  },
  document: {
    name: 'document.json',
    codes: [2],
    make(put) {
      const text = 'text '.repeat(20_000)
      put('[')
      for (let size = 0; size < 3000 * MB; size += 100_100) put(`${user(`"${text}"`)},${answer},`)
      put(`${user('"end"')}]`)
    },
  },
  sparse: {
    codes: [0, 1, 2],
    make(put, path) {
      put(user('"go"'))
      put(answer)
      truncateSync(path, 3000 * MB)
    },
  },
}

const asked = process.argv.slice(2)
for (const [name, { make, codes = [0, 1], name: called = `${name}.jsonl` }] of Object.entries(FILES)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  const folder = mkdtempSync(join(tmpdir(), 'convfix-hostile-'))
  const path = join(folder, called)
  try {
    write(path, make)
    const size = Math.round(statSync(path).size / 1e6)
    for (const argv of [['check'], ['fix', '--dry-run']]) {
      const began = `${name} (${size} MB): ${argv.join(' ')}`
      try {
        const { cpu, wall, memory } = spendNode([BIN, ...argv, '--no-config', '-r', 'concise', path], {
          expected: codes,
        })
        console.log(`${began}: ${cpu.toFixed(1)} s CPU, ${wall.toFixed(1)} s, ${Math.round(memory)} MB`)
      } catch (error) {
        console.log(`${began}: ${(error as Error).message}`)
        process.exitCode = 1
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function write(path: string, make: Hostile['make']): void {
  const fd = openSync(path, 'w')
  let gathered: string[] = []
  let length = 0
  const flush = (): void => {
    writeSync(fd, gathered.join(''))
    gathered = []
    length = 0
  }
  make((text) => {
    gathered.push(text)
    length += text.length
    if (length > MB) flush()
  }, path)
  flush()
  closeSync(fd)
}
