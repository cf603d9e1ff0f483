import { isUtf8 } from 'node:buffer'
import { escapeRawControls } from './escape-controls.ts'
import { BROKEN, INCOMPLETE, ObjectJoin } from './object-join.ts'
import { scanDocument, scanValue, skipSpace } from './scan.ts'
import { segmentLine } from './segment.ts'
import { Fact, Tape } from './tape.ts'
import { asBuffer, TextView } from './text-view.ts'

/** What a row of a JSONL file is. */
export const RowKind = {
  /** A whole JSON value. */
  record: 0,
  /** What is no JSON value: torn, overwritten, or never one. */
  torn: 1,
  /** A run of NUL bytes outside of values, as a crash of the machine leaves them. */
  nul: 2,
  /** A UTF-8 byte order mark at the start of the file. */
  bom: 3,
} as const
export type RowKind = (typeof RowKind)[keyof typeof RowKind]

/** What else is to be said about a row. */
export const RowFlag = {
  /** Shares its physical line with the record or torn piece before it. */
  glued: 1,
  /** Raw line breaks inside the row. */
  split: 2,
  /** Raw control characters inside its strings; the view stands over a copy in which they are escaped. */
  rawControls: 4,
  /** Not well-formed UTF-8. */
  invalidUtf8: 8,
  /** A record with an escape of half a surrogate pair in it. */
  loneSurrogate: 16,
} as const

/** One row of a JSONL file. What stands between rows (line ends, blank lines, white space) is left out. */
export interface Row {
  readonly kind: RowKind
  /** {@link RowFlag}s, or-ed together. */
  readonly flags: number
  /** Offset of its first byte in the file. */
  readonly start: number
  readonly length: number
  /** The physical line on which it starts, 1-based; lines end at LF only. */
  readonly line: number
  /** Offset in the file of the first byte of that line. */
  readonly lineStart: number
}

/**
 * Takes a row. All four are only valid during the call: the reader uses them again. NUL bytes come without their bytes.
 *
 * @param at where the row starts in `bytes`
 * @param view the value of a record; undefined for every other kind
 */
export type RowSink = (row: Row, bytes: Uint8Array, at: number, view: TextView | undefined) => void

const LF = 0x0a
const CR = 0x0d
const OPEN = 0x7b

/** Bytes of the longest record: places in it are numbers of 32 bits. */
export const LONGEST_RECORD = 0x7fffffff

/** A line goes on beyond {@link LONGEST_RECORD} bytes. */
export class RecordTooLong extends Error {
  override name = 'RecordTooLong'
}

/** Bytes of NUL that are one row. */
const LONGEST_RUN = 1 << 30
const NOTHING = new Uint8Array(0)
const ZEROS = Buffer.alloc(1 << 16)

/** A record that was broken into lines is given up as torn when it is not complete after so many bytes. */
const JOIN_LIMIT = 64 << 20

/**
 * Reads JSONL from chunks of any size and hands out its rows. Each byte is looked at a bounded number of times, and only the
 * record at hand is kept in memory.
 *
 * An object that begins at the start of a line and is not complete at its end is joined with the lines that follow, until it
 * is, or until one of them begins with `{`.
 */
export class RecordReader {
  readonly #onRow: RowSink
  readonly #longest: number
  readonly #tape = new Tape()
  readonly #view = new TextView(this.#tape)
  readonly #row = { kind: RowKind.record as RowKind, flags: 0, start: 0, length: 0, line: 1, lineStart: 0 }

  /** What is left of earlier chunks: an incomplete line, or the lines of an open join. */
  #carry = Buffer.allocUnsafe(0)
  #held = 0
  /** Offset in the file of the first byte of the bytes at hand. */
  #base = 0
  #size = 0
  #lastByte = -1

  /** The line at the start of what is not consumed yet. */
  #line = 1
  /** From there: where the next line starts (behind the lines of a join), and how far no LF was found. */
  #lineAt = 0
  #searched = 0
  #join: ObjectJoin | undefined
  /** The last line in which there were any, and where it starts in the file. */
  #nulLine: { readonly line: number; readonly start: number } | undefined
  /** NUL bytes that were seen last, in a run that may go on: where it and its line start in the file, and how long it is. */
  #nuls: { readonly start: number; readonly line: number; readonly lineStart: number; length: number } | undefined

  /** @param longest bytes of a line or joined lines, beyond which {@link push} throws {@link RecordTooLong} */
  constructor(onRow: RowSink, longest = LONGEST_RECORD) {
    this.#onRow = onRow
    this.#longest = longest
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    const bytes = asBuffer(chunk)
    const chunkBase = this.#size
    this.#size += bytes.length
    this.#lastByte = bytes[bytes.length - 1]!
    let at = 0
    while (this.#held > 0) {
      if (at === bytes.length) return
      const lf = bytes.indexOf(LF, at)
      const to = lf < 0 ? bytes.length : lf + 1
      this.#keep(bytes, at, to)
      at = to
      this.#consumeCarry(false)
    }
    this.#base = chunkBase
    const consumed = this.#consume(bytes, at, false)
    if (consumed === bytes.length) return
    this.#base += consumed
    this.#keep(bytes, consumed, bytes.length)
  }

