import { createHash } from 'node:crypto'
import type { Document, Entry, Message } from '../model/document.ts'
import { RecordBatch } from './record-batch.ts'
import type { TreeFormat } from './tree-format.ts'
import { TreePath } from './tree-path.ts'

/** What a round does to whole records and their links; gathered by the editor, resolved at its end. */
export class TreePlan {
  readonly document: Document
  readonly format: TreeFormat
  readonly batch: RecordBatch
  readonly dropped = new Set<Entry>()
  readonly moved = new Set<Entry>()
  readonly relinked = new Map<Entry, Entry | undefined>()
  readonly renamed = new Map<Entry, string>()
  /** How many blocks of a message are taken out: a record without any goes. */
  readonly removedBlocks = new Map<Entry, number>()
  #paths: TreePath[] | undefined
  #before: Map<Message, Message> | undefined

  constructor(document: Document, format: TreeFormat) {
    this.document = document
    this.format = format
    this.batch = new RecordBatch(document.records)
  }

  get paths(): readonly TreePath[] {
    if (!this.#paths) {
      const places = new Map<Entry, number>()
      this.#paths = Array.from(this.format.paths(this.document), (entries) => new TreePath(entries, places))
    }
    return this.#paths
  }

  /** Whether the records name their parents at all. */
  get isLinked(): boolean {
    return this.document.chain !== undefined
  }

  /** The message that stands before another one in its conversation. */
  messageBefore(message: Message): Message | undefined {
    if (!this.#before) {
      const before = new Map<Message, Message>()
      for (const { messages } of this.document.conversations) {
        for (let i = 1; i < messages.length; i++) before.set(messages[i]!, messages[i - 1]!)
      }
      this.#before = before
    }
    return this.#before.get(message)
  }

  goes(entry: Entry): boolean {
    return this.dropped.has(entry) || (entry.blocks.length > 0 && this.removedBlocks.get(entry) === entry.blocks.length)
  }

  /** A new id that nobody else has: the same input gives the same one. */
  newId(seed: string): string {
    const { ids } = this.document
    for (let count = 0; ; count++) {
      const hash = createHash('sha256').update(count === 0 ? seed : `${seed}\n${count}`)
      const id = this.format.makeId(hash.digest('hex'))
      const known = ids.size
      if (ids.add(id) >= known) return id
    }
  }
}
