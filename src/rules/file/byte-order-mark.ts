import { oddRows, RowKind } from '../../model/rows.ts'
import { rule } from '../rule.ts'

export const byteOrderMark = rule({
  name: 'byte-order-mark',
  family: 'file',
  phase: 'bytes',
  scope: 'document',
  severity: 'warning',
  summary: 'The file begins with a UTF-8 byte order mark',
  since: '0.1.0',
  errors: [],
  docs: {
    finds: 'The bytes EF BB BF before the first record.',
    why: 'An editor or a script saved the file. JSON has no byte order mark: the Claude Agent SDK loses the first record to it, and JSON.parse refuses the text.',
    example: '\\ufeff{"type":"user","uuid":"u1"}',
    repair: 'The mark is cut.',
    safety: 'Safe: it holds nothing.',
    sources: ['https://www.rfc-editor.org/rfc/rfc8259#section-8.1', 'observed with the Claude Agent SDK 0.3.332'],
  },
  *detect(document) {
    for (const { record, kind } of oddRows(document)) if (kind === RowKind.bom) yield { at: { record } }
  },
  words: () => 'the file begins with a byte order mark, which JSON does not have',
  repair: ({ at }) => ({
    title: 'cut the byte order mark',
    safety: 'safe',
    loses: [],
    operations: [{ do: 'cut-record', record: (at as { record: number }).record }],
  }),
})
