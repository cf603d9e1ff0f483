import { storedId } from '../../dialects/unnamed.ts'
import type { Block } from '../../model/blocks.ts'
import type { Document, Entry, Message } from '../../model/document.ts'
import type { Operation } from '../../model/finding.ts'
import type { JsonChange } from '../../text/edit.ts'
import { type Id, NO_ID } from '../../text/ids.ts'
import type { RecordEdit } from '../../text/records.ts'
import { type Json, type JsonView, lookup, type Path } from '../../text/view.ts'
import type { Editor } from '../format.ts'
import { inventedUuid, laterStamp } from '../invented.ts'
import { RecordBatch } from '../record-batch.ts'
import { geminiCliDialect as dialect } from './dialect.ts'
import { factsOf } from './facts.ts'
import { Lines } from './lines.ts'
import { type Live, replay } from './replay.ts'

/**
 * Edits sessions of Gemini CLI. What is edited is the newest version of a message, in a line of its own or in the last snapshot;
 * older lines stay as they are. A new result goes where the client itself keeps it, to the call in `toolCalls`. A message that
 * goes takes its older versions along, those since it was there last: no rewind can name them any more.
 */
export class GeminiCliEditor implements Editor {
  readonly #document: Document
  readonly #batch: RecordBatch
  readonly #inserted: RecordEdit[] = []
  readonly #gone = new Map<Entry, Set<Block>>()
  readonly #changed = new Set<string>()
  #staged: (() => void)[] = []
  #live: Map<Id, Live> | undefined
  #lines: Lines | undefined
  #taken: ReadonlySet<string> | undefined
  #behind: Map<Entry, Message | undefined> | undefined

  constructor(document: Document) {
    this.#document = document
    this.#batch = new RecordBatch(document.records)
  }

  apply(operations: readonly Operation[]): boolean {
    this.#staged = []
    if (!operations.every((operation) => this.#do(operation))) {
      this.#batch.drop()
      return false
    }
    this.#batch.keep()
    for (const commit of this.#staged) commit()
    return true
  }

  edits(): RecordEdit[] {
    const removed = new Set<number>()
    const changes = new Map<number, JsonChange[]>()
    const add = (record: number, change: JsonChange): void => {
      const known = changes.get(record)
      if (known) known.push(change)
      else changes.set(record, [change])
    }
    for (const [entry, blocks] of this.#gone) {
      const isWhole = entry.blocks.every((block) => blocks.has(block))
      if (isWhole && factsOf(entry).line === 'message') {
        for (const each of this.#versions(entry)) {
          if (each.path.length === 0) removed.add(each.record)
          else add(each.record, { op: 'remove', path: each.path })
        }
      } else for (const path of pathsOf(entry, blocks)) add(entry.record, { op: 'remove', path })
    }
    for (const edit of this.#batch.edits(removed)) {
      if (edit.edit === 'json') for (const change of edit.changes) add(edit.record, change)
    }
    const json = Array.from(changes, ([record, all]): RecordEdit => ({ edit: 'json', record, changes: all }))
    const gone = Array.from(removed, (record): RecordEdit => ({ edit: 'remove', record }))
    return [...json.filter((edit) => edit.edit !== 'json' || !removed.has(edit.record)), ...gone, ...this.#inserted]
  }

  #do(operation: Operation): boolean {
    switch (operation.do) {
      case 'answer':
        return this.#answer(operation.call, this.#result(operation.call, operation.text))
      case 'move-result': {
        const stored = this.#view(operation.result)
        if (!stored) return false
        const text = stored.kind === 'string' ? stored.string() : undefined
        const part = text === undefined ? stored.verbatim() : this.#result(operation.call, text, 'output')
        return this.#remove([operation.result]) && this.#answer(operation.call, part)
      }
      case 'merge-result':
        return this.#merge(operation.from, operation.into)
      case 'remove-block':
        return this.#remove([operation.block])
      case 'replace-block': {
        const { block, text } = operation
        const isText = this.#view(block)?.kind === 'string' && block.tail[0] === 'content'
        return this.#change(block.entry, { op: 'set', path: block.tail, value: isText ? text : { text } })
      }
      case 'insert-message':
        return this.#insertBefore(operation.before.entries[0]!, operation.role, operation.text)
      case 'remove-message':
        return operation.message.entries.every((entry) => this.#remove(entry.blocks))
      case 'drop-entry':
        return this.#drop(operation.entry)
      case 'fill-message':
        return this.#change(operation.message.entries[0]!, {
          op: 'set',
          path: ['content'],
          value: [dialect.text(operation.text)],
        })
      case 'rename-id':
        return this.#rename(operation.block, operation.id)
      case 'set-input':
        return this.#change(operation.block.entry, {
          op: 'set',
          path: dialect.inputPath(operation.block),
          value: operation.value,
        })
      case 'change-entry':
        return operation.changes.every((change) => this.#change(operation.entry, change))
      default:
        return false
    }
  }

