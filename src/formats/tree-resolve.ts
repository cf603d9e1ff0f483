import type { Entry } from '../model/document.ts'
import { Links, NOWHERE } from '../model/links.ts'
import { NO_ID } from '../text/ids.ts'
import type { RecordEdit } from '../text/records.ts'
import type { LinkChanges } from './tree-format.ts'
import type { Item, TreePath } from './tree-path.ts'
import type { TreePlan } from './tree-plan.ts'

/** A record of the chain as it will be: a stored one that stays in its place, or one that is written. */
type Step = { readonly entry: Entry } | Written

/** A record that is written: a new one, or a stored one in another place. */
interface Written {
  readonly item: Item
  readonly id: string
  readonly parent: string | null
  readonly time: number | undefined
  /** Record behind which it is written. */
  after: number
}

/** Turns a round's plan into edits of records: whatever names a record that goes, moves or gets a neighbour is set right. */
export function resolveTree(plan: TreePlan): RecordEdit[] {
  return new Resolver(plan).edits()
}

class Resolver {
  readonly #plan: TreePlan
  readonly #links: Links
  readonly #breaks: ReadonlySet<Entry>
  /** Records that go from their place: removed, or written elsewhere. */
  readonly #absent = new Set<Entry>()
  /** What stands before them on the path, as it will be. */
  readonly #heirs = new Map<Entry, Entry | undefined>()
  /** New parents, by id; null makes a root. */
  readonly #parents = new Map<Entry, string | null>()
  readonly #written: Written[] = []
  readonly #inserted: LinkChanges['inserted'][number][] = []

  constructor(plan: TreePlan) {
    this.#plan = plan
    const { document } = plan
    this.#links = Links.of(document)
    this.#breaks = new Set(document.chain?.breaks.map((each) => each.entry))
    for (const entry of plan.dropped) this.#absent.add(entry)
    for (const entry of plan.removedBlocks.keys()) if (plan.goes(entry)) this.#absent.add(entry)
    for (const entry of plan.moved) this.#absent.add(entry)
  }

  edits(): RecordEdit[] {
    const { paths, isLinked } = this.#plan
    for (const path of paths) {
      if (path.gaps.size > 0 || path.entries.some((entry) => this.#absent.has(entry))) this.#resolvePath(path)
    }
    if (isLinked) {
      this.#resolveOthers()
      this.#stageLinks()
    }
    return this.#collect()
  }

  /** Walks a path as it will be and links each record to the one before it. */
  #resolvePath(path: TreePath): void {
    const { entries } = path
    let before: Step | undefined
    /** The stored record in front, as it will be. */
    let anchor: Entry | undefined
    const trail: Written[] = []
    for (let place = 0; place <= entries.length; place++) {
      const entry = entries[place]
      const items = path.gaps.get(place)
      if (items) {
        const next = this.#surviving(entries, place)
        const ids: string[] = []
        items.forEach((item, i) => {
          const id = this.#idOfItem(item, i === items.length - 1 ? entry : undefined)
          before = this.#write(item, id, before, anchor, next, entries[0])
          trail.push(before)
          ids.push(id)
        })
        if (anchor) this.#inserted.push({ after: anchor, ids, child: next })
      }
      if (!entry) break
      if (this.#absent.has(entry)) {
        this.#heirs.set(entry, anchor)
        continue
      }
      this.#link(entry, entries[place - 1], before)
      before = { entry }
      anchor = entry
      trail.length = 0
    }
    if (path === this.#plan.paths[0]) this.#keepLeafLast(path, trail)
  }

  #surviving(entries: readonly Entry[], from: number): Entry | undefined {
    for (let place = from; place < entries.length; place++) {
      if (!this.#absent.has(entries[place]!)) return entries[place]
    }
    return undefined
  }

  /** A new record that stands for a lost one gets the id by which the next record still names the lost one. */
  #idOfItem(item: Item, next: Entry | undefined): string {
    const { ids } = this.#plan.document
    if (item.kind === 'moved') return ids.text(item.entry.id)
    const isNamed = item.answers && next && this.#breaks.has(next) && this.#links.find(next.parent) === NOWHERE
    if (isNamed && !this.#absent.has(next) && !this.#plan.relinked.has(next)) return ids.text(next.parent)
    return this.#plan.newId(item.seed)
  }

  #write(
    item: Item,
    id: string,
    before: Step | undefined,
    anchor: Entry | undefined,
    next: Entry | undefined,
    root: Entry | undefined,
  ): Written {
    const { document } = this.#plan
    const parent = before
      ? this.#idOfStep(before)
      : root && root.parent !== NO_ID
        ? document.ids.text(root.parent)
        : null
    const after = anchor ? anchor.record : this.#recordBefore(root)
    const time = item.kind === 'new' ? this.#timeBetween(before, next) : undefined
    if (item.kind === 'moved' && parent !== document.ids.text(item.entry.parent)) this.#parents.set(item.entry, parent)
    const written: Written = { item, id, parent, time, after }
    this.#written.push(written)
    return written
  }

  #timeBetween(before: Step | undefined, next: Entry | undefined): number | undefined {
    const earlier = before && ('entry' in before ? this.#timeOf(before.entry) : this.#timeOfWritten(before))
    const later = this.#timeOf(next)
    if (earlier === undefined) return later
    return later === undefined ? earlier + 1 : Math.min(earlier + 1, later)
  }

  #timeOfWritten({ item, time }: Written): number | undefined {
    return item.kind === 'moved' ? this.#timeOf(item.entry) : time
  }

