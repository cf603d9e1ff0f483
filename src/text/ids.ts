import { TextView } from './text-view.ts'
import type { JsonView } from './view.ts'

/** A handle for an identifier (record id, call id, tool name …): equal texts have equal handles. 0 stands for "none". */
export type Id = number

export const NO_ID: Id = 0

const RECENT = 512

/**
 * Keeps every identifier of a document once, as bytes, and hands out small numbers for them. A session of a million records
 * repeats each of its ids a few times: as strings they would be most of what stays in memory.
 */
export class Ids {
  #arena = Buffer.allocUnsafe(1 << 14)
  #used = 0
  readonly #short = new Uint8Array(64)
  /** End of each id in the arena; `ends[0]` is the empty id. */
  #ends: Int32Array = new Int32Array(256)
  #hashes: Int32Array = new Int32Array(256)
  #count = 1
  #table: Int32Array = new Int32Array(512)
  /** Ids met last, by a few of their letters: most ids come again soon, and are then found without a look into the large table. */
  readonly #recent = new Int32Array(RECENT)
  // Not secret, only different in each process: a file made to collide with itself cannot make look-ups slow.
  readonly #seed = (Math.random() * 0x7fffffff) | 0

  /** How many handles were given out, "none" included: the length of an array indexed by Id. */
  get size(): number {
    return this.#count
  }

  /** The handle of a string value; {@link NO_ID} for an empty string and for what is no string. */
  of(view: JsonView | undefined): Id {
    if (view?.kind !== 'string') return NO_ID
    if (view instanceof TextView && view.isPlain) return this.addBytes(view.bytes, view.from + 1, view.to - 1)
    return this.add(view.string()!)
  }

  /** The handle of a text; {@link NO_ID} for the empty one. */
  add(text: string): Id {
    if (text === '') return NO_ID
    const { length } = text
    if (length > this.#short.length) return this.#addEncoded(text)
    // Ids are short and ASCII nearly always: then no buffer is made for them.
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i)
      if (unit > 0x7f) return this.#addEncoded(text)
      this.#short[i] = unit
    }
    return this.addBytes(this.#short, 0, length)
  }

  #addEncoded(text: string): Id {
    const bytes = Buffer.from(text, 'utf8')
    return this.addBytes(bytes, 0, bytes.length)
  }

  /** The handle of a range of bytes that holds UTF-8. */
  addBytes(bytes: Uint8Array, start: number, end: number): Id {
    if (start >= end) return NO_ID
    const recent = (bytes[start]! * 5 + bytes[end - 1]! * 17 + (end - start) * 3) & (RECENT - 1)
    const met = this.#recent[recent]!
    if (met !== NO_ID && this.#same(met, bytes, start, end)) return met
    return (this.#recent[recent] = this.#find(bytes, start, end))
  }

  #find(bytes: Uint8Array, start: number, end: number): Id {
    const hash = hashOf(bytes, start, end, this.#seed)
    const table = this.#table
    const hashes = this.#hashes
    const mask = table.length - 1
    let slot = hash & mask
    for (let id = table[slot]!; id !== 0; id = table[slot]!) {
      if (hashes[id] === hash && this.#same(id, bytes, start, end)) return id
      slot = (slot + 1) & mask
    }
    return this.#keep(bytes, start, end, hash, slot)
  }

  /** The text of a handle. */
  text(id: Id): string {
    return id === NO_ID ? '' : this.#arena.toString('utf8', this.#ends[id - 1]!, this.#ends[id]!)
  }

  #keep(bytes: Uint8Array, start: number, end: number, hash: number, slot: number): Id {
    const from = this.#used
    const to = from + end - start
    if (to > this.#arena.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.#arena.length * 2, to))
      this.#arena.copy(grown, 0, 0, from)
      this.#arena = grown
    }
    const arena = this.#arena
    for (let i = start, at = from; i < end; i++, at++) arena[at] = bytes[i]!
    const id = this.#count++
    if (id === this.#ends.length) {
      this.#ends = grow(this.#ends)
      this.#hashes = grow(this.#hashes)
    }
    this.#used = to
    this.#ends[id] = to
    this.#hashes[id] = hash
    this.#table[slot] = id
    if (this.#count * 2 > this.#table.length) this.#rehash()
    return id
  }

  #same(id: Id, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#ends[id - 1]!
    const length = end - start
    if (this.#ends[id]! - from !== length) return false
    const arena = this.#arena
    for (let i = 0; i < length; i++) if (arena[from + i] !== bytes[start + i]) return false
    return true
  }

  #rehash(): void {
    const table = new Int32Array(this.#table.length * 2)
    const mask = table.length - 1
    for (let id = 1; id < this.#count; id++) {
      let slot = this.#hashes[id]! & mask
      while (table[slot] !== 0) slot = (slot + 1) & mask
      table[slot] = id
    }
    this.#table = table
  }
}

/** Four bytes at a time: a multiplication for each single byte would cost more than all the rest. */
function hashOf(bytes: Uint8Array, start: number, end: number, seed: number): number {
  let hash = seed ^ (end - start)
  let at = start
  for (; at + 4 <= end; at += 4) {
    const word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
    hash = Math.imul(hash ^ word, 0x9e3779b1)
    hash ^= hash >>> 15
  }
  for (; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  return hash ^ (hash >>> 15)
}

function grow(array: Int32Array): Int32Array {
  const grown = new Int32Array(array.length * 2)
  grown.set(array)
  return grown
}
