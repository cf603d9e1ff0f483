import type { Dialect } from '../dialects/dialect.ts'
import { type Block, Flag } from '../model/blocks.ts'
import type { Document, Entry, Message } from '../model/document.ts'
import type { Operation } from '../model/finding.ts'
import type { JsonChange } from '../text/edit.ts'
import type { RecordEdit } from '../text/records.ts'
import { type Json, type JsonView, lookup } from '../text/view.ts'
import type { Editor } from './format.ts'
import { RecordBatch } from './record-batch.ts'

/**
 * What editors do inside stored messages, whatever holds these together: a list ({@link ListEditor}) or links ({@link TreeEditor}).
 * What a repair does is staged operation by operation, and done only when all of them can be done.
 */
export abstract class MessageEditor implements Editor {
  protected readonly document: Document
  protected readonly dialect: Dialect
  protected readonly batch: RecordBatch
  #staged: (() => void)[] = []

  constructor(document: Document, dialect: Dialect, batch: RecordBatch = new RecordBatch(document.records)) {
    this.document = document
    this.dialect = dialect
    this.batch = batch
  }

  apply(operations: readonly Operation[]): boolean {
    this.#staged = []
    if (!operations.every((operation) => this.plan(operation))) {
      this.batch.drop()
      return false
    }
    this.batch.keep()
    for (const commit of this.#staged) commit()
    return true
  }

  abstract edits(): RecordEdit[]

  /** Whether a message is taken out in this round. */
  protected abstract isGone(entry: Entry): boolean
  /** Stages that a message is taken out as a whole. */
  protected abstract removeMessage(entry: Entry): boolean
  /** Stages that a block is taken out, and its message with it where it holds no other. */
  protected abstract remove(block: Block): boolean
  /** Makes a message of the user out of a message that is a result. */
  protected abstract asUser(entry: Entry, text: string): boolean

  /** Whether the operation can be done; what is to be done is staged, not done. */
  protected plan(operation: Operation): boolean {
    switch (operation.do) {
      case 'remove-block':
        return this.remove(operation.block)
      case 'replace-block': {
        const { block, text } = operation
        if (block.is(Flag.wholeMessage)) return this.asUser(block.entry, text)
        const value = block.is(Flag.wholeContent) ? text : this.dialect.text(text, block.entry.role)
        return this.change(block.entry, { op: 'set', path: block.tail, value })
      }
      case 'merge-result':
        return this.#mergeResults(operation.from, operation.into)
      case 'rename-id': {
        const path = this.dialect.idPath(operation.block)
        return this.change(operation.block.entry, { op: 'set', path, value: operation.id })
      }
      case 'drop-item-id': {
        const { entry } = operation.block
        const message = this.message(entry)
        const changes = (message && this.dialect.withoutItemId?.(message, operation.block)) ?? []
        return changes.length > 0 && changes.every((change) => this.change(entry, change))
      }
      case 'rename-tool': {
        const path = this.dialect.namePath(operation.block)
        return this.change(operation.block.entry, { op: 'set', path, value: operation.name })
      }
      case 'set-input': {
        const path = this.dialect.inputPath(operation.block)
        return this.change(operation.block.entry, { op: 'set', path, value: operation.value })
      }
      case 'fill-message':
        return this.#fill(operation.message, operation.text)
      case 'remove-message':
        return operation.message.entries.every((entry) => this.removeMessage(entry))
      case 'change-entry':
        return operation.changes.every((change) => this.change(operation.entry, change))
      case 'drop-entry':
        return this.removeMessage(operation.entry)
      default:
        return false
    }
  }

  /** Stages whatever else is done once all of a repair can be. */
  protected later(commit: () => void): void {
    this.#staged.push(commit)
  }

  /** Stages a change inside a stored message; its path starts at the message. */
  protected change(entry: Entry, change: JsonChange): boolean {
    if (this.isGone(entry)) return false
    return this.stage(entry.record, { ...change, path: [...entry.path, ...change.path] })
  }

  /** Stages a change inside a record; its path starts at the record. */
  protected stage(record: number, change: JsonChange): boolean {
    return this.batch.stage(record, change)
  }

  protected message(entry: Entry): JsonView | undefined {
    const view = this.document.records.view(entry.record)
    return view && lookup(view, entry.path)
  }

  protected view(block: Block): JsonView | undefined {
    const message = this.message(block.entry)
    return message && lookup(message, block.tail)
  }

  /** What a content holds, as blocks; an empty text is none. */
  protected parts(content: JsonView | undefined): Json[] {
    if (content?.kind === 'string') return content.length > 0 ? [this.dialect.text(content.verbatim())] : []
    return Array.from(content?.kind === 'array' ? content.items() : [], (item) => item.verbatim())
  }

  #fill(message: Message, text: string): boolean {
    const entry = message.entries[0]!
    const { list } = this.dialect
    const written = this.dialect.text(text, entry.role)
    // Gemini's parts are never a string, and the prompts of Copilot always are.
    const stored = this.message(entry)?.get(list)
    const isText = list === 'content' && stored?.kind === 'string'
    const value = isText || typeof written === 'string' ? text : [written]
    // What nobody could read may say something after all.
    if (stored?.kind === 'array' && stored.size > entry.blocks.length)
      return this.change(entry, { op: 'insert', path: [list], index: stored.size, value: written })
    return this.change(entry, { op: 'set', path: [list], value })
  }

  /** Appends the content of one result to another one and takes it away from its own place. */
  #mergeResults(from: Block, into: Block): boolean {
    if (this.dialect.appended) {
      const [home, more] = [this.view(into), this.view(from)]
      if (!home || !more) return false
      const changes = this.dialect.appended(home, more)
      const inside = changes.map((change): JsonChange => ({ ...change, path: [...into.tail, ...change.path] }))
      return inside.every((change) => this.change(into.entry, change)) && this.remove(from)
    }
    const key = this.dialect.output ?? 'content'
    const first = this.view(into)?.get(key)
    const second = this.view(from)?.get(key)
    // What is neither text nor parts (a screenshot) cannot be appended to anything.
    if (first?.kind === 'object' || second?.kind === 'object') return false
    // What says something elsewhere than where it is looked for must not go with its place.
    if ((!first && into.size > 0) || (!second && from.size > 0)) return false
    const value: Json =
      first?.kind === 'string' && second?.kind === 'string'
        ? `${first.string()}\n\n${second.string()}`
        : [...this.parts(first), ...this.parts(second)]
    return this.change(into.entry, { op: 'set', path: [...into.tail, key], value }) && this.remove(from)
  }
}