  #timeOf(entry: Entry | undefined): number | undefined {
    const view = entry && this.#plan.document.records.view(entry.record)
    return view && this.#plan.format.timeOf(view)
  }

  #link(entry: Entry, stored: Entry | undefined, before: Step | undefined): void {
    const { isLinked, relinked, format, document } = this.#plan
    if (!isLinked || relinked.has(entry) || (before && 'entry' in before && before.entry === stored)) return
    if (!before) {
      if (!stored) return
      // All that stood before it went: it begins where that began.
      const root =
        this.#heirs.size > 0 ? this.#plan.paths.find((each) => each.placeOf(entry) !== undefined)!.entries[0]! : stored
      const behind = format.behind?.(root, document)
      this.#parents.set(entry, behind ? this.#idOf(behind) : document.ids.text(root.parent) || null)
      return
    }
    const parent = this.#links.entry(entry.parent)
    // The client reads this link into the records (what a compaction keeps): it is stored elsewhere.
    if (stored && parent && parent !== stored && !this.#breaks.has(entry) && !this.#absent.has(parent)) return
    const id = this.#idOfStep(before)
    if (id !== document.ids.text(entry.parent)) this.#parents.set(entry, id)
  }

  #recordBefore(entry: Entry | undefined): number {
    const order = this.#plan.document.records.order()
    for (let i = 0; i < order.length; i++) if (order[i] === entry?.record) return i === 0 ? -1 : order[i - 1]!
    return -1
  }

  /** The order of the file tells where the conversation ends: what becomes its end has to stand behind other branches. */
  #keepLeafLast(path: TreePath, trail: readonly Written[]): void {
    const { format, document, isLinked } = this.#plan
    const leaf = document.chain?.leaf
    if (!isLinked || !leaf || !this.#absent.has(leaf)) return
    const last = this.#lastLoaded(path)
    const from = last ? this.#links.placeOf(last) : NOWHERE
    for (let place = this.#links.count - 1; place > from; place--) {
      const other = this.#links.list[place]!
      if (!format.mayLead(other) || this.#absent.has(other)) continue
      if (trail.length > 0) for (const written of trail) written.after = other.record
      else if (last) {
        const item: Item = { kind: 'moved', entry: last }
        this.#written.push({ item, id: '', parent: null, time: undefined, after: other.record })
      }
      return
    }
  }

  /**
   * The record that leads to all that is still loaded: the last one of the path, unless later messages are loaded from beside
   * it, as those of parallel calls are.
   */
  #lastLoaded(path: TreePath): Entry | undefined {
    const { format, document } = this.#plan
    const stays = (entry: Entry): boolean => !this.#absent.has(entry) && format.mayLead(entry)
    const last = path.entries.findLast(stays)
    if (!last) return undefined
    for (const { entries } of document.conversations[0]!.messages.toReversed()) {
      if (entries.includes(last)) return last
      const beside = entries.findLast((entry) => stays(entry) && path.placeOf(entry) === undefined)
      if (beside) return beside
      if (entries.some((entry) => path.placeOf(entry) !== undefined && stays(entry))) return last
    }
    return last
  }

  /** Records that were given another parent by name, and those that hang on a record which is gone, moved or renamed. */
  #resolveOthers(): void {
    const { relinked, document, renamed } = this.#plan
    for (const [entry, parent] of relinked) {
      const heir = parent && this.#heirOf(parent)
      const id = heir ? this.#idOf(heir) : null
      if (id !== (document.ids.text(entry.parent) || null)) this.#parents.set(entry, id)
    }
    if (this.#absent.size === 0 && renamed.size === 0) return
    for (const entry of this.#links.list) {
      if (entry.parent === NO_ID || this.#absent.has(entry) || this.#parents.has(entry) || relinked.has(entry)) continue
      const parent = this.#meant(entry)
      if (!parent) continue
      if (renamed.has(parent)) this.#parents.set(entry, this.#idOf(parent))
      else if (this.#absent.has(parent)) {
        const heir = this.#heirOf(parent)
        this.#parents.set(entry, heir ? this.#idOf(heir) : null)
      }
    }
  }

  /**
   * The record that an entry names as its parent; of several with one id, where one gets another id, the nearest before it that it may
   * follow.
   */
  #meant(entry: Entry): Entry | undefined {
    const { renamed, format } = this.#plan
    if (renamed.size === 0) return this.#links.entry(entry.parent)
    const { list } = this.#links
    const copies: number[] = []
    for (let copy = this.#links.find(entry.parent); copy !== NOWHERE; copy = this.#links.copyBefore(copy))
      copies.push(copy)
    const alike = copies.filter((copy) => format.mayFollow?.(entry, list[copy]!) ?? true)
    const meant = alike.length > 0 ? alike : copies
    // A record is never its own parent: one that hangs on its own id means the earlier record of it.
    const place = this.#links.placeOf(entry)
    return list[meant.find((copy) => copy < place) ?? meant.find((copy) => copy !== place) ?? NOWHERE]
  }

  /** The record that takes the place of one which is not where it was. */
  #heirOf(entry: Entry): Entry | undefined {
    const { format, document } = this.#plan
    const passed = new Set<Entry>()
    let at: Entry | undefined = entry
    while (at && this.#absent.has(at)) {
      if (passed.has(at)) return undefined
      passed.add(at)
      const heir: Entry | undefined = this.#heirs.get(at)
      at = heir ?? (at.parent === NO_ID ? format.behind?.(at, document) : this.#links.entry(at.parent))
    }
    return at
  }

  #idOf(entry: Entry): string {
    return this.#plan.renamed.get(entry) ?? this.#plan.document.ids.text(entry.id)
  }

  #idOfStep(step: Step): string {
    return 'entry' in step ? this.#idOf(step.entry) : step.id
  }

  #stageLinks(): void {
    const { batch, format, document, renamed, moved } = this.#plan
    for (const [entry, parent] of this.#parents) {
      batch.stage(entry.record, { op: 'set', path: [format.parentKey], value: parent })
    }
    for (const [entry, id] of renamed) batch.stage(entry.record, { op: 'set', path: [format.idKey], value: id })
    const gone = new Map<Entry, Entry | undefined>()
    for (const entry of this.#absent) if (!moved.has(entry)) gone.set(entry, this.#heirOf(entry))
    const changes = { gone, moved, renamed, inserted: this.#inserted, idOf: (entry: Entry) => this.#idOf(entry) }
    for (const { record, change } of format.references?.(document, changes) ?? []) batch.stage(record, change)
    batch.keep()
  }

  #collect(): RecordEdit[] {
    const { batch, document, format } = this.#plan
    const away = new Set<number>()
    for (const entry of this.#absent) away.add(entry.record)
    for (const { item } of this.#written) if (item.kind === 'moved') away.add(item.entry.record)
    const edits = batch.edits(away)
    for (const { item, id, parent, time, after } of this.#written) {
      if (item.kind === 'moved') {
        const value = batch.written(item.entry.record)
        if (value !== undefined) edits.push({ edit: 'insert', after, value })
        continue
      }
      const like = document.records.view(item.like.record)
      const answers = item.answers && this.#idOf(item.answers)
      const part = { message: item.message, role: item.role, id, parent, time, answers }
      if (like) edits.push({ edit: 'insert', after, value: format.build({ ...part, like }) })
    }
    for (const record of away) edits.push({ edit: 'remove', record })
    return edits
  }
}
