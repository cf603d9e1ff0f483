import { type Block, Flag } from '../model/blocks.ts'
import type { Document, Entry, Message } from '../model/document.ts'
import type { Operation } from '../model/finding.ts'
import type { JsonChange } from '../text/edit.ts'
import type { RecordEdit } from '../text/records.ts'
import type { Json } from '../text/view.ts'
import { MessageEditor } from './message-editor.ts'
import type { TreeFormat } from './tree-format.ts'
import { isResults, type TreePath } from './tree-path.ts'
import { TreePlan } from './tree-plan.ts'
import { resolveTree } from './tree-resolve.ts'

/** Edits transcripts whose records are linked to each other: the links of what is touched stay whole. */
export class TreeEditor extends MessageEditor {
  readonly #plan: TreePlan
  #messages: Map<Entry, Message> | undefined

  constructor(document: Document, format: TreeFormat) {
    const plan = new TreePlan(document, format)
    super(document, format.dialect, plan.batch)
    this.#plan = plan
  }

  edits(): RecordEdit[] {
    return resolveTree(this.#plan)
  }

  protected override plan(operation: Operation): boolean {
    const plan = this.#plan
    const { ids } = plan.document
    switch (operation.do) {
      case 'answer': {
        const { call, text } = operation
        const result = this.dialect.result({ id: ids.text(call.id), name: ids.text(call.name) }, text)
        return this.#putResult(call, result)
      }
      case 'move-result':
        return this.#moveResult(operation.result, operation.call)
      case 'results-first':
        return this.#resultsFirst(operation.message)
      case 'fold':
        return this.#fold(operation.from, operation.into)
      case 'insert-message':
        return this.#insertMessage(operation.before, operation.role, operation.text)
      case 'relink': {
        const { entry, parent } = operation
        if (plan.relinked.has(entry) || plan.goes(entry) || plan.moved.has(entry)) return false
        this.later(() => plan.relinked.set(entry, parent))
        return true
      }
      case 're-id': {
        const { entry } = operation
        if (plan.renamed.has(entry) || plan.goes(entry)) return false
        this.later(() => plan.renamed.set(entry, plan.newId(`${ids.text(entry.id)}\n${entry.record}`)))
        return true
      }
      default:
        return super.plan(operation)
    }
  }

  protected isGone(entry: Entry): boolean {
    return this.#plan.goes(entry)
  }

  /** When it was said stays. */
  protected asUser(entry: Entry, text: string): boolean {
    const message = this.dialect.message('user', [this.dialect.text(text)])
    const time = this.message(entry)?.get('timestamp')?.verbatim()
    const value = time === undefined ? message : { ...(message as { readonly [key: string]: Json }), timestamp: time }
    return this.change(entry, { op: 'set', path: [], value })
  }

  /** Whether the record alone leads to others of its message, which lie beside the path: they would go with it. */
  #holdsOthers(entry: Entry): boolean {
    if (!this.#messages) {
      this.#messages = new Map()
      for (const { messages } of this.document.conversations) {
        for (const message of messages) for (const each of message.entries) this.#messages.set(each, message)
      }
    }
    const others = (this.#messages.get(entry)?.entries ?? []).filter((each) => each !== entry)
    const leads = (each: Entry): boolean =>
      !this.#plan.goes(each) && this.#plan.paths.some((path) => path.placeOf(each) !== undefined)
    return entry.role === 'assistant' && others.length > 0 && !others.some(leads)
  }

  protected removeMessage(entry: Entry): boolean {
    const plan = this.#plan
    if (plan.goes(entry) || plan.moved.has(entry) || plan.relinked.has(entry) || plan.batch.touches(entry.record)) {
      return false
    }
    this.later(() => plan.dropped.add(entry))
    return true
  }

  protected remove(block: Block): boolean {
    const plan = this.#plan
    const { entry } = block
    if (block.is(Flag.wholeContent | Flag.wholeMessage)) return this.removeMessage(entry)
    if (!entry.blocks.includes(block)) return this.change(entry, { op: 'remove', path: block.tail })
    if (entry.blocks.length === 1) {
      if (!this.#holdsOthers(entry)) return this.removeMessage(entry)
      return this.change(entry, { op: 'set', path: [this.dialect.list], value: [] })
    }
    if (!this.change(entry, { op: 'remove', path: block.tail })) return false
    this.later(() => plan.removedBlocks.set(entry, (plan.removedBlocks.get(entry) ?? 0) + 1))
    return true
  }

  /** The place behind the results of a turn. */
  #resultsEnd(turn: Entry): { readonly path: TreePath; readonly place: number } | undefined {
    for (const path of this.#plan.paths) {
      const end = path.turnEnd(turn)
      if (end !== undefined) return { path, place: path.behindResults(end) }
    }
    return undefined
  }

  /** Puts a result behind those of its call's turn: in the record that holds some of them and other things, or in a new one. */
  #putResult(call: Block, result: Json): boolean {
    const end = this.#resultsEnd(call.entry)
    if (!end) return false
    const { path, place } = end
    const isOwn = this.dialect.results === 'own-messages'
    const next = path.entries[place]
    if (!isOwn && next?.role === 'user' && next.blocks[0]?.kind === 'tool-result') {
      const index = next.blocks.findIndex((block) => block.kind !== 'tool-result')
      return this.change(next, { op: 'insert', path: [this.dialect.list], index, value: result })
    }
    const { ids } = this.#plan.document
    this.later(() =>
      path.put(place, {
        kind: 'new',
        role: 'user',
        message: isOwn ? result : this.dialect.message('user', [result]),
        like: call.entry,
        answers: call.entry,
        seed: `${ids.text(call.entry.id)}\n${ids.text(call.id)}`,
      }),
    )
    return true
  }