  /** Takes a record out. A rewind that named what a torn one held goes back to the message behind it: to none it would clear all. */
  #drop(entry: Entry): boolean {
    if (entry.blocks.length > 0) return this.#remove(entry.blocks)
    this.#staged.push(() => this.#inserted.push({ edit: 'remove', record: entry.record }))
    if (entry.id === NO_ID) return true
    this.#lines ??= new Lines(this.#document)
    const { rewind, next } = this.#lines.behind(entry)
    if (!rewind || !next) return true
    const value = this.#document.ids.text(next.id)
    return this.#batch.stage(rewind.record, { op: 'set', path: ['$rewindTo'], value })
  }

  /** Every place where a message that goes is written. */
  #versions(entry: Entry): readonly Entry[] {
    this.#live ??= replayed(this.#document)
    const live = this.#live.get(entry.id)
    return live?.entries[0] === entry ? [entry, ...live.older] : [entry]
  }

  #message(entry: Entry): JsonView | undefined {
    const record = this.#document.records.view(entry.record)
    return record && lookup(record, entry.path)
  }

  #view(block: Block): JsonView | undefined {
    const message = this.#message(block.entry)
    return message && lookup(message, block.tail)
  }

  /** Stages a change; where blocks of the same message are taken out in this round, it waits for the next one. */
  #change(entry: Entry, change: JsonChange): boolean {
    if (this.#gone.has(entry)) return false
    const whole: JsonChange = { ...change, path: [...entry.path, ...change.path] }
    if (!this.#batch.stage(entry.record, whole)) return false
    this.#staged.push(() => this.#changed.add(placeOf(entry)))
    return true
  }

  #remove(blocks: readonly Block[]): boolean {
    for (const block of blocks) {
      const { entry } = block
      if (this.#changed.has(placeOf(entry)) || this.#gone.get(entry)?.has(block)) return false
      this.#staged.push(() => {
        const gone = this.#gone.get(entry)
        if (gone) gone.add(block)
        else this.#gone.set(entry, new Set([block]))
      })
    }
    return true
  }

  #result(call: Block, text: string, key: 'error' | 'output' = 'error'): Json {
    const { ids } = this.#document
    const id = storedId(ids.text(call.id))
    return { functionResponse: { id, name: ids.text(call.name), response: { [key]: text } } }
  }

  /** Puts a result behind those of its turn: into the record of results that follows, else to the call itself. */
  #answer(call: Block, result: Json): boolean {
    const home = this.#messageBehind(call.entry)?.entries.findLast(
      (entry) => factsOf(entry).line === 'message' && entry.blocks[0]?.kind === 'tool-result' && !this.#gone.has(entry),
    )
    if (home && this.#message(home)?.get('content')?.kind === 'array') {
      const end = home.blocks.findIndex((block) => block.kind !== 'tool-result')
      const index = end < 0 ? home.blocks.length : end
      return this.#change(home, { op: 'insert', path: ['content'], index, value: result })
    }
    const list = this.#message(call.entry)?.get('toolCalls')
    const index = this.#indexIn(list, call)
    if (index !== undefined) {
      const known = list?.at(index)?.get('result')
      const path = ['toolCalls', index, 'result']
      if (known?.kind === 'array')
        return this.#change(call.entry, { op: 'insert', path, index: known.size, value: result })
      if (known?.kind === 'object' || (known?.length ?? 0) > 0) return false
      return this.#change(call.entry, { op: 'set', path, value: [result] })
    }
    const value = this.#toolCall(call, result)
    if (list?.kind === 'array')
      return this.#change(call.entry, { op: 'insert', path: ['toolCalls'], index: list.size, value })
    return this.#change(call.entry, { op: 'set', path: ['toolCalls'], value: [value] })
  }

  /** What the client notes of a call, for one that was stopped before it did. */
  #toolCall(call: Block, result: Json): Json {
    const stored = this.#view(call)?.get('functionCall')
    return {
      id: stored?.get('id')?.verbatim(),
      name: stored?.get('name')?.verbatim() ?? '',
      args: stored?.get('args')?.verbatim() ?? {},
      result: [result],
      status: 'error',
      timestamp: this.#message(call.entry)?.get('timestamp')?.verbatim(),
    }
  }

  #indexIn(list: JsonView | undefined, call: Block): number | undefined {
    if (call.tail[0] === 'toolCalls') return call.tail[1] as number
    const id = storedId(this.#document.ids.text(call.id))
    let index = 0
    if (id === undefined || list?.kind !== 'array') return undefined
    for (const item of list.items()) {
      if (item.get('id')?.string() === id) return index
      index++
    }
    return undefined
  }

  #messageBehind(entry: Entry): Message | undefined {
    if (!this.#behind) {
      this.#behind = new Map()
      for (const { messages } of this.#document.conversations) {
        messages.forEach((message, i) => {
          for (const each of message.entries) this.#behind!.set(each, messages[i + 1])
        })
      }
    }
    return this.#behind.get(entry)
  }

  #merge(from: Block, into: Block): boolean {
    const [home, more] = [this.#view(into), this.#view(from)]
    if (!home?.get('functionResponse') || !more?.get('functionResponse')) return false
    const changes = dialect.appended!(home, more)
    return (
      changes.every((change) => this.#change(into.entry, { ...change, path: [...into.tail, ...change.path] })) &&
      this.#remove([from])
    )
  }

  /** A call that stands in the content is noted in `toolCalls` as well. */
  #rename(block: Block, id: string): boolean {
    const { entry } = block
    const value = this.#view(block)
    const path = value?.kind === 'string' ? [...block.tail.slice(0, -1), 'id'] : dialect.idPath(block)
    if (!this.#change(entry, { op: 'set', path, value: id })) return false
    if (block.kind !== 'tool-call' || block.tail[0] === 'toolCalls') return true
    const index = this.#indexIn(this.#message(entry)?.get('toolCalls'), block)
    return index === undefined || this.#change(entry, { op: 'set', path: ['toolCalls', index, 'id'], value: id })
  }

  /** A new message, before the first version of another one. */
  #insertBefore(entry: Entry, role: 'user' | 'assistant', text: string): boolean {
    const first = this.#versions(entry).reduce((a, b) => (this.#isBefore(b, a) ? b : a))
    const neighbour = this.#message(first)
    const own = neighbour?.get('id')?.string() ?? ''
    const id = inventedUuid([own, role, text], (uuid) => this.#isTaken(uuid))
    const stamp = neighbour?.get('timestamp')?.string()
    const value: Json = {
      id,
      ...(stamp === undefined ? {} : { timestamp: laterStamp(stamp, stamp) }),
      type: role === 'user' ? 'user' : 'gemini',
      content: [dialect.text(text)],
    }
    const index = first.path.at(-1)
    if (typeof index === 'number') {
      return this.#batch.stage(first.record, { op: 'insert', path: first.path.slice(0, -1), index, value })
    }
    const place = this.#placeIn(first)
    const after = place === 0 ? -1 : this.#document.records.order()[place - 1]!
    this.#staged.push(() => this.#inserted.push({ edit: 'insert', after, value }))
    return true
  }

  #isTaken(uuid: string): boolean {
    this.#taken ??= new Set(Array.from(this.#document.entries(), ({ id }) => this.#document.ids.text(id)))
    return this.#taken.has(uuid)
  }

  #isBefore(one: Entry, other: Entry): boolean {
    const lines = this.#placeIn(one) - this.#placeIn(other)
    // Of one record, the items of its list count.
    return (lines || Number(one.path.at(-1) ?? 0) - Number(other.path.at(-1) ?? 0)) < 0
  }

  #placeIn(entry: Entry): number {
    const order = this.#document.records.order()
    for (let i = 0; i < order.length; i++) if (order[i] === entry.record) return i
    return 0
  }
}

/** The message as the same place in the file, whichever of its entries is meant. */
function placeOf({ record, path }: Entry): string {
  return `${record}/${path.join('/')}`
}

/** What the document amounts to, without a change to what is marked as loaded. */
function replayed(document: Document): Map<Id, Live> {
  const marked = Array.from(document.entries(), (entry) => [entry, entry.onPath] as const)
  const live = replay(document)
  for (const [entry, onPath] of marked) entry.onPath = onPath
  return live
}

/** What is removed of a message of which something stays; a list of results goes with its last one. */
function pathsOf(entry: Entry, blocks: ReadonlySet<Block>): Path[] {
  const paths = new Map<string, Path>()
  for (const { tail } of blocks) {
    const list = tail.slice(0, 3)
    const isResult = tail[0] === 'toolCalls' && tail.length > 2
    const isLast = isResult && entry.blocks.every((block) => !startsWith(block.tail, list) || blocks.has(block))
    const path = [...entry.path, ...(isLast ? list : tail)]
    paths.set(path.join('/'), path)
  }
  return [...paths.values()]
}

function startsWith(path: Path, start: Path): boolean {
  return start.every((step, i) => path[i] === step)
}
