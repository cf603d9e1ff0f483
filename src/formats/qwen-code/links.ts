import type { Document, Entry } from '../../model/document.ts'
import { type Id, NO_ID } from '../../text/ids.ts'
import type { Json } from '../../text/view.ts'
import { Children } from './children.ts'
import { isLink, type TornFacts } from './records.ts'

/** A uuid of the chain: a record, the fragments of one, or a record that is yet to be written. */
export interface Node {
  readonly id: Id
  parent: Id
  /** Records with this uuid, in the order of the file. */
  entries: Entry[]
  /** Of an invented node: its record, once its parent is settled. */
  readonly write?: ((parent: string | null) => Json) | undefined
  readonly isOnPath: boolean
}

/** What has to be written for the links to be as they were left. */
export interface LinkResult {
  readonly uuids: readonly {
    readonly entry: Entry
    readonly key: 'uuid' | 'parentUuid'
    readonly value: string | null
  }[]
  readonly removed: readonly Entry[]
  /** Behind a record (-1: before all); those behind one record in order. */
  readonly inserted: readonly { readonly after: number; readonly value: Json }[]
  /** A record that has to become the last one of the file, behind the record `after`: the client takes the last one for the leaf. */
  readonly last: { readonly entry: Entry; readonly after: number } | undefined
}

/**
 * The links of a file while they are changed in one round. Records may be taken out, put in and moved without a thought for
 * the others: what hung on them is linked anew, and the leaf stays the one that is meant. Changes can be taken back.
 */
export class LinkEdits {
  readonly #document: Document
  /** Made when it is first asked for: most rounds only change things inside records. */
  #known: Map<Id, Node> | undefined
  readonly #children = new Children()
  readonly #changed = new Set<Node>()
  readonly #removed = new Set<Entry>()
  readonly #invented = new Set<Node>()
  readonly #renamed = new Map<Entry, Id>()
  #places: Map<number, number> | undefined
  #leaf: Node | undefined
  #undo: (() => void)[] = []

  constructor(document: Document) {
    this.#document = document
  }

  get #nodes(): Map<Id, Node> {
    if (this.#known) return this.#known
    const nodes = new Map<Id, Node>()
    for (const entry of this.#document.entries()) {
      if (entry.id === NO_ID) continue
      const { id, parent, onPath: isOnPath } = entry
      if (entry.kind === 'bookkeeping') {
        // It hangs on the chain, but nothing is reached through it.
        this.#children.add(parent, { id, parent, entries: [entry], isOnPath: false })
        continue
      }
      const known = nodes.get(id)
      if (!known) nodes.set(id, { id, parent, entries: [entry], isOnPath })
      // What a whole record says of its parent goes before what a torn one with the same uuid still says.
      else if (known.entries[0]!.kind === 'damaged')
        nodes.set(id, { id, parent, entries: [...known.entries, entry], isOnPath })
      else known.entries.push(entry)
    }
    for (const node of nodes.values()) this.#children.add(node.parent, node)
    const leaf = this.#document.chain?.leaf
    this.#leaf = leaf && nodes.get(leaf.id)
    this.#known = nodes
    return nodes
  }

  /** From here on changes are taken back by {@link rollBack}. */
  begin(): void {
    this.#undo = []
  }

