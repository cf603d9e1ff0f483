import type { JsonChange } from './edit.ts'
import type { Steps } from './steps.ts'
import type { Json, JsonView } from './view.ts'

/** A change to the list of records, or to one of them. */
export type RecordEdit =
  | { readonly edit: 'json'; readonly record: number; readonly changes: readonly JsonChange[] }
  | { readonly edit: 'bytes'; readonly record: number; readonly bytes: Uint8Array }
  | { readonly edit: 'end-line'; readonly record: number }
  | { readonly edit: 'remove'; readonly record: number }
  /** Behind `after` (-1: before all others); of several behind one record the first stands first. */
  | { readonly edit: 'insert'; readonly after: number; readonly value: Json }

/** A record as it was read. */
export interface Original {
  readonly bytes: Uint8Array
  readonly view: JsonView | undefined
}

/**
 * The records of a document: numbered once and for all, in the order of the file at first. Records keep their number when
 * others come or go. Over a file what stays in memory is where each one lies; over plain messages the messages themselves.
 */
export interface Records {
  /** Numbers given out: originals and later ones, removed ones included. */
  readonly count: number
  /** The numbers of the records that are there, in the order of the file. */
  order(): ArrayLike<number>
  /** What the reader made of it; {@link RowKind}. */
  kind(record: number): number
  /** Bits of {@link RowFlag}. */
  flags(record: number): number
  /** Whether there can be any record that is not a plain whole one without flags. */
  readonly hasOdd: boolean
  /** 1-based physical line on which the original began; of an inserted record the line of the one it was put behind. */
  line(record: number): number
  /** Bytes of the original from the start of the file; -1 for an inserted record and over plain values. */
  start(record: number): number
  /** How many bytes a record has as it would be written now; 0 over plain values. */
  length(record: number): number
  /** The bytes of a record as they would be written now; undefined over plain values. */
  bytes(record: number): Uint8Array | undefined
  /** A record as it was read, whatever was edited since; undefined for one that came later and over plain values. Kept for one record at a time. */
  original(record: number): Original | undefined
  /** Looks at its value; undefined when it does not parse. Valid until the record is edited. */
  view(record: number): JsonView | undefined
  /** Whether a line break stands between this record and the one that followed it at first. */
  endsLine(record: number): boolean
  /** Makes the edits and returns the numbers of the records that are new or changed. */
  commit(edits: readonly RecordEdit[]): Steps<number[]>
  /** Whether anything was edited. */
  readonly changed: boolean
}
