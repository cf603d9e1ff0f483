/**
 * An exact JSON scanner: it accepts what `JSON.parse` accepts of the decoded text, and writes down where each value stands
 * instead of building it. It does not recurse, so nesting is limited by memory only.
 */

/** What a node of the tape is; the low three bits of its first number. */
export const Kind = { null: 0, false: 1, true: 2, number: 3, string: 4, array: 5, object: 6 } as const
export const KIND_MASK = 7

/** What is known of a string node, or of all the strings of a record together ({@link Tape.facts}). */
export const Fact = {
  /** At least one backslash escape. */
  escapes: 8,
  /** At least one byte above 0x7f: it has to be decoded as UTF-8. */
  nonAscii: 16,
  /** A `\u` escape of half a surrogate pair. */
  loneSurrogate: 32,
} as const

/** Numbers in a node: kind and facts, start, end, index behind its subtree. Keys are string nodes before their values. */
export const NODE = 4
export const START = 1
export const END = 2
export const NEXT = 3

const NOTHING = new Uint8Array(0)

/** Where a scan writes its nodes. Meant to be used again for the next record: it only ever grows. */
export class Tape {
  nodes: Int32Array = new Int32Array(1024 * NODE)
  /** Numbers in use; after an error the nodes up to it. */
  length = 0
  /** The {@link Fact}s of all strings and keys, or-ed together. */
  facts = 0
  /** What was scanned. */
  bytes: Uint8Array = NOTHING
  /** The byte from which views count; the scan sets it to its start. */
  origin = 0
  /** The facts of the string that was scanned last. */
  found = 0
  /** After an error the innermost container that is still open, -1 for none. While open, its `NEXT` is the container around it. */
  open = -1

  grow(): Int32Array {
    const grown = new Int32Array(this.nodes.length * 2)
    grown.set(this.nodes)
    this.nodes = grown
    return grown
  }

  /** Nodes of the items of arrays that were asked for by index, so that asking for each of them is not quadratic. */
  readonly #items = new Map<number, number[]>()

  /** The node of an array's item; undefined when there is none. */
  itemOf(array: number, index: number): number | undefined {
    let items = this.#items.get(array)
    if (!items) {
      items = []
      const to = this.nodes[array + NEXT]!
      for (let at = array + NODE; at < to; at = this.nodes[at + NEXT]!) items.push(at)
      this.#items.set(array, items)
    }
    return items[index]
  }

