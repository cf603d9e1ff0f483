import { oddRows, RowFlag } from '../../model/rows.ts'
import { rule } from '../rule.ts'

export const splitRecord = rule({
  name: 'split-record',
  family: 'file',
  phase: 'bytes',
  scope: 'document',
  severity: 'error',
  summary: 'One record is spread over several lines',
  since: '0.1.0',
  errors: [],
  docs: {
    finds:
      'An object of a JSONL session that goes on over line ends: a raw line break inside a string, or a pretty-printed object.',
    why: 'JSONL ends a record at each line break. Readers see several torn lines and lose the record.',
    example: '{"type":"user","text":"first\nsecond"}',
    repair: 'The lines are joined; a line break inside a string becomes its escape.',
    safety: 'Safe: the value stays the same.',
    sources: ['https://jsonlines.org', 'github/copilot-cli session reports'],
  },
  *detect(document) {
    for (const { record, flags } of oddRows(document)) if (flags & RowFlag.split) yield { at: { record } }
  },
  words: () => 'the record is spread over several lines',
  repair: ({ at }) => ({
    title: 'join the lines of the record',
    safety: 'safe',
    loses: [],
    operations: [{ do: 'rewrite-record', record: (at as { record: number }).record, how: 'join-lines' }],
  }),
})
