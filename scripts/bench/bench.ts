import { join } from 'node:path'
import { type SessionOptions, writeSession } from './generate.ts'

/** One measurement, or a few that share their files. */
export interface Bench {
  readonly name: string
  /** The table that its rows belong to. */
  readonly table: TableName
  readonly about: string
  run(at: Place): Row[] | Promise<Row[]>
}

/** Cells of a table. */
export type Row = readonly string[]

/** Where a measurement takes place, and how large it is. */
export interface Place {
  /** For its files; it is removed afterwards. */
  readonly folder: string
  /** Size of what is called a 100 MB session. */
  readonly megabytes: number
  /** How often each side runs. */
  readonly times: number
}

export type TableName = keyof typeof TABLES

/** The tables with their heads, and what a reader of them has to know. */
export const TABLES = {
  cost: {
    title: 'What a run costs',
    head: ['what', 'convfix', 'beside it', 'ratio', 'aim'],
    about:
      'CPU is user and system time of the whole process, start and end included; "peak" is resident memory. "JSON.parse" is a Node process that reads the file and parses each line. "All sent", growth and `--fix` leave out the rule `request-too-large`, since no provider takes 100 MB at once.',
  },
  tools: {
    title: 'Beside other programs on the same file',
    head: ['command', 'CPU', 'peak', 'what it does'],
    about: 'None of the others looks at more than the syntax.',
  },
  growth: {
    title: 'Growth',
    head: ['what', 'CPU', 'peak', 'growth'],
    about:
      'The exponent compares a row with the one above it: 1 is linear, below 1 the start still counts. A fault costs what a session with that many takes more than one with a single fault.',
  },
  peers: {
    title: 'Beside repair functions of other products',
    head: [
      'function',
      'sent to',
      'valid before',
      'valid after',
      'lost',
      'input changed',
      '30,000 messages',
      '123,000 messages',
    ],
    about:
      'The same 300 generated conversations with one to three faults of pairing or order, each in the shape of the product, judged by the rules of the provider that it sends them to. "Lost" counts texts, and calls of whose real results none is left; "input changed" counts conversations whose list in memory is another one afterwards. Times are CPU of the call. Each product has further passes, and some of these functions are not meant to repair all of the faults.',
  },
} as const satisfies Record<string, { title: string; head: readonly string[]; about: string }>

export const BIN = 'bin/convfix.js'

/** Where a conversation shall be one long one: no provider takes so much at once, which is no matter of what a run costs. */
export const ANY_SIZE = ['--ignore', 'request-too-large']

export const BASELINE = 'scripts/bench/baseline.mjs'

/** A generated session in the place of a measurement. */
export function session(at: Place, name: string, options: SessionOptions): { path: string; records: number } {
  const path = join(at.folder, `${name}.jsonl`)
  return { path, records: writeSession(path, options) }
}

export const seconds = (value: number): string => `${value.toFixed(2)} s`
export const milliseconds = (value: number): string => `${(value * 1000).toFixed(0)} ms`
export const megabytes = (value: number): string => `${value.toFixed(0)} MB`
export const count = (value: number): string => value.toLocaleString('en-US')
export const ratio = (ours: number, theirs: number): string => (theirs > 0 ? (ours / theirs).toFixed(2) : '-')
