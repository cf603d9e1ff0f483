import { JsonEdits, toPlain } from './edit.ts'
import { RowFlag, RowKind } from './reader.ts'
import type { RecordEdit, Records } from './records.ts'
import type { Steps } from './steps.ts'
import { holdsLoneSurrogate } from './surrogates.ts'
import { ValueView } from './value-view.ts'
import type { JsonView } from './view.ts'

/** Records over plain values in memory: each message of an array is one. The array and its messages are never changed. */
export class ValueRecords implements Records {
  readonly #values: unknown[]
  readonly #after: number[] = []
  readonly #originals: number
  #order: number[] | undefined
  /** Records with half a surrogate pair in them: all that can be odd about a value. */
  readonly #odd = new Set<number>()
  changed = false

  constructor(values: readonly unknown[]) {
    this.#values = values.slice()
    this.#originals = values.length
    for (let record = 0; record < values.length; record++) if (holdsLoneSurrogate(values[record])) this.#odd.add(record)
  }

  get count(): number {
    return this.#values.length
  }

  order(): ArrayLike<number> {
    return (this.#order ??= Array.from({ length: this.#originals }, (_, i) => i))
  }

  kind(): number {
    return RowKind.record
  }

  flags(record: number): number {
    return this.#odd.has(record) ? RowFlag.loneSurrogate : 0
  }

  get hasOdd(): boolean {
    return this.#odd.size > 0
  }

  line(record: number): number {
    return record < this.#originals ? record + 1 : this.line(this.#after[record - this.#originals]!)
  }

  start(): number {
    return -1
  }

  length(): number {
    return 0
  }

  bytes(): undefined {
    return undefined
  }

  original(): undefined {
    return undefined
  }

  view(record: number): JsonView | undefined {
    return new ValueView(this.#values[record])
  }

  endsLine(): boolean {
    return true
  }

  /** The value of a record as it is now: the very object that was given, where nothing was changed in it. */
  value(record: number): unknown {
    return this.#values[record]
  }

  /** All values in order. */
  values(): unknown[] {
    return Array.from(this.order(), (record) => this.#values[record])
  }

  *commit(edits: readonly RecordEdit[]): Steps<number[]> {
    const touched: number[] = []
    const removed = new Set<number>()
    const inserted = new Map<number, number[]>()
    for (const edit of edits) {
      yield
      if (edit.edit === 'json') {
        const batch = new JsonEdits()
        for (const change of edit.changes) batch.add(change)
        this.#values[edit.record] = batch.toValue(this.#values[edit.record])
        touched.push(edit.record)
      } else if (edit.edit === 'remove') removed.add(edit.record)
      else if (edit.edit === 'insert') {
        const record = this.#values.push(toPlain(edit.value)) - 1
        this.#after.push(Math.max(edit.after, 0))
        inserted.set(edit.after, [...(inserted.get(edit.after) ?? []), record])
        touched.push(record)
      }
    }
    for (const record of touched) {
      if (holdsLoneSurrogate(this.#values[record])) this.#odd.add(record)
      else this.#odd.delete(record)
    }
    if (removed.size > 0 || inserted.size > 0) this.#order = reorder(this.order(), removed, inserted)
    if (edits.length > 0) this.changed = true
    return touched
  }
}

/** The order with some records taken out and others put in. */
export function reorder(
  order: ArrayLike<number>,
  removed: ReadonlySet<number>,
  inserted: ReadonlyMap<number, readonly number[]>,
): number[] {
  const next: number[] = [...(inserted.get(-1) ?? [])]
  for (let i = 0; i < order.length; i++) {
    const record = order[i]!
    if (!removed.has(record)) next.push(record)
    const behind = inserted.get(record)
    if (behind) next.push(...behind)
  }
  return next
}