  /** Makes ready for another scan. */
  reset(bytes: Uint8Array, origin: number): void {
    this.bytes = bytes
    this.origin = origin
    if (this.#items.size > 0) this.#items.clear()
  }
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const ARRAY = 0x5b
const ARRAY_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d

/** Stands for the byte behind the limit; every comparison with it fails. */
const NONE = 256

/** 1 for the bytes that may stand unescaped inside a string. */
const PLAIN = new Uint8Array(256).fill(1, 0x20)
PLAIN[QUOTE] = 0
PLAIN[BACKSLASH] = 0

/** 1 for the letters that may follow a backslash, `u` apart. */
const ESCAPED = new Uint8Array(256)
for (const letter of '"\\/bfnrt') ESCAPED[letter.charCodeAt(0)] = 1

const HEX = new Int8Array(256).fill(-1)
for (let digit = 0; digit < 16; digit++) {
  const letter = digit.toString(16)
  HEX[letter.charCodeAt(0)] = digit
  HEX[letter.toUpperCase().charCodeAt(0)] = digit
}

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

const HIGH_BITS = 0x80808080 | 0

/**
 * Scans a string from behind its opening quote; answers the offset behind the closing one, or `~offset` of the first error.
 * Its facts are left on the tape.
 */
function scanString(bytes: Uint8Array, view: DataView, start: number, limit: number, tape: Tape): number {
  const lastWord = Math.min(limit, view.byteLength - 3)
  let at = start
  let seen = 0
  let fact = 0
  for (;;) {
    const long = at + 16
    let hits = 0
    // Four bytes at a time, and the last ones of the buffer singly.
    while (at < lastWord) {
      const four = view.getInt32(at, true)
      // The high bit of each byte that is a hit. Flipping 0x02 puts the quote right above the control characters, so that one
      // comparison finds both.
      hits = (((four ^ 0x02020202) - 0x21212121) | ((four ^ 0x5c5c5c5c) - 0x01010101)) & ~four & HIGH_BITS
      if (hits !== 0) {
        // Only the lowest mark is sure to be a hit: a borrow may mark the byte above one as well.
        const lowest = hits & -hits
        seen |= four & ((lowest >>> 7) - 1)
        at += (31 - Math.clz32(lowest)) >> 3
        break
      }
      seen |= four
      at += 4
      if (at === long) at = skipPlain(view, at, lastWord)
    }
    if (hits === 0) {
      for (; at < limit && PLAIN[bytes[at]!] === 1; at++) seen |= bytes[at]!
    }
    if (at >= limit) return ~limit
    const c = bytes[at]!
    if (c === QUOTE) {
      tape.found = (seen & HIGH_BITS) !== 0 ? fact | Fact.nonAscii : fact
      return at + 1
    }
    if (c !== BACKSLASH) return ~at
    fact |= Fact.escapes
    at++
    if (at < limit && ESCAPED[bytes[at]!] === 1) {
      at++
      continue
    }
    const end = scanUnit(bytes, at, limit)
    if (end < 0) return end
    if (isLone(bytes, at, end)) fact |= Fact.loneSurrogate
    at = end
  }
}

/** Scans a `\u` escape from behind its backslash, and the second half of a surrogate pair with it. */
function scanUnit(bytes: Uint8Array, start: number, limit: number): number {
  if (start >= limit || bytes[start] !== 0x75) return ~start
  const unit = hex4(bytes, start + 1, limit)
  if (unit < 0) return unit
  const end = start + 5
  return unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(bytes, end, limit) ? end + 6 : end
}

/** Whether a `\u` escape is half a surrogate pair with the other half missing. */
function isLone(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > 5) return false
  const unit = hex4(bytes, start + 1, end)
  return unit >= 0xd800 && unit <= 0xdfff
}

/**
 * Hops over long runs of ASCII without quotes, backslashes and control characters: prose, and base64 above all. Stops up to
 * fifteen bytes early, and wherever the finer loop has to look.
 */
function skipPlain(view: DataView, start: number, lastWord: number): number {
  // In pieces, so that the function is called often enough to be compiled early on in a file of few but long strings.
  let at = start
  while (at < lastWord) {
    const to = Math.min(at + 8192, lastWord)
    const stop = skipPlainPiece(view, at, to)
    if (stop < to - 12) return stop
    at = stop
    if (to === lastWord) return at
  }
  return at
}

function skipPlainPiece(view: DataView, start: number, to: number): number {
  let at = start
  for (; at < to - 12; at += 16) {
    const a = view.getInt32(at, true)
    const b = view.getInt32(at + 4, true)
    const c = view.getInt32(at + 8, true)
    const d = view.getInt32(at + 12, true)
    const low =
      ((a ^ 0x02020202) - 0x21212121) |
      ((b ^ 0x02020202) - 0x21212121) |
      ((c ^ 0x02020202) - 0x21212121) |
      ((d ^ 0x02020202) - 0x21212121)
    const slash =
      ((a ^ 0x5c5c5c5c) - 0x01010101) |
      ((b ^ 0x5c5c5c5c) - 0x01010101) |
      ((c ^ 0x5c5c5c5c) - 0x01010101) |
      ((d ^ 0x5c5c5c5c) - 0x01010101)
    if (((low | slash | a | b | c | d) & HIGH_BITS) !== 0) break
  }
  return at
}

/** The value of four hexadecimal digits, or `~offset` of the one that is none. */
function hex4(bytes: Uint8Array, start: number, limit: number): number {
  let unit = 0
  for (let at = start; at < start + 4; at++) {
    const digit = at < limit ? HEX[bytes[at]!]! : -1
    if (digit < 0) return ~at
    unit = (unit << 4) | digit
  }
  return unit
}

function isLowSurrogate(bytes: Uint8Array, at: number, limit: number): boolean {
  if (at + 6 > limit || bytes[at] !== BACKSLASH || bytes[at + 1] !== 0x75) return false
  const unit = hex4(bytes, at + 2, limit)
  return unit >= 0xdc00 && unit <= 0xdfff
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
