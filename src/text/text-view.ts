import { scanDocument } from './scan.ts'
import { END, Fact, KIND_MASK, Kind, NEXT, NODE, START, Tape } from './tape.ts'
import { type JsonKind, type JsonView, type Keys, Verbatim } from './view.ts'

const BACKSLASH = 0x5c
const KINDS: readonly JsonKind[] = ['null', 'boolean', 'boolean', 'number', 'string', 'array', 'object']

/** How many nodes of a tape keep their view: those of nearly every record, and no more of a document of millions. */
const KEPT = 256

/**
 * A value in the bytes of a record, read through the tape of a scan. Valid only as long as bytes and tape are: the reader
 * uses both again for the next record, and the views over them as well.
 */
export class TextView implements JsonView {
  // Not `#private`, here and below: so many are made that the mark which private methods put on each of them shows.
  private readonly tape: Tape
  private readonly node: number
  /** Views over the same tape that were made before, by the number of their node. */
  private readonly made: (TextView | undefined)[]

  constructor(tape: Tape, node = 0, made: (TextView | undefined)[] = []) {
    this.tape = tape
    this.node = node
    this.made = made
  }

  /** The same whole value, which stays when the reader goes on. */
  copy(): TextView {
    return new TextView(this.tape.copy())
  }

  get bytes(): Uint8Array {
    return this.tape.bytes
  }

  get kind(): JsonKind {
    return KINDS[this.type]!
  }

  get start(): number {
    return this.from - this.tape.origin
  }

  get end(): number {
    return this.to - this.tape.origin
  }

  /** First byte of the value in {@link bytes}. */
  get from(): number {
    return this.tape.nodes[this.node + START]!
  }

  /** One past the last byte of the value in {@link bytes}. */
  get to(): number {
    return this.tape.nodes[this.node + END]!
  }

  /** Whether this is a string whose stored bytes are its text: ASCII without escapes. */
  get isPlain(): boolean {
    return this.tape.nodes[this.node] === Kind.string
  }

  get size(): number {
    const type = this.type
    if (type !== Kind.array && type !== Kind.object) return 0
    const { nodes } = this.tape
    let count = 0
    for (let at = this.node + NODE, to = nodes[this.node + NEXT]!; at < to; count++) {
      at = nodes[type === Kind.object ? at + NODE + NEXT : at + NEXT]!
    }
    return count
  }

  get(key: string): TextView | undefined {
    if (this.type !== Kind.object) return undefined
    const { nodes } = this.tape
    let found = -1
    for (let at = this.node + NODE, to = nodes[this.node + NEXT]!; at < to; ) {
      const value = at + NODE
      if (this.isKey(at, key)) found = value
      at = nodes[value + NEXT]!
    }
    return found < 0 ? undefined : this.child(found)
  }

  at(index: number): TextView | undefined {
    if (this.type !== Kind.array) return undefined
    const node = this.tape.itemOf(this.node, index)
    return node === undefined ? undefined : this.child(node)
  }

  *items(): IterableIterator<TextView> {
    if (this.type !== Kind.array) return
    const { nodes } = this.tape
    for (let at = this.node + NODE, to = nodes[this.node + NEXT]!; at < to; at = nodes[at + NEXT]!) yield this.child(at)
  }

  *members(): IterableIterator<readonly [key: string, value: TextView]> {
    for (const [key, value] of this.keyed()) yield [key.string()!, value]
  }

  /** As {@link members}, with the keys as views, which know where they stand. */
  *keyed(): IterableIterator<readonly [key: TextView, value: TextView]> {
    if (this.type !== Kind.object) return
    const { nodes } = this.tape
    for (let at = this.node + NODE, to = nodes[this.node + NEXT]!; at < to; ) {
      const value = at + NODE
      yield [this.child(at), this.child(value)]
      at = nodes[value + NEXT]!
    }
  }

  string(): string | undefined {
    return this.type === Kind.string ? this.decode(this.node) : undefined
  }

  peek(characters: number): string | undefined {
    if (this.type !== Kind.string) return undefined
    const from = this.from + 1
    const to = this.to - 1
    // A UTF-16 unit takes at most six bytes, and the margin covers what is cut off at a bad place.
    const reach = Math.abs(characters) * 6 + 16
    if (to - from <= reach) return cut(this.string()!, characters)
    if (characters >= 0) return cut(this.textOf(from, sequenceStart(this.bytes, from, from + reach)), characters)
    return cut(this.textOf(sequenceStart(this.bytes, from, to - reach), to), characters)
  }

  part(from: number, to: number): string | undefined {
    if (!this.isPlain) return undefined
    const first = this.from + 1
    return asBuffer(this.bytes).toString('latin1', first + from, Math.min(first + to, this.to - 1))
  }

  isBlank(): boolean {
    if (this.type !== Kind.string) return false
    const to = this.to - 1
    for (let at = this.from + 1; at < to; at++) {
      const byte = this.bytes[at]!
      if (byte === 0x20) continue
      // An escape or a byte beyond ASCII may be white space as well.
      return byte === BACKSLASH || byte > 0x7f ? !/\S/.test(this.string()!) : false
    }
    return true
  }

  startsWith(prefix: string): boolean {
    if (this.type !== Kind.string) return false
    const from = this.from + 1
    const to = this.to - 1
    for (let i = 0; i < prefix.length; i++) {
      const byte = from + i < to ? this.bytes[from + i]! : -1
      if (byte === BACKSLASH || byte > 0x7f) return this.peek(prefix.length) === prefix
      if (byte !== prefix.charCodeAt(i)) return false
    }
    return true
  }