  /** Hands out what is left. */
  end(): { size: number; lines: number; endsWithNewline: boolean } {
    if (this.#held > 0) this.#consumeCarry(true)
    this.#endNuls()
    const endsWithNewline = this.#lastByte === LF
    return { size: this.#size, lines: this.#line - 1, endsWithNewline }
  }

  #keep(bytes: Buffer, from: number, to: number): void {
    const held = this.#held + to - from
    if (held > this.#longest) throw new RecordTooLong(`a line has more than ${this.#longest} bytes`)
    // A few bytes more than needed, since the scanner reads words.
    if (held + 8 > this.#carry.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(held + 8, this.#carry.length * 2, 1 << 16))
      this.#carry.copy(grown, 0, 0, this.#held)
      this.#carry = grown
    }
    bytes.copy(this.#carry, this.#held, from, to)
    this.#held = held
  }

  #consumeCarry(final: boolean): void {
    const consumed = this.#consume(this.#carry.subarray(0, this.#held), 0, final)
    if (consumed === 0) return
    this.#carry.copyWithin(0, consumed, this.#held)
    this.#held -= consumed
    this.#base += consumed
  }

  /** Reads lines as long as there are whole ones; answers where what is left begins. */
  #consume(bytes: Buffer, from: number, final: boolean): number {
    let pending = from
    for (;;) {
      const start = pending + this.#lineAt
      if (this.#join && (start === bytes.length ? final : bytes[start] === OPEN || this.#lineAt > JOIN_LIMIT)) {
        this.#giveUp(bytes, pending, start)
        pending = start
        continue
      }
      if (start === bytes.length) return pending
      let lf = bytes.indexOf(LF, pending + this.#searched)
      if (lf < 0) {
        // A file that was made longer before it was written may end in gigabytes of them.
        if (!this.#join && this.#lineAt === 0 && isNul(bytes, pending)) {
          this.#takeNuls(this.#base + pending, bytes.length - pending, this.#base + pending)
          this.#searched = 0
          return bytes.length
        }
        if (!final) {
          this.#searched = bytes.length - pending
          return pending
        }
        lf = bytes.length
      }
      const next = Math.min(lf + 1, bytes.length)
      const done = this.#join ? this.#joined(bytes, pending, lf) : this.#takeLine(bytes, start, lf)
      if (done) pending = next
      this.#lineAt = next - pending
      this.#searched = this.#lineAt
    }
  }

  /** Reads one line, or what is left of it behind NUL bytes; answers whether it is dealt with (false: a join begins). */
  #takeLine(bytes: Buffer, start: number, lf: number): boolean {
    if (this.#nulLine?.line !== this.#line) return this.#whole(bytes, start, lf)
    this.#segment(bytes, start, lf, start, 0)
    this.#line++
    return true
  }

  /** Reads one line; answers whether it is dealt with (false: a join begins). */
  #whole(bytes: Buffer, lineStart: number, lf: number): boolean {
    let start = lineStart
    if (this.#base + start === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
      this.#emit(RowKind.bom, 0, bytes, 0, 3, 0)
      start = 3
    }
    const end = trimEnd(bytes, start, lf)
    if (bytes[start] === OPEN && end > start) {
      const found = scanValue(bytes, start, end, this.#tape)
      if (found === end) {
        this.#emit(RowKind.record, 0, bytes, start, end, lineStart)
        this.#line++
        return true
      }
      const error = ~found
      if (found < 0 && (error === end || (bytes[error]! < 0x20 && bytes[error] !== 0))) {
        this.#join = new ObjectJoin(start - lineStart)
        return this.#joined(bytes, lineStart, lf)
      }
    }
    this.#plain(bytes, start, lf, lineStart)
    this.#line++
    return true
  }

  /** Takes one more line into the join that starts at `pending`; answers whether that ends it. */
  #joined(bytes: Buffer, pending: number, lf: number): boolean {
    const join = this.#join!
    const lineStart = pending + this.#lineAt
    const from = pending + join.skipped
    const next = Math.min(lf + 1, bytes.length)
    const end = join.feed(bytes, Math.max(lineStart, from), next)
    if (end === INCOMPLETE) return false
    if (end === BROKEN || !this.#emitJoined(bytes, from, end, pending)) {
      this.#giveUp(bytes, pending, next)
      return true
    }
    this.#join = undefined
    this.#line += join.lines
    // What stands behind the object on its last line.
    if (skipSpace(bytes, end, lf) < lf) this.#segment(bytes, end, lf, lineStart, RowFlag.glued)
    this.#line++
    return true
  }

  /** Hands a joined record out, if it is one. */
  #emitJoined(bytes: Buffer, start: number, end: number, lineStart: number): boolean {
    let flags = 0
    const text = bytes.subarray(start, end)
    if (text.includes(LF) || text.includes(CR)) flags |= RowFlag.split
    if (scanValue(bytes, start, end, this.#tape) === end) {
      this.#emit(RowKind.record, flags, bytes, start, end, lineStart)
      return true
    }
    const escaped = escapeRawControls(text)
    if (scanDocument(escaped, 0, escaped.length, this.#tape) < 0) return false
    this.#emit(RowKind.record, flags | RowFlag.rawControls, bytes, start, end, lineStart)
    return true
  }

  /** Ends a join that did not become a record: its lines are read one by one. */
  #giveUp(bytes: Buffer, pending: number, end: number): void {
    const { skipped } = this.#join!
    this.#join = undefined
    this.#lineAt = 0
    this.#searched = 0
    for (let lineStart = pending; lineStart < end; ) {
      let lf = bytes.indexOf(LF, lineStart)
      if (lf < 0 || lf > end) lf = end
      this.#plain(bytes, lineStart === pending ? lineStart + skipped : lineStart, lf, lineStart)
      this.#line++
      lineStart = lf + 1
    }
  }

  /** Reads a line by itself. */
  #plain(bytes: Buffer, start: number, lf: number, lineStart: number): void {
    const first = skipSpace(bytes, start, lf)
    if (first === lf) return
    const end = scanDocument(bytes, first, lf, this.#tape)
    if (end >= 0) this.#emit(RowKind.record, 0, bytes, first, end, lineStart)
    else if (!this.#emitEscaped(bytes, first, lf, lineStart, ~end)) this.#segment(bytes, first, lf, lineStart, 0)
  }

  /** Hands out a line that is a record but for raw control characters in its strings. */
  #emitEscaped(bytes: Buffer, start: number, lf: number, lineStart: number, error: number): boolean {
    if (error >= lf || bytes[error]! >= 0x20 || bytes[error] === 0) return false
    const end = trimEnd(bytes, start, lf)
    const escaped = escapeRawControls(bytes.subarray(start, end))
    if (scanDocument(escaped, 0, escaped.length, this.#tape) < 0) return false
    this.#emit(RowKind.record, RowFlag.rawControls, bytes, start, end, lineStart)
    return true
  }

  #segment(bytes: Buffer, start: number, end: number, lineStart: number, firstFlags: number): void {
    let flags = firstFlags
    segmentLine(bytes, start, end, this.#tape, (kind, from, to) => {
      if (kind === 'nul') return this.#emit(RowKind.nul, 0, bytes, from, to, lineStart)
      this.#emit(RowKind[kind], flags, bytes, from, to, lineStart)
      flags = RowFlag.glued
    })
  }

  /** Takes NUL bytes; they are handed out as one row when their run has come to its end. */
  #takeNuls(start: number, length: number, lineStart: number): void {
    const run = this.#nuls
    const goesOn = run && run.start + run.length === start && run.line === this.#line && run.length < LONGEST_RUN
    if (goesOn) run.length += length
    else {
      this.#endNuls()
      this.#nuls = { start, length, line: this.#line, lineStart: this.#startOfLine(lineStart) }
    }
    this.#nulLine = { line: this.#line, start: this.#nuls!.lineStart }
  }

  #endNuls(): void {
    const run = this.#nuls
    if (!run) return
    this.#nuls = undefined
    this.#onRow({ kind: RowKind.nul, flags: 0, ...run }, NOTHING, 0, undefined)
  }

