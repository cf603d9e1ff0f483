import type { Document, Entry } from '../../model/document.ts'
import type { Operation } from '../../model/finding.ts'
import type { RecordEdit } from '../../text/records.ts'
import type { Json, JsonView } from '../../text/view.ts'
import { lookup } from '../../text/view.ts'
import { laterStamp } from '../invented.ts'
import { ListEditor } from '../list-editor.ts'
import { codexItems } from './dialect.ts'
import { isKept } from './facts.ts'
import { withNumbers } from './numbering.ts'
import { HISTORY, HISTORY_METADATA } from './read.ts'

/**
 * Edits rollouts: numbered records, each with one item, and histories of compactions, which Codex refuses when they and their
 * metadata are not of one length. Into such a history nothing is put that was not in it before.
 */
export class CodexEditor extends ListEditor {
  /** For each record the one behind it; -1 for the last one. */
  #next: Int32Array | undefined

  constructor(document: Document) {
    super(document, codexItems)
  }

  override edits(): RecordEdit[] {
    return withNumbers(this.document, super.edits())
  }

  protected override plan(operation: Operation): boolean {
    if (operation.do !== 'renumber') return super.plan(operation)
    return this.stage(operation.entry.record, { op: 'set', path: ['ordinal'], value: operation.number })
  }

  protected override insertMessage(message: Json, beside: Entry, offset: 0 | 1, from?: Entry): boolean {
    if (!isKept(beside)) return super.insertMessage(message, beside, offset, from)
    // An output may stand anywhere behind its call: what is new becomes a record behind the compaction.
    if (!from || !isKept(from) || from.record !== beside.record) return this.insertRecord(message, beside, 1, from)
    const index = indexOf(beside) + offset
    const { record } = beside
    const metadata = this.#metadata(record)
    return (
      this.stage(record, { op: 'insert', path: HISTORY, index, value: message }) &&
      (!metadata ||
        this.stage(record, {
          op: 'insert',
          path: HISTORY_METADATA,
          index,
          value: metadata.at(indexOf(from))?.verbatim() ?? null,
        }))
    )
  }

  protected override removeMessage(entry: Entry): boolean {
    if (!super.removeMessage(entry)) return false
    if (!isKept(entry) || !this.#metadata(entry.record)?.at(indexOf(entry))) return true
    return this.stage(entry.record, { op: 'remove', path: [...HISTORY_METADATA, indexOf(entry)] })
  }

  /** A record around an item: one that is moved keeps its own time and what Codex noted on it. */
  protected override envelope(item: Json, beside: Entry, from?: Entry): Json {
    const { records } = this.document
    const neighbour = records.view(beside.record)
    // Rollouts of mid-2025 hold bare items.
    if (!neighbour?.get('payload')) return item
    const origin = from && !isKept(from) ? records.view(from.record) : undefined
    return {
      timestamp: origin?.get('timestamp')?.verbatim() ?? this.#stamp(neighbour, beside),
      ...(neighbour.get('ordinal') ? { ordinal: 0 } : {}),
      type: 'response_item',
      payload: item,
      ...(origin?.get('metadata') ? { metadata: origin.get('metadata')!.verbatim() } : {}),
    }
  }

  #stamp(neighbour: JsonView, beside: Entry): Json {
    const stamp = neighbour.get('timestamp')?.string()
    if (stamp === undefined) return neighbour.get('timestamp')?.verbatim() ?? null
    return laterStamp(stamp, this.#stampBehind(beside.record))
  }

  /** The time of the record that follows in the file. */
  #stampBehind(record: number): string | undefined {
    const { records } = this.document
    if (!this.#next) {
      const order = records.order()
      this.#next = new Int32Array(records.count).fill(-1)
      for (let i = 1; i < order.length; i++) this.#next[order[i - 1]!] = order[i]!
    }
    const next = this.#next[record]!
    return next < 0 ? undefined : records.view(next)?.get('timestamp')?.string()
  }

  #metadata(record: number): JsonView | undefined {
    const view = this.document.records.view(record)
    const metadata = view && lookup(view, HISTORY_METADATA)
    return metadata?.kind === 'array' ? metadata : undefined
  }
}

function indexOf(entry: Entry): number {
  return entry.path.at(-1) as number
}
