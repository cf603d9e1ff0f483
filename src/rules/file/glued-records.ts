import { oddRows, RowKind } from '../../model/rows.ts'
import { rule } from '../rule.ts'
import { cutRecord } from './cut.ts'

export const gluedRecords = rule({
  name: 'glued-records',
  family: 'file',
  phase: 'bytes',
  scope: 'document',
  severity: 'error',
  summary: 'Two records stand on one line, or a cut one stands before a whole one',
  since: '0.1.0',
  errors: [],
  docs: {
    finds:
      'A line of a JSONL session that holds more than one record: whole ones side by side, or a stub that was cut off and the whole record behind it.',
    why: 'Two processes wrote at once, or a writer continued behind a line without its line end. Claude Code reads the first record of such a line only; other readers lose the whole line.',
    example: '{"type":"user","uuid":"u1"}{"type":"assistant","uuid":"a1"}',
    repair: 'Whole records get a line each; a stub before a whole record is cut.',
    safety: 'Safe: no byte of a whole record changes, and the stub stays in the backup.',
    sources: ['openai/codex#24425', 'observed with Claude Code 2.1.332'],
  },
  *detect(document) {
    for (const { record, kind, gluedTo } of oddRows(document)) {
      if (kind === RowKind.record && gluedTo !== undefined && document.records.kind(gluedTo) !== RowKind.nul) {
        yield { at: { record }, related: [{ at: { record: gluedTo }, message: 'the record before it' }] }
      }
    }
  },
  words: ({ related }, { document }) =>
    document.records.kind(recordOf(related)) === RowKind.torn
      ? 'a record that was cut off stands on the same line before this one'
      : 'this record stands on the same line as the one before it',
  repair: ({ related }, { document }) => {
    const before = recordOf(related)
    if (document.records.kind(before) === RowKind.torn) return cutRecord(before, document)
    return {
      title: 'give each record a line of its own',
      safety: 'safe',
      loses: [],
      operations: [{ do: 'end-line', record: before }],
    }
  },
})

function recordOf(related: readonly { readonly at: unknown }[] | undefined): number {
  return (related![0]!.at as { record: number }).record
}
