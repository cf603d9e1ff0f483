import { type Block, Flag } from '../model/blocks.ts'
import type { Document, Entry, Message } from '../model/document.ts'
import type { Operation } from '../model/finding.ts'
import type { JsonChange } from '../text/edit.ts'
import type { RecordEdit } from '../text/records.ts'
import { type Json, type JsonView, lookup } from '../text/view.ts'
import type { Editor } from './format.ts'
import type { TreeFormat } from './tree-format.ts'
import { isResults, type TreePath } from './tree-path.ts'
import { TreePlan } from './tree-plan.ts'
import { resolveTree } from './tree-resolve.ts'

/** Edits transcripts whose records are linked to each other: the links of what is touched stay whole. */
export class TreeEditor implements Editor {
  readonly #plan: TreePlan
  #staged: (() => void)[] = []

  constructor(document: Document, format: TreeFormat) {
    this.#plan = new TreePlan(document, format)
  }

  apply(operations: readonly Operation[]): boolean {
    this.#staged = []
    if (!operations.every((operation) => this.#stage(operation))) {
      this.#plan.batch.drop()
      return false
    }
    this.#plan.batch.keep()
    for (const commit of this.#staged) commit()
    return true
  }

  edits(): RecordEdit[] {
    return resolveTree(this.#plan)
  }

  get #dialect() {
    return this.#plan.format.dialect
  }

  #stage(operation: Operation): boolean {
    const plan = this.#plan
    const { ids } = plan.document
    switch (operation.do) {
      case 'answer': {
        const { call, text } = operation
        const result = this.#dialect.result({ id: ids.text(call.id), name: ids.text(call.name) }, text)
        return this.#putResult(call, result)
      }
      case 'move-result':
        return this.#moveResult(operation.result, operation.call)
      case 'merge-result':
        return this.#mergeResults(operation.from, operation.into)
      case 'remove-block':
        return this.#removeBlock(operation.block)
      case 'replace-block': {
        const { block, text } = operation
        if (block.is(Flag.wholeMessage)) return this.#asUser(block.entry, text)
        const value = block.is(Flag.wholeContent) ? text : this.#dialect.text(text)
        return this.#change(block.entry, { op: 'set', path: block.tail, value })
      }
      case 'rename-id': {
        const path = this.#dialect.idPath(operation.block)
        return this.#change(operation.block.entry, { op: 'set', path, value: operation.id })
      }
      case 'drop-item-id': {
        const { entry } = operation.block
        const message = this.#message(entry)
        const changes = (message && this.#dialect.withoutItemId?.(message, operation.block)) ?? []
        return changes.length > 0 && changes.every((change) => this.#change(entry, change))
      }
      case 'rename-tool': {
        const path = this.#dialect.namePath(operation.block)
        return this.#change(operation.block.entry, { op: 'set', path, value: operation.name })
      }
      case 'set-input': {
        const path = this.#dialect.inputPath(operation.block)
        return this.#change(operation.block.entry, { op: 'set', path, value: operation.value })
      }
      case 'results-first':
        return this.#resultsFirst(operation.message)
      case 'fold':
        return this.#fold(operation.from, operation.into)
      case 'insert-message':
        return this.#insertMessage(operation.before, operation.role, operation.text)
      case 'remove-message':
        return operation.message.entries.every((entry) => this.#drop(entry))
      case 'fill-message':
        return this.#fill(operation.message, operation.text)
      case 'change-entry':
        return operation.changes.every((change) => this.#change(operation.entry, change))
      case 'drop-entry':
        return this.#drop(operation.entry)
      case 'relink': {
        const { entry, parent } = operation
        if (plan.relinked.has(entry) || plan.goes(entry) || plan.moved.has(entry)) return false
        this.#staged.push(() => plan.relinked.set(entry, parent))
        return true
      }
      case 're-id': {
        const { entry } = operation
        if (plan.renamed.has(entry) || plan.goes(entry)) return false
        this.#staged.push(() => plan.renamed.set(entry, plan.newId(`${ids.text(entry.id)}\n${entry.record}`)))
        return true
      }
      default:
        return false
    }
  }

  /** Stages a change inside a stored message; its path starts at the message. */
  #change(entry: Entry, change: JsonChange): boolean {
    if (this.#plan.goes(entry)) return false
    return this.#plan.batch.stage(entry.record, { ...change, path: [...entry.path, ...change.path] })
  }

  /** Makes a message of the user out of a message that is a result; when it was said stays. */
  #asUser(entry: Entry, text: string): boolean {
    const message = this.#dialect.message('user', [this.#dialect.text(text)])
    const time = this.#message(entry)?.get('timestamp')?.verbatim()
    const value = time === undefined ? message : { ...(message as { readonly [key: string]: Json }), timestamp: time }
    return this.#change(entry, { op: 'set', path: [], value })
  }

  #drop(entry: Entry): boolean {
    const plan = this.#plan
    if (plan.goes(entry) || plan.moved.has(entry) || plan.relinked.has(entry) || plan.batch.touches(entry.record)) {
      return false
    }
    this.#staged.push(() => plan.dropped.add(entry))
    return true
  }

  #removeBlock(block: Block): boolean {
    const plan = this.#plan
    const { entry } = block
    if (block.is(Flag.wholeContent | Flag.wholeMessage)) return this.#drop(entry)
    if (!entry.blocks.includes(block)) return this.#change(entry, { op: 'remove', path: block.tail })
    if (entry.blocks.length === 1) return this.#drop(entry)
    if (!this.#change(entry, { op: 'remove', path: block.tail })) return false
    this.#staged.push(() => plan.removedBlocks.set(entry, (plan.removedBlocks.get(entry) ?? 0) + 1))
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
    const isOwn = this.#dialect.results === 'own-messages'
    const next = path.entries[place]
    if (!isOwn && next?.role === 'user' && next.blocks[0]?.kind === 'tool-result') {
      const index = next.blocks.findIndex((block) => block.kind !== 'tool-result')
      return this.#change(next, { op: 'insert', path: [this.#dialect.list], index, value: result })
    }
    const { ids } = this.#plan.document
    this.#staged.push(() =>
      path.put(place, {
        kind: 'new',
        role: 'user',
        message: isOwn ? result : this.#dialect.message('user', [result]),
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
      const stored = this.#view(result)
      return stored !== undefined && this.#removeBlock(result) && this.#putResult(call, stored.verbatim())
    }
    return this.#moveRecord(entry, end.path, end.place)
  }

  #moveRecord(entry: Entry, path: TreePath, place: number): boolean {
    const { moved, relinked } = this.#plan
    if (this.#plan.goes(entry) || moved.has(entry) || relinked.has(entry)) return false
    this.#staged.push(() => {
      moved.add(entry)
      path.put(place, { kind: 'moved', entry })
    })
    return true
  }

  /** Appends the content of one result to another one and takes it away from its own place. */
  #mergeResults(from: Block, into: Block): boolean {
    const first = this.#view(into)?.get('content')
    const second = this.#view(from)?.get('content')
    const value: Json =
      first?.kind === 'string' && second?.kind === 'string'
        ? `${first.string()}\n\n${second.string()}`
        : [...this.#parts(first), ...this.#parts(second)]
    return this.#change(into.entry, { op: 'set', path: [...into.tail, 'content'], value }) && this.#removeBlock(from)
  }

  #parts(content: JsonView | undefined): Json[] {
    if (content?.kind === 'string') return content.length > 0 ? [this.#dialect.text(content.verbatim())] : []
    return Array.from(content?.kind === 'array' ? content.items() : [], (item) => item.verbatim())
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
    const value = this.#view(block)?.verbatim()
    if (!value) return false
    if (block.entry === home) {
      return (
        this.#change(home, { op: 'remove', path: block.tail }) &&
        this.#change(home, { op: 'insert', path: [this.#dialect.list], index: at, value })
      )
    }
    const { ids } = this.#plan.document
    const seed = `${ids.text(block.entry.id)}\n${ids.text(block.id)}`
    const message = this.#dialect.message('user', [value])
    this.#staged.push(() =>
      path.put(place, { kind: 'new', role: 'user', message, like: block.entry, answers: undefined, seed }),
    )
    return this.#removeBlock(block)
  }

  #fold(from: Message, into: Message): boolean {
    const home = into.entries.at(-1)!
    const list = this.#message(home)?.get(this.#dialect.list)
    const added = from.entries.flatMap((entry) => this.#parts(this.#message(entry)?.get(this.#dialect.list)))
    const stored: JsonChange[] =
      list?.kind === 'array'
        ? added.map((value) => ({ op: 'insert', path: [this.#dialect.list], index: list.size, value }))
        : [{ op: 'set', path: [this.#dialect.list], value: [...this.#parts(list), ...added] }]
    return stored.every((change) => this.#change(home, change)) && from.entries.every((entry) => this.#drop(entry))
  }

  #insertMessage(before: Message, role: 'user' | 'assistant', text: string): boolean {
    const like = before.entries[0]!
    const path = this.#plan.paths.find((each) => each.turnEnd(like) !== undefined)
    if (!path) return false
    const places = before.entries.flatMap((entry) => path.placeOf(entry) ?? [])
    if (places.length === 0) return false
    const message = this.#dialect.message(role, [this.#dialect.text(text)])
    const seed = `${this.#plan.document.ids.text(like.id)}\n${role}`
    const place = Math.min(...places)
    this.#staged.push(() => path.put(place, { kind: 'new', role, message, like, answers: undefined, seed }))
    return true
  }

  #fill(message: Message, text: string): boolean {
    const entry = message.entries[0]!
    const isText = this.#message(entry)?.get(this.#dialect.list)?.kind === 'string'
    const value = isText ? text : [this.#dialect.text(text)]
    return this.#change(entry, { op: 'set', path: [this.#dialect.list], value })
  }

  #message(entry: Entry): JsonView | undefined {
    const view = this.#plan.document.records.view(entry.record)
    return view && lookup(view, entry.path)
  }

  #view(block: Block): JsonView | undefined {
    const message = this.#message(block.entry)
    return message && lookup(message, block.tail)
  }
}
