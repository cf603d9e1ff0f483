import type { Json, JsonView, Path } from './view.ts'
import { Verbatim } from './view.ts'

/** A change inside one JSON value. Indices count the items as they stood before any change of the same batch. */
export type JsonChange =
  /** Objects on the way that are absent or null are made. */
  | { readonly op: 'set'; readonly path: Path; readonly value: Json }
  | { readonly op: 'remove'; readonly path: Path }
  | { readonly op: 'insert'; readonly path: Path; readonly index: number; readonly value: Json }

/** What is to happen at one place of the value, and below it. */
class Node {
  replaced: { readonly value: Json } | undefined
  removed = false
  readonly children = new Map<string | number, Node>()
  readonly inserted: { readonly index: number; readonly value: Json }[] = []

  get isTouched(): boolean {
    return this.replaced !== undefined || this.removed
  }

  /** What comes to stand at a place that was empty: the value, or an object for the values that are set below it. */
  get made(): Json | undefined {
    if (this.replaced) return this.replaced.value
    const members: [string, Json][] = []
    for (const [key, child] of this.children) {
      const value = typeof key === 'string' ? child.made : undefined
      if (typeof key === 'string' && value !== undefined) members.push([key, value])
    }
    return members.length > 0 ? Object.fromEntries(members) : undefined
  }
}

/**
 * A batch of changes to one JSON value, all meant for the value as it stood at first. Changes that contradict each other
 * (two values for one place, an item of a list that goes) are refused, so that the caller can try them in a later round.
 */
export class JsonEdits {
  readonly #root = new Node()

  /** Whether the change can be done beside those that were added before. */
  accepts(change: JsonChange): boolean {
    let node: Node | undefined = this.#root
    for (const step of change.path) {
      if (node.isTouched) return false
      node = node.children.get(step)
      if (!node) return true
    }
    if (node.isTouched) return false
    return change.op === 'insert' || (node.children.size === 0 && node.inserted.length === 0)
  }

  add(change: JsonChange): void {
    let node = this.#root
    for (const step of change.path) {
      let child = node.children.get(step)
      if (!child) node.children.set(step, (child = new Node()))
      node = child
    }
    if (change.op === 'insert') node.inserted.push({ index: change.index, value: change.value })
    else if (change.op === 'remove') node.removed = true
    else node.replaced = { value: change.value }
  }

