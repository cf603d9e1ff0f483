import { RowFlag, RowKind } from '../text/reader.ts'
import type { Document } from './document.ts'

export { RowFlag, RowKind }

/** A physical record and the one that stands before it. */
export interface RowPlace {
  readonly record: number
  readonly kind: number
  readonly flags: number
  /** The record before it on the same physical line; undefined when it begins its line. */
  readonly gluedTo: number | undefined
}

/** The records that the reader found something odd about. */
export function* oddRows({ records, format }: Document): Generator<RowPlace> {
  // A file that is no transcript may well have lines that are no JSON.
  if (format === 'unknown' || !records.hasOdd) return
  const order = records.order()
  for (let i = 0; i < order.length; i++) {
    const record = order[i]!
    const kind = records.kind(record)
    const flags = records.flags(record)
    if (kind === RowKind.record && flags === 0) continue
    const before = i > 0 ? order[i - 1]! : undefined
    const isGlued = (flags & RowFlag.glued) !== 0 && before !== undefined && !records.endsLine(before)
    yield { record, kind, flags, gluedTo: isGlued ? before : undefined }
  }
}

const tornBefore = new WeakMap<Document['records'], Int32Array>()

/** Whether a torn record, cut or not, stands between two records. */
export function isTornBetween({ records }: Pick<Document, 'records'>, from: number, to: number): boolean {
  if (to <= from) return false
  let counts = tornBefore.get(records)
  if (counts?.length !== records.count + 1) {
    counts = new Int32Array(records.count + 1)
    for (let record = 0; record < records.count; record++) {
      counts[record + 1] = counts[record]! + (records.kind(record) === RowKind.torn ? 1 : 0)
    }
    tornBefore.set(records, counts)
  }
  return counts[to]! > counts[Math.max(from + 1, 0)]!
}