  pick(keys: Keys): readonly (JsonView | undefined)[] {
    const { found } = keys
    for (let i = 0; i < found.length; i++) found[i] = undefined
    if (this.type !== Kind.object) return found
    const { nodes, bytes } = this.tape
    for (let at = this.node + NODE, to = nodes[this.node + NEXT]!; at < to; ) {
      const value = at + NODE
      // A key with escapes or beyond ASCII may spell one of the names all the same.
      const index =
        nodes[at] === Kind.string
          ? keys.find(bytes, nodes[at + START]! + 1, nodes[at + END]! - 1)
          : keys.names.indexOf(this.decode(at))
      if (index >= 0) found[index] = this.child(value)
      at = nodes[value + NEXT]!
    }
    return found
  }

  get length(): number {
    return this.type === Kind.string ? this.to - this.from - 2 : 0
  }

  boolean(): boolean | undefined {
    const type = this.type
    return type === Kind.true ? true : type === Kind.false ? false : undefined
  }

  number(): number | undefined {
    return this.type === Kind.number ? Number(asBuffer(this.bytes).toString('latin1', this.from, this.to)) : undefined
  }

  value(): unknown {
    switch (this.type) {
      case Kind.string:
        return this.string()
      case Kind.number:
        return this.number()
      default:
        return JSON.parse(asBuffer(this.bytes).toString('utf8', this.from, this.to))
    }
  }

  verbatim(): Verbatim {
    // Not `slice`, which does not copy when the bytes are a Buffer.
    return Verbatim.ofText(new Uint8Array(this.bytes.subarray(this.from, this.to)))
  }

  private get type(): number {
    return this.tape.nodes[this.node]! & KIND_MASK
  }

  private child(node: number): TextView {
    const number = node / NODE
    if (number >= KEPT) return new TextView(this.tape, node, this.made)
    return (this.made[number] ??= new TextView(this.tape, node, this.made))
  }

  private isKey(node: number, key: string): boolean {
    const { nodes } = this.tape
    if (nodes[node] !== Kind.string) return this.decode(node) === key
    const from = nodes[node + START]! + 1
    const length = key.length
    if (nodes[node + END]! - 1 - from !== length) return false
    const { bytes } = this
    for (let i = 0; i < length; i++) if (bytes[from + i] !== key.charCodeAt(i)) return false
    return true
  }

  /** The text of a string node. */
  private decode(node: number): string {
    const { nodes } = this.tape
    const facts = nodes[node]!
    const from = nodes[node + START]!
    const to = nodes[node + END]!
    if (facts === Kind.string && to - from <= SHORT) return shortText(this.bytes, from + 1, to - 1)
    const buffer = asBuffer(this.bytes)
    if (facts === Kind.string) return buffer.toString('latin1', from + 1, to - 1)
    if ((facts & Fact.escapes) === 0) return buffer.toString('utf8', from + 1, to - 1)
    return JSON.parse(buffer.toString('utf8', from, to)) as string
  }

  /** The text of a part of this string. */
  private textOf(from: number, to: number): string {
    const raw = asBuffer(this.bytes).toString('utf8', from, to)
    return (this.tape.nodes[this.node]! & Fact.escapes) === 0 ? raw : (JSON.parse(`"${raw}"`) as string)
  }
}

/** Longest string, its quotes counted, that is looked up before it is made. */
const SHORT = 24

/** Short texts that were made before. Types, roles and names come again in every record: to find one costs less than to make it. */
const made: (string | undefined)[] = new Array<undefined>(512).fill(undefined)

/** The text of a range of ASCII. */
function shortText(bytes: Uint8Array, from: number, to: number): string {
  const length = to - from
  if (length === 0) return ''
  const slot = (bytes[from]! * 37 + bytes[to - 1]! * 5 + length * 11) & (made.length - 1)
  const text = made[slot]
  if (text !== undefined && text.length === length) {
    let at = 0
    while (at < length && text.charCodeAt(at) === bytes[from + at]) at++
    if (at === length) return text
  }
  const fresh = asBuffer(bytes).toString('latin1', from, to)
  made[slot] = fresh
  return fresh
}

/** Scans bytes that hold one value, onto a tape of its own; undefined when they do not. */
export function parseView(bytes: Uint8Array): TextView | undefined {
  const tape = new Tape()
  return scanDocument(bytes, 0, bytes.length, tape) < 0 ? undefined : new TextView(tape)
}

/** The same bytes as a Buffer, whose decoders take ranges. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

function cut(text: string, characters: number): string {
  return characters >= 0 ? text.slice(0, characters) : text.slice(characters)
}

/** The start of the UTF-8 sequence or escape into which an offset inside a string falls; `first` is where the string starts. */
function sequenceStart(bytes: Uint8Array, first: number, offset: number): number {
  let at = offset
  while (at > first && at > offset - 3 && (bytes[at]! & 0xc0) === 0x80) at--
  // An escape is at most six bytes long, so the nearest backslash before decides, if it is not escaped itself.
  for (let slash = at - 1; slash >= first && slash > at - 6; slash--) {
    if (bytes[slash] !== 0x5c) continue
    let run = 1
    while (slash - run >= first && bytes[slash - run] === 0x5c) run++
    if (run % 2 === 0) break
    return slash + (bytes[slash + 1] === 0x75 ? 6 : 2) > at ? slash : at
  }
  return at
}
