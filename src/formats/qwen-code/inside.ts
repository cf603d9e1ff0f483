import { type JsonChange, JsonEdits } from '../../text/edit.ts'
import type { Records } from '../../text/records.ts'
import { type Json, Verbatim } from '../../text/view.ts'

/** Changes inside records, gathered over one round; those of one repair can be taken back together. */
export class Inside {
  readonly #records: Records
  readonly #batches = new Map<number, { edits: JsonEdits; changes: JsonChange[] }>()
  #added: number[] = []

  constructor(records: Records) {
    this.#records = records
  }

  begin(): void {
    this.#added = []
  }

  rollBack(): void {
    for (const record of this.#added.reverse()) {
      const changes = this.#batches.get(record)!.changes.slice(0, -1)
      if (changes.length === 0) this.#batches.delete(record)
      else this.#batches.set(record, { edits: batchOf(changes), changes })
    }
    this.#added = []
  }

  has(record: number): boolean {
    return this.#batches.has(record)
  }

  /** Takes a change, unless it contradicts one that was taken before. */
  change(record: number, change: JsonChange): boolean {
    let batch = this.#batches.get(record)
    if (!batch) {
      batch = { edits: new JsonEdits(), changes: [] }
      this.#batches.set(record, batch)
    } else if (!batch.edits.accepts(change)) return false
    batch.edits.add(change)
    batch.changes.push(change)
    this.#added.push(record)
    return true
  }

  *all(): Generator<readonly [record: number, changes: readonly JsonChange[]]> {
    for (const [record, { changes }] of this.#batches) yield [record, changes]
  }

  /** A record as it will be, to be written elsewhere. */
  rewritten(record: number): Json {
    const edits = this.#batches.get(record)?.edits ?? new JsonEdits()
    const view = this.#records.view(record)!
    const bytes = this.#records.bytes(record)
    return bytes
      ? Verbatim.ofText(edits.toText(view, Uint8Array.from(bytes)))
      : Verbatim.ofValue(edits.toValue(view.value()))
  }
}

function batchOf(changes: readonly JsonChange[]): JsonEdits {
  const edits = new JsonEdits()
  for (const change of changes) edits.add(change)
  return edits
}
