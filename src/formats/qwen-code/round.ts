import { gemini } from '../../dialects/gemini.ts'
import { storedId } from '../../dialects/unnamed.ts'
import { type Block, Flag } from '../../model/blocks.ts'
import type { Document, Entry, Message } from '../../model/document.ts'
import type { JsonChange } from '../../text/edit.ts'
import { NO_ID } from '../../text/ids.ts'
import { type Json, type JsonView, lookup, type Path } from '../../text/view.ts'
import { RecordBatch } from '../record-batch.ts'
import { Inventor } from './invent.ts'
import { LinkEdits, type Node } from './links.ts'
import { COMPRESSED, factsOf } from './records.ts'

const COMPLETED: Path = ['systemPayload', 'completedToolCallIds']
const START: Path = ['systemPayload', 'startExclusiveRecordUuid']

/** Whether a stored message is one of the history that a compression put in the place of the older records. */
export const isCompressed = (entry: Entry): boolean => entry.path.length > 1

export const isResult = (block: Block): boolean => block.kind === 'tool-result'

/** How many results a message begins with. */
export function leading(entry: Entry): number {
  const end = entry.blocks.findIndex((block) => !isResult(block))
  return end < 0 ? entry.blocks.length : end
}

/** What one round of repairs does to a session, and the simple things of which repairs are made. */
export class Round {
  readonly document: Document
  readonly links: LinkEdits
  readonly inventor: Inventor
  readonly batch: RecordBatch
  /** Behind which result the next one of a turn comes, by the last record of the turn. */
  readonly #lastResults = new Map<Entry, Node>()
  #undo: (() => void)[] = []
  #places: Map<Entry, { readonly messages: readonly Message[]; readonly index: number }> | undefined
  #checkpoints: readonly Entry[] | undefined

  constructor(document: Document) {
    this.document = document
    this.batch = new RecordBatch(document.records)
    this.links = new LinkEdits(document)
    this.inventor = new Inventor(document, this.links)
  }

  begin(): void {
    this.links.begin()
    this.#undo = []
  }

  rollBack(): void {
    this.links.rollBack()
    this.batch.drop()
    for (const undo of this.#undo.reverse()) undo()
  }

  lastResult(turn: Entry): Node | undefined {
    return this.#lastResults.get(turn)
  }

  setLastResult(turn: Entry, node: Node): void {
    const before = this.#lastResults.get(turn)
    this.#lastResults.set(turn, node)
    this.#undo.push(() => {
      if (before) this.#lastResults.set(turn, before)
      else this.#lastResults.delete(turn)
    })
  }

  /** Changes a stored message; the path starts at the message. */
  change(entry: Entry, change: JsonChange): boolean {
    if (this.links.isRemoved(entry)) return false
    return this.batch.stage(entry.record, { ...change, path: [...entry.path, ...change.path] })
  }

  set(entry: Entry, path: Path, value: Json): boolean {
    return this.change(entry, { op: 'set', path, value })
  }

  insertPart(entry: Entry, index: number, value: Json): boolean {
    return this.change(entry, { op: 'insert', path: ['parts'], index, value })
  }

  /** Puts a message into the compressed history of a record. */
  insertCompressed(record: number, index: number, value: Json): boolean {
    return this.batch.stage(record, { op: 'insert', path: COMPRESSED, index, value })
  }

  removeBlock(block: Block): boolean {
    const { entry } = block
    if (isCompressed(entry)) this.#complete(block, undefined)
    if (entry.blocks.length === 1 && entry.blocks[0] === block) return this.remove(entry)
    return this.change(entry, { op: 'remove', path: block.tail })
  }

  remove(entry: Entry): boolean {
    if (isCompressed(entry)) return this.batch.stage(entry.record, { op: 'remove', path: entry.path })
    if (this.batch.touches(entry.record) || !this.links.remove(entry)) return false
    if ((this.links.node(entry.id)?.entries.length ?? 1) > 0) return true
    // A checkpoint of an answer that is gone would only be in the way.
    return this.#allCheckpoints().every((each) => factsOf(each)!.answer !== entry.id || this.links.remove(each))
  }

  renameId(block: Block, id: string): boolean {
    const value = storedId(id)
    if (value === undefined || !this.set(block.entry, gemini.idPath(block), value)) return false
    if (isCompressed(block.entry)) {
      this.#complete(block, value)
      return true
    }
    const { record } = block.entry
    const shown = this.document.records.view(record)?.get('toolCallResult')?.get('callId')?.string()
    const old = block.is(Flag.unnamed) ? '' : this.document.ids.text(block.id)
    if (!isResult(block) || shown !== old) return true
    return this.batch.stage(record, { op: 'set', path: ['toolCallResult', 'callId'], value })
  }

  /** Keeps the list of completed calls of a compression right: an id changes in it or leaves it. */
  #complete(block: Block, value: string | undefined): void {
    const { record } = block.entry
    const view = this.document.records.view(record)
    const list = view && lookup(view, COMPLETED)
    if (list?.kind !== 'array') return
    const id = this.document.ids.text(block.id)
    if (this.#isShared(block)) {
      // The id stays for the call that keeps it; the new one joins it, once for call and result.
      const isListed = Array.from(list.items(), (item) => item.string()).includes(id)
      if (value === undefined || isResult(block) || !isListed) return
      this.batch.stage(record, { op: 'insert', path: COMPLETED, index: list.size, value })
      return
    }
    let index = 0
    for (const item of list.items()) {
      const path = [...COMPLETED, index++]
      if (item.string() !== id) continue
      // A call and its result go or are renamed one after the other: the second finds it done.
      this.batch.stage(record, value === undefined ? { op: 'remove', path } : { op: 'set', path, value })
    }
  }

  /** Whether another call of the same compressed history has the id, too. */
  #isShared({ entry, id }: Block): boolean {
    const contents = this.document.entriesOf(entry.record)
    const calls = contents.flatMap(({ blocks }) => blocks.filter((each) => each.kind === 'tool-call' && each.id === id))
    return calls.length > 1
  }

  /** A checkpoint that begins behind a record that is gone begins behind the one before it, as when Qwen Code forks a session. */
  retargetCheckpoints(): void {
    for (const checkpoint of this.#allCheckpoints()) {
      const { start = NO_ID } = factsOf(checkpoint)!
      const node = this.links.standing(start)
      if (start === NO_ID || node?.id === start || this.links.isRemoved(checkpoint)) continue
      const value = node ? this.document.ids.text(node.id) : null
      this.batch.stage(checkpoint.record, { op: 'set', path: START, value })
    }
  }

  #allCheckpoints(): readonly Entry[] {
    if (!this.#checkpoints) {
      const entries = [...this.document.entries()]
      this.#checkpoints = entries.filter((entry) => factsOf(entry)?.subtype === 'branch_checkpoint')
    }
    return this.#checkpoints
  }

  /** The content of a block as it stands in the file. */
  view(block: Block): JsonView | undefined {
    const message = this.messageView(block.entry)
    return message && lookup(message, block.tail)
  }

  messageView(entry: Entry): JsonView | undefined {
    const view = this.document.records.view(entry.record)
    return view && lookup(view, entry.path)
  }

  /** Which message of the conversation a stored one belongs to. */
  placeOf(entry: Entry): { readonly messages: readonly Message[]; readonly index: number } | undefined {
    if (!this.#places) {
      this.#places = new Map()
      for (const { messages } of this.document.conversations) {
        for (const [index, message] of messages.entries()) {
          for (const each of message.entries) this.#places.set(each, { messages, index })
        }
      }
    }
    return this.#places.get(entry)
  }
}