  /** Where a line starts in the file, whose first bytes may have been NUL and handed out before. */
  #startOfLine(lineStart: number): number {
    return this.#nulLine?.line === this.#line ? this.#nulLine.start : lineStart
  }

  /** Hands out one row. A record's scan is on the tape. */
  #emit(kind: RowKind, flags: number, bytes: Buffer, start: number, end: number, lineStart: number): void {
    if (kind === RowKind.nul) {
      this.#takeNuls(this.#base + start, end - start, this.#base + lineStart)
      return
    }
    this.#endNuls()
    const row = this.#row
    const isRecord = kind === RowKind.record
    const facts = isRecord ? this.#tape.facts : Fact.nonAscii
    row.kind = kind
    row.flags = flags
    if ((facts & Fact.loneSurrogate) !== 0) row.flags |= RowFlag.loneSurrogate
    if ((facts & Fact.nonAscii) !== 0 && (isRecord || kind === RowKind.torn) && !isUtf8(bytes.subarray(start, end))) {
      row.flags |= RowFlag.invalidUtf8
    }
    row.start = this.#base + start
    row.length = end - start
    row.line = this.#line
    row.lineStart = this.#startOfLine(this.#base + lineStart)
    this.#onRow(row, bytes, start, isRecord ? this.#view : undefined)
  }
}

/** Whether all bytes from an offset on are NUL; there is at least one. */
function isNul(bytes: Buffer, from: number): boolean {
  if (bytes[from] !== 0 || bytes[bytes.length - 1] !== 0) return false
  for (let at = from; at < bytes.length; at += ZEROS.length) {
    const to = Math.min(at + ZEROS.length, bytes.length)
    if (bytes.compare(ZEROS, 0, to - at, at, to) !== 0) return false
  }
  return true
}

function trimEnd(bytes: Uint8Array, start: number, end: number): number {
  let to = end
  while (to > start) {
    const c = bytes[to - 1]!
    if (c !== 0x20 && c !== CR && c !== 0x09) break
    to--
  }
  return to
}
