import type { Operation, RecordOperation } from '../model/finding.ts'
import { closeDocument } from '../text/close-document.ts'
import { joinLines } from '../text/join-lines.ts'
import type { RecordEdit } from '../text/records.ts'
import { loneSurrogates } from '../text/surrogates.ts'
import { replaceInvalid, replaceLoneSurrogates } from '../text/utf8.ts'
import type { Transcript } from './transcript.ts'

const ON_RECORDS: ReadonlySet<Operation['do']> = new Set<RecordOperation['do']>([
  'rewrite-record',
  'cut-record',
  'end-line',
  'insert-record',
])

/** Whether an operation is done to a record as such, whatever the format. */
export function isRecordOperation(operation: Operation): operation is RecordOperation {
  return ON_RECORDS.has(operation.do)
}

/** The edits that an operation on a record amounts to. */
export function recordEdits(operation: RecordOperation, transcript: Transcript): RecordEdit[] {
  const { record } = operation
  if (operation.do === 'cut-record') return [{ edit: 'remove', record }]
  if (operation.do === 'end-line') return [{ edit: 'end-line', record }]
  if (operation.do === 'insert-record') return [{ edit: 'insert', after: record, value: operation.value }]
  const stored = transcript.records.bytes(record)
  // A value in memory has no bytes; of all that can be wrong with those it knows half a surrogate pair alone.
  if (!stored) return [{ edit: 'json', record, changes: loneSurrogates(transcript.records.view(record)?.value()) }]
  const bytes = Uint8Array.from(stored)
  return [{ edit: 'bytes', record, bytes: rewritten(bytes, operation.how) }]
}

function rewritten(bytes: Uint8Array, how: Extract<RecordOperation, { do: 'rewrite-record' }>['how']): Uint8Array {
  switch (how) {
    case 'replace-lone-surrogates':
      return replaceLoneSurrogates(bytes)
    case 'replace-invalid-utf8':
      return replaceInvalid(bytes)
    case 'join-lines':
      return joinLines(bytes)
    case 'close-document': {
      const whole = closeDocument(bytes)
      return whole ? Buffer.concat([bytes.subarray(0, whole.keep), Buffer.from(whole.closing)]) : bytes
    }
  }
}
