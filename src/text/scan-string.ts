import { Fact, type Tape } from './tape.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

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

const HIGH_BITS = 0x80808080 | 0

/**
 * Scans a string from behind its opening quote; answers the offset behind the closing one, or `~offset` of the first error.
 * Its facts are left on the tape.
 */
export function scanString(bytes: Uint8Array, view: DataView, start: number, limit: number, tape: Tape): number {
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