  /** Moves a result behind its call: its whole record, or where that holds more the block alone. */
  #moveResult(result: Block, call: Block): boolean {
    const { entry } = result
    const end = this.#resultsEnd(call.entry)
    if (!end) return false
    if (entry.blocks.length > 1) {
      const stored = this.view(result)
      return stored !== undefined && this.remove(result) && this.#putResult(call, stored.verbatim())
    }
    return this.#moveRecord(entry, end.path, end.place)
  }

  #moveRecord(entry: Entry, path: TreePath, place: number): boolean {
    const { moved, relinked } = this.#plan
    if (this.#plan.goes(entry) || moved.has(entry) || relinked.has(entry)) return false
    this.later(() => {
      moved.add(entry)
      path.put(place, { kind: 'moved', entry })
    })
    return true
  }

  /** Brings the results of a message before everything else in it: whole records of results, or blocks within a record. */
  #resultsFirst(message: Message): boolean {
    const home = message.entries.find((entry) => !isResults(entry))
    const spot = home && this.#spotOf(home, message)
    if (!home || !spot) return false
    const { path, place } = spot
    const behind = message.entries.slice(message.entries.indexOf(home))
    for (const entry of behind) {
      if (entry === home || !isResults(entry)) continue
      const own = path.placeOf(entry)
      // In front of that place on the path it stands right already.
      if ((own === undefined || own >= place) && !this.#moveRecord(entry, path, place)) return false
    }
    const first = home.blocks.findIndex((block) => block.kind !== 'tool-result')
    for (const entry of behind) {
      if (isResults(entry)) continue
      const late = entry.blocks.filter(({ kind }, i) => kind === 'tool-result' && (entry !== home || i > first))
      for (const block of late) if (!this.#bringForward(block, home, first, spot)) return false
    }
    // A record beside the path joins it behind the results that are on it.
    return path.placeOf(home) !== undefined || this.#moveRecord(home, path, place)
  }

  /** Where on a path results of a message belong: before its first record that holds more, or at the end of their run. */
  #spotOf(home: Entry, message: Message): { readonly path: TreePath; readonly place: number } | undefined {
    for (const path of this.#plan.paths) {
      const place = path.placeOf(home)
      if (place !== undefined) return { path, place }
    }
    const turn = this.#plan.messageBefore(message)?.entries[0]
    return turn && this.#resultsEnd(turn)
  }

  #bringForward(block: Block, home: Entry, at: number, { path, place }: { path: TreePath; place: number }): boolean {
    const value = this.view(block)?.verbatim()
    if (!value) return false
    if (block.entry === home) {
      return (
        this.change(home, { op: 'remove', path: block.tail }) &&
        this.change(home, { op: 'insert', path: [this.dialect.list], index: at, value })
      )
    }
    const { ids } = this.#plan.document
    const seed = `${ids.text(block.entry.id)}\n${ids.text(block.id)}`
    const message = this.dialect.message('user', [value])
    this.later(() =>
      path.put(place, { kind: 'new', role: 'user', message, like: block.entry, answers: undefined, seed }),
    )
    return this.remove(block)
  }

  #fold(from: Message, into: Message): boolean {
    const home = into.entries.at(-1)!
    const list = this.message(home)?.get(this.dialect.list)
    const added = from.entries.flatMap((entry) => this.parts(this.message(entry)?.get(this.dialect.list)))
    const stored: JsonChange[] =
      list?.kind === 'array'
        ? added.map((value) => ({ op: 'insert', path: [this.dialect.list], index: list.size, value }))
        : [{ op: 'set', path: [this.dialect.list], value: [...this.parts(list), ...added] }]
    return (
      stored.every((change) => this.change(home, change)) && from.entries.every((entry) => this.removeMessage(entry))
    )
  }

  #insertMessage(before: Message, role: 'user' | 'assistant', text: string): boolean {
    const like = before.entries[0]!
    const path = this.#plan.paths.find((each) => each.turnEnd(like) !== undefined)
    if (!path) return false
    const places = before.entries.flatMap((entry) => path.placeOf(entry) ?? [])
    if (places.length === 0) return false
    const message = this.dialect.message(role, [this.dialect.text(text)])
    const seed = `${this.#plan.document.ids.text(like.id)}\n${role}`
    const place = Math.min(...places)
    this.later(() => path.put(place, { kind: 'new', role, message, like, answers: undefined, seed }))
    return true
  }
}
