import { scanString } from './scan-string.ts'
import { END, Kind, NEXT, NODE, START, type Tape } from './tape.ts'

/**
 * An exact JSON scanner: it accepts what `JSON.parse` accepts of the decoded text, and writes down where each value stands
 * instead of building it. It does not recurse, so nesting is limited by memory only.
 */

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const ARRAY = 0x5b
const ARRAY_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d

/** Stands for the byte behind the limit; every comparison with it fails. */
const NONE = 256

const LITERALS = [
  { kind: Kind.null, text: Buffer.from('null') },
  { kind: Kind.false, text: Buffer.from('false') },
  { kind: Kind.true, text: Buffer.from('true') },
]

/**
 * Scans one value, with white space before it allowed, onto the tape.
 *
 * @returns the offset behind the value, or `~offset` of the first byte that is wrong (`~limit`: the input ended too early)
 */
export function scanValue(bytes: Uint8Array, start: number, limit: number, tape: Tape): number {
  // Where the buffer goes on behind the bytes, words may be read over their end: what is found there is behind the limit.
  const readable = Math.min(bytes.length + 3, bytes.buffer.byteLength - bytes.byteOffset)
  const view = new DataView(bytes.buffer, bytes.byteOffset, readable)
  let nodes = tape.nodes
  let top = 0
  let parent = -1
  let at = start
  let facts = 0
  let wantsKey = false
  tape.reset(bytes, start)

  scan: for (;;) {
    // A value or a key starts here.
    let c = at < limit ? bytes[at]! : NONE
    if (c <= 0x20) {
      at = skipSpace(bytes, at, limit)
      c = at < limit ? bytes[at]! : NONE
    }
    if (top + NODE > nodes.length) nodes = tape.grow()
    const node = top
    nodes[node + START] = at

    if (c === QUOTE) {
      const end = scanString(bytes, view, at + 1, limit, tape)
      if (end < 0) {
        at = ~end
        break
      }
      at = end
      const fact = tape.found
      facts |= fact
      nodes[node] = Kind.string | fact
      nodes[node + END] = at
      top += NODE
      nodes[node + NEXT] = top
      if (wantsKey) {
        if (at >= limit || bytes[at] !== COLON) {
          at = skipSpace(bytes, at, limit)
          if (at >= limit || bytes[at] !== COLON) break
        }
        at++
        wantsKey = false
        continue
      }
    } else if (wantsKey) {
      break
    } else if (c === OBJECT || c === ARRAY) {
      const end = c + 2
      nodes[node] = c === OBJECT ? Kind.object : Kind.array
      nodes[node + NEXT] = parent
      parent = node
      top += NODE
      at++
      c = at < limit ? bytes[at]! : NONE
      if (c <= 0x20) {
        at = skipSpace(bytes, at, limit)
        c = at < limit ? bytes[at]! : NONE
      }
      if (c !== end) {
        wantsKey = end === OBJECT_END
        continue
      }
      // An empty container is closed below like any other.
    } else {
      let kind: number = Kind.number
      let end: number
      if (c === 0x2d || (c >= 0x30 && c <= 0x39)) end = scanNumber(bytes, at, limit)
      else {
        const literal = c === 0x6e ? 0 : c === 0x66 ? 1 : c === 0x74 ? 2 : -1
        if (literal < 0) break
        kind = LITERALS[literal]!.kind
        end = scanLiteral(bytes, at, limit, LITERALS[literal]!.text)
      }
      if (end < 0) {
        at = ~end
        break
      }
      at = end
      nodes[node] = kind
      nodes[node + END] = at
      top += NODE
      nodes[node + NEXT] = top
    }

    // Behind a value (or in front of the end of an empty container): close what ends here.
    for (;;) {
      if (parent < 0) {
        tape.length = top
        tape.facts = facts
        tape.open = -1
        return at
      }
      c = at < limit ? bytes[at]! : NONE
      if (c <= 0x20) {
        at = skipSpace(bytes, at, limit)
        c = at < limit ? bytes[at]! : NONE
      }
      const isObject = nodes[parent] === Kind.object
      if (c === COMMA) {
        at++
        wantsKey = isObject
        break
      }
      if (c !== (isObject ? OBJECT_END : ARRAY_END)) break scan
      at++
      nodes[parent + END] = at
      const outer = nodes[parent + NEXT]!
      nodes[parent + NEXT] = top
      parent = outer
    }
  }

  tape.length = top
  tape.facts = facts
  tape.open = parent
  return ~at
}

/** As {@link scanValue}, and behind the value nothing but white space up to the limit. Answers the end of the value. */
export function scanDocument(bytes: Uint8Array, start: number, limit: number, tape: Tape): number {
  const end = scanValue(bytes, start, limit, tape)
  if (end < 0) return end
  const rest = skipSpace(bytes, end, limit)
  return rest === limit ? end : ~rest
}

/** The first byte from an offset on that is not JSON white space. */
export function skipSpace(bytes: Uint8Array, start: number, limit: number): number {
  let at = start
  while (at < limit) {
    const c = bytes[at]!
    if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) break
    at++
  }
  return at
}

function scanLiteral(bytes: Uint8Array, start: number, limit: number, text: Uint8Array): number {
  for (let i = 1; i < text.length; i++) if (start + i >= limit || bytes[start + i] !== text[i]) return ~(start + i)
  return start + text.length
}

function scanNumber(bytes: Uint8Array, start: number, limit: number): number {
  let at = start
  if (bytes[at] === 0x2d) at++
  const first = at
  at = skipDigits(bytes, first, limit)
  if (at === first) return ~at
  // Behind a leading zero the number is at its end.
  if (at > first + 1 && bytes[first] === 0x30) return first + 1
  if (at < limit && bytes[at] === 0x2e) {
    const digits = skipDigits(bytes, at + 1, limit)
    if (digits === at + 1) return ~digits
    at = digits
  }
  if (at < limit && (bytes[at]! | 0x20) === 0x65) {
    at++
    if (at < limit && (bytes[at] === 0x2b || bytes[at] === 0x2d)) at++
    const digits = skipDigits(bytes, at, limit)
    if (digits === at) return ~at
    at = digits
  }
  return at
}

function skipDigits(bytes: Uint8Array, start: number, limit: number): number {
  let at = start
  while (at < limit && bytes[at]! >= 0x30 && bytes[at]! <= 0x39) at++
  return at
}
