import { oddRows, RowKind } from '../../model/rows.ts'
import { rule } from '../rule.ts'

export const nulBytes = rule({
  name: 'nul-bytes',
  family: 'file',
  phase: 'bytes',
  scope: 'document',
  severity: 'error',
  summary: 'A run of NUL bytes stands between records',
  since: '0.1.0',
  errors: [],
  docs: {
    finds:
      'NUL bytes before or behind a record on its line, or on a line of their own. NUL bytes over the inside of a record make it a torn-record.',
    why: 'A crash or a sudden power loss left blocks of the file unwritten. Claude Code loses a record with NUL bytes before it; pi and Qwen Code lose everything before such a line.',
    example: '{"type":"user","uuid":"u1"}\\u0000\\u0000\\u0000',
    repair: 'The NUL bytes are cut.',
    safety: 'Safe: they hold nothing.',
    sources: [
      'anthropics/claude-code#49876',
      'anthropics/claude-code#76059',
      'measured with pi 1.6.0 and Qwen Code 0.24.4',
    ],
  },
  *detect(document) {
    for (const { record, kind } of oddRows(document)) if (kind === RowKind.nul) yield { at: { record } }
  },
  words: ({ at }, { document }) => {
    const bytes = document.records.length((at as { record: number }).record)
    return `${bytes} NUL ${bytes === 1 ? 'byte stands' : 'bytes stand'} where a record should`
  },
  repair: ({ at }) => ({
    title: 'cut the NUL bytes',
    safety: 'safe',
    loses: [],
    operations: [{ do: 'cut-record', record: (at as { record: number }).record }],
  }),
})