  /** The text of the value with the changes made. Every byte that no change touches is the byte that stood there. */
  toText(view: JsonView, bytes: Uint8Array): Uint8Array {
    const out: Uint8Array[] = []
    writeNode(this.#root, view, bytes, out)
    return Buffer.concat(out)
  }

  /** The plain value with the changes made; what no change touches is the very object that stood there. */
  toValue(value: unknown): unknown {
    return editValue(this.#root, value)
  }
}

/** Whether a change finds in a value what it needs: a list to insert into, an object (or a place for one) to set a key in. */
export function fits(view: JsonView, { op, path }: JsonChange): boolean {
  let at: JsonView | undefined = view
  for (const [i, step] of path.entries()) {
    if (typeof step === 'number') {
      if (at.kind !== 'array') return false
      at = at.at(step)
      if (!at) return false
      continue
    }
    const next: JsonView | undefined = at.kind === 'object' ? at.get(step) : undefined
    if (!next) return op === 'set' && isRoom(at) && path.slice(i).every((each) => typeof each === 'string')
    at = next
  }
  return op !== 'insert' || at.kind === 'array'
}

const isRoom = ({ kind }: JsonView): boolean => kind === 'object' || kind === 'null'

function writeNode(node: Node, view: JsonView, bytes: Uint8Array, out: Uint8Array[]): void {
  if (node.replaced) out.push(toText(node.replaced.value))
  else if (view.kind === 'object') writeObject(node, view, bytes, out)
  else if (view.kind === 'array') writeArray(node, view, bytes, out)
  else {
    const made = view.kind === 'null' ? node.made : undefined
    out.push(made === undefined ? bytes.subarray(view.start, view.end) : toText(made))
  }
}

/** A child of a container as it will be written: an original one knows the text that stood before it. */
interface Child {
  /** The text between the child before it and this one; undefined for what is new and for the first one. */
  readonly separator?: Uint8Array | undefined
  readonly write: (out: Uint8Array[]) => void
}

function writeArray(node: Node, view: JsonView, bytes: Uint8Array, out: Uint8Array[]): void {
  if (node.children.size === 0 && node.inserted.length === 0) {
    out.push(bytes.subarray(view.start, view.end))
    return
  }
  const kept: Child[] = []
  const insert = (belongs: (index: number) => boolean): void => {
    for (const { index, value } of node.inserted) {
      if (belongs(index)) kept.push({ write: (to) => to.push(toText(value)) })
    }
  }
  const style = new Style(view, bytes)
  let index = 0
  for (const item of view.items()) {
    const here = index++
    const child = node.children.get(here)
    const separator = style.next(item.start, item.end)
    insert((at) => at === here)
    if (child?.removed) continue
    kept.push({
      separator,
      write: (to) => (child ? writeNode(child, item, bytes, to) : to.push(bytes.subarray(item.start, item.end))),
    })
  }
  insert((at) => at >= index)
  style.write(kept, out)
}

function writeObject(node: Node, view: JsonView, bytes: Uint8Array, out: Uint8Array[]): void {
  if (node.children.size === 0) {
    out.push(bytes.subarray(view.start, view.end))
    return
  }
  const last = new Map<string, number>()
  let count = 0
  for (const [key] of view.members()) last.set(key, count++)
  const kept: Child[] = []
  const style = new Style(view, bytes)
  let at = 0
  let colon: Uint8Array = Buffer.from(':')
  let previous = view.start + 1
  for (const [key, value] of view.members()) {
    const child = node.children.get(key)
    // Only white space and a comma stand between a value and the next key.
    const keyStart = bytes.indexOf(0x22, previous)
    previous = value.end
    const separator = style.next(keyStart, value.end)
    const here = at++
    if (here === 0) colon = bytes.subarray(bytes.lastIndexOf(0x3a, value.start - 1), value.start)
    // Of duplicate keys the last one counts: that one is changed; all of them go when the member goes.
    const changed = child && last.get(key) === here ? child : undefined
    if (child?.removed) continue
    kept.push({
      separator,
      write: (to) => {
        to.push(bytes.subarray(keyStart, value.start))
        if (changed) writeNode(changed, value, bytes, to)
        else to.push(bytes.subarray(value.start, value.end))
      },
    })
  }
  for (const [key, { made }] of node.children) {
    if (last.has(String(key)) || made === undefined) continue
    kept.push({ write: (to) => to.push(Buffer.from(JSON.stringify(key)), colon, toText(made)) })
  }
  style.write(kept, out)
}

/** Separates the children of a container as its own children are separated. */
class Style {
  readonly #view: JsonView
  readonly #bytes: Uint8Array
  #open: Uint8Array | undefined
  #between: Uint8Array | undefined
  #end: number

  constructor(view: JsonView, bytes: Uint8Array) {
    this.#view = view
    this.#bytes = bytes
    this.#end = view.start + 1
  }

  /** Takes the next original child; answers with the text that stood before it, except for the first one. */
  next(start: number, end: number): Uint8Array | undefined {
    const gap = this.#bytes.subarray(this.#end, start)
    this.#end = end
    if (!this.#open) {
      this.#open = gap
      return undefined
    }
    this.#between ??= gap
    return gap
  }

  write(kept: readonly Child[], out: Uint8Array[]): void {
    const { start, end } = this.#view
    const open = this.#open ?? NOTHING
    const between = this.#between ?? Buffer.concat([COMMA, open])
    out.push(this.#bytes.subarray(start, start + 1))
    kept.forEach((child, i) => {
      out.push(i === 0 ? open : (child.separator ?? between))
      child.write(out)
    })
    out.push(this.#bytes.subarray(kept.length > 0 ? this.#end : end - 1, end))
  }
}

const NOTHING = new Uint8Array(0)
const COMMA = Buffer.from(',')

/** Compact JSON text of a value, pieces of the source in it as they stand. */
export function toText(json: Json): Uint8Array {
  const parts: Uint8Array[] = []
  let pending = ''
  const flush = (): void => {
    if (pending) parts.push(Buffer.from(pending))
    pending = ''
  }
  const write = (value: Json): void => {
    if (value instanceof Verbatim) {
      if (value.text) {
        flush()
        parts.push(value.text)
      } else pending += JSON.stringify(value.value) ?? 'null'
    } else if (Array.isArray(value)) {
      pending += '['
      value.forEach((each, i) => {
        if (i > 0) pending += ','
        write(each as Json)
      })
      pending += ']'
    } else if (value !== null && typeof value === 'object') {
      pending += '{'
      let first = true
      for (const [key, each] of Object.entries(value)) {
        if (each === undefined) continue
        pending += `${first ? '' : ','}${JSON.stringify(key)}:`
        first = false
        write(each)
      }
      pending += '}'
    } else pending += JSON.stringify(value)
  }
  write(json)
  flush()
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}

/** The plain value, pieces of the source in it as the very objects that stood there. */
export function toPlain(json: Json): unknown {
  if (json instanceof Verbatim) return json.text ? JSON.parse(Buffer.from(json.text).toString('utf8')) : json.value
  if (Array.isArray(json)) return json.map(toPlain)
  if (json === null || typeof json !== 'object') return json
  const plain: Record<string, unknown> = {}
  for (const [key, each] of Object.entries(json)) if (each !== undefined) define(plain, key, toPlain(each))
  return plain
}

function editValue(node: Node, value: unknown): unknown {
  if (node.replaced) return toPlain(node.replaced.value)
  if (Array.isArray(value)) {
    if (node.children.size === 0 && node.inserted.length === 0) return value
    const out: unknown[] = []
    const before = (index: number): void => {
      for (const each of node.inserted) if (each.index === index) out.push(toPlain(each.value))
    }
    value.forEach((each, i) => {
      before(i)
      const child = node.children.get(i)
      if (!child) out.push(each)
      else if (!child.removed) out.push(editValue(child, each))
    })
    for (const each of node.inserted) if (each.index >= value.length) out.push(toPlain(each.value))
    return out
  }
  if (value === null && node.made !== undefined) return toPlain(node.made)
  if (value === null || typeof value !== 'object' || node.children.size === 0) return value
  const out: Record<string, unknown> = {}
  for (const [key, each] of Object.entries(value)) {
    const child = node.children.get(key)
    if (!child) define(out, key, each)
    else if (!child.removed) define(out, key, editValue(child, each))
  }
  for (const [key, { made }] of node.children) {
    if (made !== undefined && !Object.hasOwn(value, key)) define(out, String(key), toPlain(made))
  }
  return out
}

/** Sets a key as JSON.parse does: `__proto__` becomes an ordinary key. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else object[key] = value
}
