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
  nodes: Int32Array
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

  /** @param size how many nodes it has room for at first */
  constructor(size = 256) {
    this.nodes = new Int32Array(size * NODE)
  }

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

  /** The same over bytes of its own, for as long as anybody wants. */
  copy(): Tape {
    const { nodes, length, bytes, origin } = this
    const copy = new Tape(0)
    copy.bytes = Uint8Array.from(bytes.subarray(origin, nodes[END]!))
    copy.nodes = nodes.slice(0, length)
    copy.length = length
    copy.facts = this.facts
    for (let at = 0; at < length; at += NODE) {
      copy.nodes[at + START]! -= origin
      copy.nodes[at + END]! -= origin
    }
    return copy
  }

  /** Makes ready for another scan. */
  reset(bytes: Uint8Array, origin: number): void {
    this.bytes = bytes
    this.origin = origin
    if (this.#items.size > 0) this.#items.clear()
  }
}
