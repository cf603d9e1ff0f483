import { isAscii } from 'node:buffer'
import type { Source } from './source.ts'
import { asBuffer } from './text-view.ts'

/** A place as editors show it: the physical line, and the column in UTF-16 units; both 1-based. */
export interface Position {
  readonly line: number
  readonly column: number
}

const LF = 0x0a
const STEP = 1 << 16
/** Bytes of a source that are read at a time. */
const PIECE = 1 << 20

/** The column behind a prefix of a physical line. */
export function columnAfter(prefix: Uint8Array): number {
  return utf16Length(prefix) + 1
}

/** How many UTF-16 units bytes decode to. */
export function utf16Length(bytes: Uint8Array): number {
  if (isAscii(bytes)) return bytes.length
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let units = 0
  for (let at = 0; at < bytes.length; at += STEP) {
    units += decoder.decode(bytes.subarray(at, at + STEP), { stream: true }).length
  }
  return units + decoder.decode().length
}

/** The same for a range of a source, which may be too long to be held. */
export function utf16LengthIn(source: Source, from: number, to: number): number {
  if (to - from <= PIECE) return utf16Length(source.read(from, to))
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let units = 0
  for (let at = from; at < to; at += PIECE) {
    units += decoder.decode(source.read(at, Math.min(at + PIECE, to)), { stream: true }).length
  }
  return units + decoder.decode().length
}

/** Bytes of a line between two places whose columns are kept. */
const STRIDE = 1 << 12

/** Lines and columns of a document that is held whole. Built when it is first asked. */
export class LineIndex {
  readonly #bytes: Buffer
  #starts: number[] | undefined
  /** Columns on the way along the line that was asked for last, since a document may be one long line. */
  #line = 0
  #offsets: number[] = []
  #columns: number[] = []

  constructor(bytes: Uint8Array) {
    this.#bytes = asBuffer(bytes)
  }

  /** Physical lines; a final line end does not begin another one. */
  get lines(): number {
    const starts = this.#lineStarts()
    return starts.length - (starts.at(-1) === this.#bytes.length ? 1 : 0)
  }

  /** Where a byte stands. */
  at(offset: number): Position {
    const line = this.lineAt(offset)
    if (line !== this.#line) {
      this.#line = line
      this.#offsets = [this.startOf(line)]
      this.#columns = [1]
    }
    this.#count(offset)
    const mark = lastNotAfter(this.#offsets, offset)
    const column = this.#columns[mark]! + utf16Length(this.#bytes.subarray(this.#offsets[mark]!, offset))
    return { line, column }
  }

  /** The line on which a byte stands. */
  lineAt(offset: number): number {
    return lastNotAfter(this.#lineStarts(), offset) + 1
  }

  /** Goes on along the line up to a byte, and keeps a column now and then. */
  #count(offset: number): void {
    for (let from = this.#offsets.at(-1)!; ; ) {
      let to = from + STRIDE
      // Only where a character begins for sure: in ill-formed text a sequence may end differently otherwise.
      while (to <= offset && this.#bytes[to]! >= 0x80) to++
      if (to > offset) return
      this.#columns.push(this.#columns.at(-1)! + utf16Length(this.#bytes.subarray(from, to)))
      this.#offsets.push(to)
      from = to
    }
  }

  /** Offset of the first byte of a line. */
  startOf(line: number): number {
    return this.#lineStarts()[line - 1] ?? this.#bytes.length
  }

  #lineStarts(): number[] {
    if (this.#starts) return this.#starts
    const starts = [0]
    for (let lf = this.#bytes.indexOf(LF); lf >= 0; lf = this.#bytes.indexOf(LF, lf + 1)) starts.push(lf + 1)
    this.#starts = starts
    return starts
  }
}

function lastNotAfter(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle
  }
  return low
}