  rollBack(): void {
    for (const undo of this.#undo.reverse()) undo()
    this.#undo = []
  }

  node(id: Id): Node | undefined {
    return this.#nodes.get(id)
  }

  /** The node of an id, or the nearest one before it that is not taken out. */
  standing(id: Id): Node | undefined {
    const passed = new Set<Node>()
    let node = this.#nodes.get(id)
    // Records that are gone may have named each other as parents.
    while (node && !node.write && node.entries.length === 0 && !passed.has(node)) {
      passed.add(node)
      node = this.#nodes.get(node.parent)
    }
    return node && passed.has(node) ? undefined : node
  }

  isRemoved(entry: Entry): boolean {
    return this.#removed.has(entry)
  }

  isTaken(uuid: string): boolean {
    return this.#nodes.has(this.#document.ids.add(uuid))
  }

  /** The node that follows on the path. */
  next(node: Node): Node | undefined {
    for (const child of this.#children.of(node.id)) if (child.isOnPath) return child
    return undefined
  }

  /** Hangs a node on another one; 0 makes it the root. */
  link(node: Node, parent: Id): void {
    const before = node.parent
    if (before === parent) return
    this.#hang(node, parent)
    this.#undo.push(() => this.#hang(node, before))
  }

  /** Takes a record out; with the last record of its uuid the node goes, and what hung on it hangs on its parent. */
  remove(entry: Entry): boolean {
    const node = this.#nodes.get(this.#renamed.get(entry) ?? entry.id)
    if (this.#removed.has(entry) || !(node || entry.kind === 'bookkeeping')) return false
    this.#removed.add(entry)
    this.#undo.push(() => this.#removed.delete(entry))
    if (!node || entry.kind === 'bookkeeping') return true
    const { entries } = node
    node.entries = entries.filter((each) => each !== entry)
    this.#undo.push(() => {
      node.entries = entries
    })
    if (node.entries.length > 0) return true
    // What hung on a torn record that says nothing of its parent is linked anew when the break in the chain is mended.
    const isLost = entry.kind === 'damaged' && node.parent === NO_ID && !(entry.more as TornFacts).isRoot
    if (!isLost) this.#unhook(node)
    this.#children.delete(node.parent, node)
    this.#undo.push(() => this.#children.add(node.parent, node))
    return true
  }

  /** Takes a record out that only repeats another one; the file then ends with what it ended with before. */
  removeCopy(entry: Entry): boolean {
    const wasLast = this.#lastRecord() === entry.record
    if (!this.remove(entry)) return false
    const [last] = wasLast ? this.#document.entriesOf(this.#lastRecord()) : []
    if (last) this.#setLeaf(this.#nodes.get(last.id))
    return true
  }

  /** Puts a new record behind a node, or as the root before another one; what follows on the path then hangs on it. */
  insert(
    uuid: string,
    after: Node | undefined,
    before: Node | undefined,
    write: (parent: string | null) => Json,
  ): Node {
    const id = this.#document.ids.add(uuid)
    const node: Node = { id, parent: after?.id ?? NO_ID, entries: [], write, isOnPath: true }
    const next = before ?? (after && this.next(after))
    this.#nodes.set(id, node)
    this.#children.add(node.parent, node)
    this.#invented.add(node)
    this.#undo.push(() => {
      this.#nodes.delete(id)
      this.#children.delete(node.parent, node)
      this.#invented.delete(node)
    })
    this.#hook(node, after, next)
    return node
  }

  /** Moves a node behind another one. */
  move(node: Node, after: Node): void {
    if (node === after || node.parent === after.id) return
    this.#unhook(node)
    const next = this.next(after)
    this.link(node, after.id)
    this.#hook(node, after, next)
  }

  /** Gives a record an id of its own; what stands behind it in the file and hung on the old id then hangs on the new one. */
  rename(entry: Entry, uuid: string): void {
    const id = this.#document.ids.add(uuid)
    const old = this.#nodes.get(entry.id)!
    const node: Node = { id, parent: entry.parent, entries: [entry], isOnPath: entry.onPath }
    const { entries } = old
    old.entries = entries.filter((each) => each !== entry)
    this.#nodes.set(id, node)
    this.#children.add(node.parent, node)
    this.#renamed.set(entry, id)
    this.#undo.push(() => {
      old.entries = entries
      this.#nodes.delete(id)
      this.#children.delete(node.parent, node)
      this.#renamed.delete(entry)
    })
    const place = this.#placeOf(entry.record)
    for (const child of [...this.#children.of(old.id)]) {
      const first = child.entries[0]
      if (child !== node && first && this.#placeOf(first.record) > place) this.link(child, id)
    }
    if (this.#lastRecord() === entry.record) this.#setLeaf(node)
  }

  result(): LinkResult {
    if (!this.#known) return { uuids: [], removed: [], inserted: [], last: undefined }
    const { ids } = this.#document
    const text = (id: Id): string | null => (id === NO_ID ? null : ids.text(id))
    const uuids: LinkResult['uuids'][number][] = []
    for (const [entry, id] of this.#renamed) uuids.push({ entry, key: 'uuid', value: text(id) })
    for (const node of this.#changed) {
      for (const entry of node.entries) {
        if (entry.parent !== node.parent && !this.#removed.has(entry))
          uuids.push({ entry, key: 'parentUuid', value: text(node.parent) })
      }
    }
    const final = this.#lastRecord()
    const inserted: LinkResult['inserted'][number][] = []
    const places = new Map<Node, number>()
    const atEnd = new Set<Node>()
    for (let node = this.#leaf; node?.write; node = this.#nodes.get(node.parent)) atEnd.add(node)
    const emit = (node: Node): number => {
      const known = places.get(node)
      if (known !== undefined) return known
      const parent = this.#nodes.get(node.parent)
      const beside = parent?.write ? emit(parent) : this.#recordBehind(node, parent)
      const after = atEnd.has(node) ? final : beside
      places.set(node, after)
      inserted.push({ after, value: node.write!(text(node.parent)) })
      return after
    }
    for (const node of this.#invented) emit(node)
    const end = this.#leaf?.entries.at(-1)
    const last = end && end.record !== final ? { entry: end, after: final } : undefined
    return { uuids, removed: [...this.#removed], inserted, last }
  }

  /** The record behind which an invented one is to be written: its parent's, or as the root the one before its successor's. */
  #recordBehind(node: Node, parent: Node | undefined): number {
    const own = parent?.entries.at(-1)
    if (own) return own.record
    const next = this.next(node)?.entries[0]
    const order = this.#document.records.order()
    return next ? (order[this.#placeOf(next.record) - 1] ?? -1) : this.#lastRecord()
  }

  #hook(node: Node, after: Node | undefined, next: Node | undefined): void {
    if (next && next !== node) this.link(next, node.id)
    else if (after === this.#leaf) this.#setLeaf(node)
  }

  #unhook(node: Node): void {
    for (const child of [...this.#children.of(node.id)]) this.link(child, node.parent)
    if (node === this.#leaf) this.#setLeaf(this.#nodes.get(node.parent))
  }

  #setLeaf(leaf: Node | undefined): void {
    const before = this.#leaf
    this.#leaf = leaf
    this.#undo.push(() => {
      this.#leaf = before
    })
  }

  #hang(node: Node, parent: Id): void {
    this.#children.delete(node.parent, node)
    this.#children.add(parent, node)
    node.parent = parent
    this.#changed.add(node)
  }

  #placeOf(record: number): number {
    if (!this.#places) {
      this.#places = new Map()
      const order = this.#document.records.order()
      for (let i = 0; i < order.length; i++) this.#places.set(order[i]!, i)
    }
    return this.#places.get(record) ?? -1
  }

  /** The last record of the file that is left and can be its leaf; -1 when there is none. */
  #lastRecord(): number {
    const order = this.#document.records.order()
    for (let i = order.length - 1; i >= 0; i--) {
      const [entry] = this.#document.entriesOf(order[i]!)
      if (entry && isLink(entry) && !this.#removed.has(entry)) return order[i]!
    }
    return -1
  }
}
