import { type JsonKind, type JsonView, type Keys, Verbatim } from './view.ts'

/**
 * A view over a plain value in memory, as `JSON.stringify` would write it: members without a JSON value are left out, items
 * without one are null. What has no plain form (a bigint, a symbol, an object with `toJSON`) is null too and never throws.
 */
export class ValueView implements JsonView {
  readonly kind: JsonKind
  readonly #value: unknown

  constructor(value: unknown) {
    this.#value = value
    this.kind = kindOf(value)
  }

  get start(): number {
    return -1
  }

  get end(): number {
    return -1
  }

  get size(): number {
    if (this.kind === 'array') return (this.#value as unknown[]).length
    return this.kind === 'object' ? this.#keys().length : 0
  }

  get(key: string): ValueView | undefined {
    if (this.kind !== 'object' || !Object.hasOwn(this.#value as object, key)) return undefined
    const value = read(this.#value, key)
    return isAbsent(value) ? undefined : new ValueView(value)
  }

  at(index: number): ValueView | undefined {
    const array = this.kind === 'array' ? (this.#value as unknown[]) : []
    return index >= 0 && index < array.length ? new ValueView(array[index]) : undefined
  }

  *items(): IterableIterator<ValueView> {
    if (this.kind !== 'array') return
    const array = this.#value as unknown[]
    for (let i = 0; i < array.length; i++) yield new ValueView(array[i])
  }

  *members(): IterableIterator<readonly [key: string, value: ValueView]> {
    if (this.kind !== 'object') return
    for (const key of this.#keys()) yield [key, new ValueView(read(this.#value, key))]
  }

  string(): string | undefined {
    return this.kind === 'string' ? (this.#value as string) : undefined
  }

  peek(characters: number): string | undefined {
    const text = this.string()
    return characters >= 0 ? text?.slice(0, characters) : text?.slice(characters)
  }

  part(from: number, to: number): string | undefined {
    return this.string()?.slice(from, to)
  }

  isBlank(): boolean {
    return this.kind === 'string' && !/\S/.test(this.#value as string)
  }

  startsWith(prefix: string): boolean {
    return this.kind === 'string' && (this.#value as string).startsWith(prefix)
  }

  pick(keys: Keys): readonly (ValueView | undefined)[] {
    return keys.names.map((name) => this.get(name))
  }

  get length(): number {
    return this.kind === 'string' ? (this.#value as string).length : 0
  }

  boolean(): boolean | undefined {
    return this.kind === 'boolean' ? (this.#value as boolean) : undefined
  }

  number(): number | undefined {
    return this.kind === 'number' ? (this.#value as number) : undefined
  }

  /** A copy, so that the original can be changed by nobody who gets it. */
  value(): unknown {
    return copy(this)
  }

  verbatim(): Verbatim {
    return Verbatim.ofValue(this.#value)
  }

  /** The object or array under the view. */
  get identity(): unknown {
    return this.#value
  }

  #keys(): string[] {
    return Object.keys(this.#value as object).filter((key) => !isAbsent(read(this.#value, key)))
  }
}

function kindOf(value: unknown): JsonKind {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'boolean'
    case 'number':
      return Number.isFinite(value) ? 'number' : 'null'
    case 'object':
      if (value === null || typeof read(value, 'toJSON') === 'function') return 'null'
      return Array.isArray(value) ? 'array' : 'object'
    default:
      return 'null'
  }
}

/** What `JSON.stringify` leaves out of an object. */
function isAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol'
}

function read(object: unknown, key: string): unknown {
  try {
    return (object as Record<string, unknown>)[key]
  } catch {
    return null // a getter that throws
  }
}

interface Frame {
  readonly of: unknown
  readonly target: unknown[] | Record<string, unknown>
  readonly rest: Iterator<readonly [string | number, ValueView]>
}

/** Copies without recursion; a reference back to a container around it becomes null. */
function copy(root: ValueView): unknown {
  const top: unknown[] = []
  const frames: Frame[] = []
  const around = new Set<unknown>()
  const put = (target: unknown[] | Record<string, unknown>, key: string | number, view: ValueView): void => {
    let value: unknown
    if (view.kind === 'array' || view.kind === 'object') {
      if (around.has(view.identity)) value = null
      else {
        const made: unknown[] | Record<string, unknown> = view.kind === 'array' ? [] : {}
        const rest = view.kind === 'array' ? numbered(view) : view.members()
        around.add(view.identity)
        frames.push({ of: view.identity, target: made, rest })
        value = made
      }
    } else value = view.string() ?? view.number() ?? view.boolean() ?? null
    // Not an assignment: `__proto__` has to become a member like any other.
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
  }
  put(top, 0, root)
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const next = frame.rest.next()
    if (next.done) {
      around.delete(frame.of)
      frames.pop()
    } else put(frame.target, next.value[0], next.value[1])
  }
  return top[0]
}

function* numbered(view: ValueView): IterableIterator<readonly [number, ValueView]> {
  let index = 0
  for (const item of view.items()) yield [index++, item]
}
