import { scanValue, skipSpace } from './scan.ts'
import { END, Kind, NEXT, NODE, START, type Tape } from './tape.ts'

export type PieceKind = 'record' | 'torn' | 'nul'

/** Takes a piece of a line; for a record the tape holds its scan. */
export type PieceSink = (kind: PieceKind, start: number, end: number) => void

const NUL = 0
const OPEN = 0x7b
const QUOTE = 0x22

/** How many `{` before an error are tried as the start of a record that was glued to a torn one, and how far back they are looked for. */
const NEAR_CANDIDATES = 4
const NEAR_BYTES = 256

/** Bytes that may be scanned for one line, in multiples of its length: what keeps hostile lines linear. */
const BUDGET = 8

/**
 * Takes one damaged line apart: runs of NUL bytes, whole objects or arrays, torn pieces. The pieces come in order and only
 * white space stands between them.
 *
 * A torn piece ends where a whole object begins that reaches to the end of the line, to the next `{` or to NUL bytes. Its
 * start is looked for close before the error that the scanner found, because a record that follows a stub within a string
 * closes that string with its first quote; and then behind the error.
 */
export function segmentLine(bytes: Uint8Array, start: number, end: number, tape: Tape, sink: PieceSink): void {
  new Segmenter(bytes, start, end, tape, sink).run()
}

class Segmenter {
  readonly #bytes: Uint8Array
  readonly #end: number
  readonly #tape: Tape
  readonly #sink: PieceSink
  readonly #start: number
  #budget: number

  constructor(bytes: Uint8Array, start: number, end: number, tape: Tape, sink: PieceSink) {
    this.#bytes = bytes
    this.#start = start
    this.#end = end
    this.#tape = tape
    this.#sink = sink
    this.#budget = (end - start) * BUDGET + 4096
  }

  run(): void {
    const bytes = this.#bytes
    let at = skipSpace(bytes, this.#start, this.#end)
    while (at < this.#end) {
      const c = bytes[at]!
      if (c === NUL) {
        const from = at
        while (at < this.#end && bytes[at] === NUL) at++
        this.#sink('nul', from, at)
      } else {
        const isContainer = c === OPEN || c === 0x5b
        const end = isContainer ? this.#scan(at) : ~at
        if (end >= 0) {
          this.#sink('record', at, end)
          at = end
        } else {
          const next = this.#gluePoint(at, ~end)
          this.#torn(at, next)
          at = next
        }
      }
      at = skipSpace(bytes, at, this.#end)
    }
  }

  #scan(at: number): number {
    const end = scanValue(this.#bytes, at, this.#end, this.#tape)
    this.#budget -= (end < 0 ? ~end : end) - at + 16
    return end
  }

  /** A torn piece, without the white space and the NUL bytes at its end. */
  #torn(start: number, end: number): void {
    const bytes = this.#bytes
    let to = trimEnd(bytes, start, end)
    const nulEnd = to
    while (to > start && bytes[to - 1] === NUL) to--
    const nulStart = to
    to = trimEnd(bytes, start, to)
    if (to > start) this.#sink('torn', start, to)
    if (nulEnd > nulStart) this.#sink('nul', nulStart, nulEnd)
  }

  /** Where the torn piece ends that starts at `start` and is wrong at `error`: at the next whole object or the end of the line. */
  #gluePoint(start: number, error: number): number {
    const bytes = this.#bytes
    const swallowed = this.#swallowed(start, error)
    if (swallowed > 0) return swallowed
    if (error >= this.#end) return this.#end
    if (error > start && this.#isWhole(error)) return error
    let tried = 0
    const lowest = Math.max(start, error - NEAR_BYTES)
    for (let at = error - 1; at > lowest && tried < NEAR_CANDIDATES; at--) {
      if (bytes[at] !== OPEN) continue
      tried++
      if (this.#isWhole(at)) return at
    }
    for (let at = error + 1; this.#budget > 0 && at < this.#end; at++) {
      at = indexOfByte(bytes, OPEN, at, this.#end)
      if (at < 0) break
      if (this.#isWhole(at)) return at
    }
    return this.#end
  }

  /**
   * A record glued to a stub that was torn between two tokens is read as a value of the stub: `{"a":` + `{"a":1}`. It is told
   * from an ordinary member by its first key, which is the stub's own, and by its end, where the scan ran out or stumbled.
   */
  #swallowed(start: number, error: number): number {
    const { nodes, length } = this.#tape
    const bytes = this.#bytes
    if (bytes[start] !== OPEN || length < 2 * NODE || nodes[START] !== start) return -1
    if (error < this.#end && bytes[error] !== OPEN) return -1
    // The last value that is complete: follow the open containers inwards, and take the last child of the innermost.
    const parent = this.#tape.open
    if (parent < 0) return -1
    let last = -1
    for (let at = parent + NODE; at < length; at = nodes[at + NEXT]!) last = at
    if (last < 0 || nodes[last] !== Kind.object || nodes[last + NEXT]! - last < 2 * NODE) return -1
    if (skipSpace(bytes, nodes[last + END]!, error) < error) return -1
    return sameText(bytes, nodes, NODE, last + NODE) ? nodes[last + START]! : -1
  }

  /** Whether a whole object with at least one member starts here and something stands behind it at which a record may end. */
  #isWhole(at: number): boolean {
    const bytes = this.#bytes
    if (bytes[at] !== OPEN || this.#budget <= 0) return false
    const first = skipSpace(bytes, at + 1, this.#end)
    if (first >= this.#end || bytes[first] !== QUOTE) return false
    const end = this.#scan(at)
    if (end < 0) return false
    const behind = skipSpace(bytes, end, this.#end)
    return behind === this.#end || bytes[behind] === OPEN || bytes[behind] === NUL
  }
}

function sameText(bytes: Uint8Array, nodes: Int32Array, a: number, b: number): boolean {
  const from = nodes[a + START]!
  const length = nodes[a + END]! - from
  const other = nodes[b + START]!
  if (nodes[b + END]! - other !== length) return false
  for (let i = 0; i < length; i++) if (bytes[from + i] !== bytes[other + i]) return false
  return true
}

function trimEnd(bytes: Uint8Array, start: number, end: number): number {
  let to = end
  while (to > start && isSpace(bytes[to - 1]!)) to--
  return to
}

function isSpace(c: number): boolean {
  return c === 0x20 || c === 0x09 || c === 0x0d || c === 0x0a
}

function indexOfByte(bytes: Uint8Array, byte: number, from: number, end: number): number {
  for (let at = from; at < end; at++) if (bytes[at] === byte) return at
  return -1
}
