import type { Entry, NumberFault } from '../../model/document.ts'
import type { RecordEdit } from '../../text/records.ts'
import type { Json } from '../../text/view.ts'
import type { Skeleton } from '../format.ts'
import { factsOf, isKept } from './facts.ts'

/** The entries that stand for whole records, in the order of the file. */
function* records(document: Skeleton): Generator<Entry> {
  for (const entry of document.entries()) if (!isKept(entry) && entry.kind !== 'damaged') yield entry
}

/**
 * Where the numbers of a paginated rollout go wrong. Gaps are legal (openai/codex#44417); a number that repeats or falls hides
 * turns from the desktop app (openai/codex#35746, #38341), and without one on its last record Codex refuses the file (0.171.0).
 */
export function numberFaults(document: Skeleton): NumberFault[] {
  const faults: { kind: NumberFault['kind']; entry: Entry; numbers: NumberFault['numbers'][number][] }[] = []
  let isNumbered: boolean | undefined
  let shifting: (typeof faults)[number] | undefined
  let last = -1
  let bare: Entry[] = []
  for (const entry of records(document)) {
    const { ordinal, isPaginated } = factsOf(entry)
    // The first header says so; where there is none, the numbers themselves do.
    isNumbered ??= isPaginated
    if (ordinal === undefined) {
      bare.push(entry)
      continue
    }
    bare = []
    if (ordinal > last) {
      shifting = undefined
      last = ordinal
      continue
    }
    if (!shifting) faults.push((shifting = { kind: ordinal === last ? 'repeated' : 'falling', entry, numbers: [] }))
    shifting.numbers.push({ entry, number: ++last })
  }
  if (!(isNumbered ?? last >= 0)) return []
  if (bare.length > 0) {
    faults.push({ kind: 'missing', entry: bare.at(-1)!, numbers: bare.map((entry) => ({ entry, number: ++last })) })
  }
  return faults
}

/**
 * Gives numbers to the records that a round of edits puts in: the next one that is free, else those behind it are shifted until
 * a gap takes the shift up. What a record that goes had is left free.
 */
export function withNumbers(document: Skeleton, edits: readonly RecordEdit[]): RecordEdit[] {
  if (!edits.some((edit) => edit.edit === 'insert' && hasOrdinal(edit.value))) return [...edits]
  const gone = new Set<number>()
  const inserted = new Map<number, Extract<RecordEdit, { edit: 'insert' }>[]>()
  for (const edit of edits) {
    if (edit.edit === 'remove') gone.add(edit.record)
    if (edit.edit === 'insert') inserted.set(edit.after, [...(inserted.get(edit.after) ?? []), edit])
  }
  const numbered = new Map<RecordEdit, number>()
  const shifted = new Map<number, number>()
  let last = -1
  let isShifting = false
  const order = [-1, ...Array.from(document.records.order())]
  for (const record of order) {
    const ordinal = record < 0 || gone.has(record) ? undefined : ordinalOf(document, record)
    if (ordinal !== undefined) {
      isShifting &&= ordinal <= last
      if (isShifting) shifted.set(record, ++last)
      else last = ordinal
    }
    for (const edit of inserted.get(record) ?? []) {
      numbered.set(edit, ++last)
      isShifting = true
    }
  }
  const out: RecordEdit[] = edits.map((edit) => {
    if (edit.edit === 'insert' && hasOrdinal(edit.value)) {
      return { ...edit, value: { ...edit.value, ordinal: numbered.get(edit)! } }
    }
    const number = edit.edit === 'json' ? shifted.get(edit.record) : undefined
    if (edit.edit !== 'json' || number === undefined) return edit
    shifted.delete(edit.record)
    return { ...edit, changes: [...edit.changes, { op: 'set', path: ['ordinal'], value: number }] }
  })
  for (const [record, number] of shifted) {
    out.push({ edit: 'json', record, changes: [{ op: 'set', path: ['ordinal'], value: number }] })
  }
  return out
}

function ordinalOf(document: Skeleton, record: number): number | undefined {
  const [entry] = document.entriesOf(record)
  return entry && factsOf(entry).ordinal
}

function hasOrdinal(value: Json): value is { readonly [key: string]: Json | undefined } {
  return typeof value === 'object' && value !== null && 'ordinal' in value
}
