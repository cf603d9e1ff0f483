/** The kinds of a JSON value. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** Where a value stands below another one: object keys and array indices, outermost first. */
export type Path = readonly (string | number)[]

/**
 * A lazy, read-only look at one JSON value. The same interface stands over the bytes of a record ({@link TextView})
 * and over plain JavaScript values ({@link ValueView}), so that formats, dialects and rules are written once.
 *
 * Nothing is decoded until it is asked for; a method asked of the wrong kind answers `undefined` (or nothing), never throws.
 */
export interface JsonView {
  readonly kind: JsonKind
  /** First byte of the value, counted from the start of its record; -1 over plain values. */
  readonly start: number
  /** One past the last byte of the value; -1 over plain values. */
  readonly end: number
  /** Members of an object or items of an array; 0 for everything else. */
  readonly size: number
  /** The member of an object. Of duplicate keys the last one counts, as for `JSON.parse`. */
  get(key: string): JsonView | undefined
  /**
   * The members under several keys, in the order of the keys; as {@link get} for each of them, in one pass. The list is the next
   * answer's as well: it is taken apart at once.
   */
  pick(keys: Keys): readonly (JsonView | undefined)[]
  /** The item of an array at an index. */
  at(index: number): JsonView | undefined
  /** The items of an array, in order. */
  items(): Iterable<JsonView>
  /** The members of an object in the order of the text, duplicates included. */
  members(): Iterable<readonly [key: string, value: JsonView]>
  /** The decoded text of a string. */
  string(): string | undefined
  /** The first (or with a negative number the last) characters of a string, decoded; for looking at long texts cheaply. */
  peek(characters: number): string | undefined
  /** A part of a string, for walking through a long one; undefined where escapes or letters beyond ASCII stand in it anywhere, and all of it has to be decoded. */
  part(from: number, to: number): string | undefined
  /** Whether this is a string of nothing but white space (the empty one included). */
  isBlank(): boolean
  /** Whether this is a string that begins so. */
  startsWith(prefix: string): boolean
  /** Length of a string: UTF-8 bytes between the quotes as stored, or UTF-16 units over plain values. 0 for everything else. */
  readonly length: number
  /** `true`, `false` or undefined for everything else. */
  boolean(): boolean | undefined
  /** The value of a number, as `JSON.parse` would give it. */
  number(): number | undefined
  /** The plain value, as `JSON.parse` would give it. */
  value(): unknown
  /** The value as it stands, to be put elsewhere without a change to a byte of it. */
  verbatim(): Verbatim
}

/** A piece of JSON carried over exactly as it stands in the source: its text, or the very value in memory. */
export class Verbatim {
  readonly text: Uint8Array | undefined
  readonly value: unknown

  private constructor(text: Uint8Array | undefined, value: unknown) {
    this.text = text
    this.value = value
  }

  static ofText(text: Uint8Array): Verbatim {
    return new Verbatim(text, undefined)
  }

  static ofValue(value: unknown): Verbatim {
    return new Verbatim(undefined, value)
  }
}

/** JSON to be written: plain values, with pieces of the source carried over verbatim anywhere in them. */
export type Json =
  | null
  | boolean
  | number
  | string
  | Verbatim
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

/** Follows a path; undefined when it leads nowhere. */
export function lookup(view: JsonView, path: Path): JsonView | undefined {
  let at: JsonView | undefined = view
  for (const step of path) {
    if (!at) return undefined
    at = typeof step === 'string' ? at.get(step) : at.at(step)
  }
  return at
}

/** Keys that are asked for together, again and again: {@link JsonView.pick} finds them all in one pass over an object. */
export class Keys {
  readonly names: readonly string[]
  /** Where a pick leaves what it finds. */
  readonly found: (JsonView | undefined)[]
  readonly #bytes: readonly Uint8Array[]
  readonly #byLength: (readonly number[] | undefined)[] = []

  constructor(...names: string[]) {
    this.names = names
    this.#bytes = names.map((name) => Buffer.from(name))
    this.found = names.map(() => undefined)
    for (const [index, { length }] of this.#bytes.entries()) {
      this.#byLength[length] = [...(this.#byLength[length] ?? []), index]
    }
  }

  /** The index of the key that a range of bytes spells; -1 for none. */
  find(bytes: Uint8Array, from: number, to: number): number {
    const length = to - from
    const candidates = length < this.#byLength.length ? this.#byLength[length] : undefined
    if (candidates === undefined) return -1
    search: for (let i = 0; i < candidates.length; i++) {
      const key = this.#bytes[candidates[i]!]!
      for (let at = 0; at < length; at++) if (key[at] !== bytes[from + at]) continue search
      return candidates[i]!
    }
    return -1
  }
}

/** A path as JSON Pointer (RFC 6901). */
export function pointerOf(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
