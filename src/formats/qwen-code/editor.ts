import { gemini } from '../../dialects/gemini.ts'
import type { Document, Entry } from '../../model/document.ts'
import type { Operation } from '../../model/finding.ts'
import type { RecordEdit } from '../../text/records.ts'
import type { Editor } from '../format.ts'
import { inventedUuid } from '../invented.ts'
import { sessionOf } from './assemble.ts'
import { answer, mergeResults, moveResult, resultsFirst } from './results.ts'
import { isCompressed, Round } from './round.ts'
import { isSame } from './shared.ts'

/**
 * Edits Qwen Code sessions. A message is a record of its own, linked by `parentUuid`, or an item of the compressed history that
 * a `chat_compression` record holds. Results are records of their own, as the client writes them.
 */
export class QwenEditor implements Editor {
  readonly #document: Document
  readonly #round: Round
  #session: string | undefined

  constructor(document: Document) {
    this.#document = document
    this.#round = new Round(document)
  }

  apply(operations: readonly Operation[]): boolean {
    this.#round.begin()
    const isDone = operations.every((operation) => this.#do(operation))
    if (isDone) this.#round.batch.keep()
    else this.#round.rollBack()
    return isDone
  }

  #do(operation: Operation): boolean {
    const round = this.#round
    switch (operation.do) {
      case 'answer':
        return answer(round, operation.call, operation.text)
      case 'move-result':
        return moveResult(round, operation.result, operation.call)
      case 'merge-result':
        return mergeResults(round, operation.from, operation.into)
      case 'remove-block':
        return round.removeBlock(operation.block)
      case 'replace-block':
        return round.set(operation.block.entry, operation.block.tail, gemini.text(operation.text))
      case 'results-first':
        return resultsFirst(round, operation.message)
      case 'insert-message':
        return this.#insertBefore(operation.before.entries[0]!, operation.role, operation.text)
      case 'remove-message':
        return operation.message.entries.every((entry) => round.remove(entry))
      case 'fill-message':
        return round.set(operation.message.entries[0]!, ['parts'], [gemini.text(operation.text)])
      case 'rename-id':
        return round.renameId(operation.block, operation.id)
      case 'rename-tool':
        return round.set(operation.block.entry, gemini.namePath(operation.block), operation.name)
      case 'set-input':
        return round.set(operation.block.entry, gemini.inputPath(operation.block), operation.value)
      case 'relink':
        return this.#relink(operation.entry, operation.parent)
      case 're-id':
        return this.#giveOwnId(operation.entry)
      case 'adopt':
        return this.#adopt(operation.entry)
      case 'drop-entry':
        return round.remove(operation.entry)
      case 'change-entry':
        return operation.changes.every((change) => round.change(operation.entry, change))
      default:
        return false
    }
  }

  edits(): RecordEdit[] {
    const { batch, links } = this.#round
    const { uuids, removed, inserted, last } = links.result()
    for (const { entry, key, value } of uuids) batch.stage(entry.record, { op: 'set', path: [key], value })
    if (removed.length > 0) this.#round.retargetCheckpoints()
    batch.keep()
    const gone = new Set(removed.map(({ record }) => record))
    if (last) gone.add(last.entry.record)
    const edits = batch.edits(gone)
    for (const record of gone) edits.push({ edit: 'remove', record })
    for (const { after, value } of inserted) edits.push({ edit: 'insert', after, value })
    const value = last && batch.written(last.entry.record)
    if (last && value !== undefined) edits.push({ edit: 'insert', after: last.after, value })
    return edits
  }

  #relink(entry: Entry, parent: Entry | undefined): boolean {
    const node = this.#round.links.node(entry.id)
    if (node) this.#round.links.link(node, parent?.id ?? 0)
    return node !== undefined
  }

  #insertBefore(entry: Entry, role: 'user' | 'assistant', text: string): boolean {
    const { links, inventor } = this.#round
    const message = gemini.message(role, [gemini.text(text)])
    if (isCompressed(entry)) return this.#round.insertCompressed(entry.record, entry.path.at(-1) as number, message)
    const before = links.node(entry.id)
    if (!before) return false
    return (
      inventor.put({ type: role, message, salt: `${role} before` }, links.node(before.parent), before) !== undefined
    )
  }

  #giveOwnId(entry: Entry): boolean {
    const { links, batch } = this.#round
    const first = links.node(entry.id)?.entries.find((each) => each !== entry)
    if (!first) return false
    // Of a mere copy nothing is lost.
    if (isSame(this.#document, first, entry)) return !batch.touches(entry.record) && links.removeCopy(entry)
    const old = this.#document.ids.text(entry.id)
    links.rename(
      entry,
      inventedUuid([old, 'own id'], (uuid) => links.isTaken(uuid)),
    )
    return true
  }

  #adopt(entry: Entry): boolean {
    this.#session ??= sessionOf(this.#document)
    if (this.#session === undefined || this.#round.links.isRemoved(entry)) return false
    return this.#round.batch.stage(entry.record, { op: 'set', path: ['sessionId'], value: this.#session })
  }
}
