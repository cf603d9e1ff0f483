/**
 * Where the bytes of a document come from: memory or a file. Content that is not kept in the skeleton is read again through it.
 */
export interface Source {
  /** Bytes in all. */
  readonly size: number
  /** Reads a range again; the answer may be a window into a larger buffer and is only valid until the next call. */
  read(start: number, end: number): Uint8Array
}

/** A source over bytes in memory. */
export class MemorySource implements Source {
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get size(): number {
    return this.#bytes.length
  }

  read(start: number, end: number): Uint8Array {
    return this.#bytes.subarray(start, end)
  }
}
