/** What {@link ObjectJoin.feed} answers instead of an offset: the object goes on, or it is none. */
export const INCOMPLETE = -1
export const BROKEN = -2

/** Follows an object over line ends, strings and brackets only, until it is closed. Whether it is one is for the scanner to say. */
export class ObjectJoin {
  /** Bytes before the object on its first line. */
  readonly skipped: number
  /** Line ends passed. */
  lines = 0
  #depth = 0
  #inString = false
  #escaped = false

  constructor(skipped: number) {
    this.skipped = skipped
  }

  /** The offset behind the object; INCOMPLETE, or BROKEN when there is a NUL byte, which no record survives. */
  feed(bytes: Uint8Array, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      const c = bytes[at]!
      if (c === 0) return BROKEN
      if (c === 0x0a) this.lines++
      if (this.#escaped) this.#escaped = false
      else if (this.#inString) {
        if (c === 0x22) this.#inString = false
        else if (c === 0x5c) this.#escaped = true
      } else if (c === 0x22) this.#inString = true
      else if (c === 0x7b || c === 0x5b) this.#depth++
      else if ((c === 0x7d || c === 0x5d) && --this.#depth === 0) return at + 1
    }
    return INCOMPLETE
  }
}
