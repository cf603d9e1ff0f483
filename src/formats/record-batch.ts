import { fits, type JsonChange, JsonEdits } from '../text/edit.ts'
import type { RecordEdit, Records } from '../text/records.ts'
import type { Json } from '../text/view.ts'
import { Verbatim } from '../text/view.ts'

interface Batch {
  readonly edits: JsonEdits
  readonly changes: JsonChange[]
}

/**
 * The changes inside records that a round of repairs gathers. Those of one repair are staged first, and only kept when the
 * whole repair can be made.
 */
export class RecordBatch {
  readonly #records: Records
  readonly #kept = new Map<number, Batch>()
  #staged = new Map<number, Batch>()

  constructor(records: Records) {
    this.#records = records
  }

  /** Stages a change; false when the record has no place for it, or when it contradicts one that was kept or staged before. */
  stage(record: number, change: JsonChange): boolean {
    const view = this.#records.view(record)
    if (!view || !fits(view, change)) return false
    if (this.#kept.get(record)?.edits.accepts(change) === false) return false
    const staged = batchIn(this.#staged, record)
    if (!staged.edits.accepts(change)) return false
    addTo(staged, change)
    return true
  }

  keep(): void {
    for (const [record, { changes }] of this.#staged) {
      const kept = batchIn(this.#kept, record)
      for (const change of changes) addTo(kept, change)
    }
    this.#staged = new Map()
  }

  drop(): void {
    if (this.#staged.size > 0) this.#staged = new Map()
  }

  touches(record: number): boolean {
    return this.#kept.has(record)
  }

  /** The kept changes as edits, without those of records that go or that are written elsewhere. */
  edits(without: ReadonlySet<number>): RecordEdit[] {
    const edits: RecordEdit[] = []
    for (const [record, { changes }] of this.#kept) {
      if (!without.has(record)) edits.push({ edit: 'json', record, changes })
    }
    return edits
  }

  /** The record as it will be, for putting it elsewhere. */
  written(record: number): Json | undefined {
    const edits = this.#kept.get(record)?.edits ?? new JsonEdits()
    const view = this.#records.view(record)
    if (!view) return undefined
    const bytes = this.#records.bytes(record)
    if (!bytes) return Verbatim.ofValue(edits.toValue(view.value()))
    return Verbatim.ofText(Uint8Array.from(edits.toText(view, Uint8Array.from(bytes))))
  }
}

function batchIn(batches: Map<number, Batch>, record: number): Batch {
  let batch = batches.get(record)
  if (!batch) batches.set(record, (batch = { edits: new JsonEdits(), changes: [] }))
  return batch
}

function addTo(batch: Batch, change: JsonChange): void {
  batch.edits.add(change)
  batch.changes.push(change)
}
