import type { Document } from '../../model/document.ts'
import type { Repair } from '../../model/finding.ts'

/** Cuts a record that does not parse. Where it was a link of the chain, what hung on it is linked to its parent. */
export function cutRecord(record: number, document: Document): Repair | undefined {
  if (isOnlyRecord(document, record)) {
    return document.closable
      ? {
          title: 'cut the document behind its last whole message and close it',
          safety: 'safe',
          loses: ['text'],
          operations: [{ do: 'rewrite-record', record, how: 'close-document' }],
        }
      : undefined
  }
  const [entry] = document.entriesOf(record)
  return {
    title: isLinked(document, record)
      ? 'cut the torn bytes and link what follows to the record before'
      : 'cut the torn bytes',
    safety: 'safe',
    loses: ['text'],
    operations: [entry ? { do: 'drop-entry', entry } : { do: 'cut-record', record }],
  }
}

/** Whether the record was a link of the chain with others behind it. */
function isLinked(document: Document, record: number): boolean {
  const order = document.records.order()
  return record !== order[order.length - 1] && Boolean(document.entriesOf(record)[0]?.id)
}

/** An empty file helps nobody: the last record is never cut. */
function isOnlyRecord({ records }: Document, record: number): boolean {
  const order = records.order()
  for (let i = 0; i < order.length; i++) if (order[i] !== record && records.kind(order[i]!) === 0) return false
  return true
}
