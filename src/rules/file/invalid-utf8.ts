import { oddRows, RowFlag } from '../../model/rows.ts'
import { rule } from '../rule.ts'

export const invalidUtf8 = rule({
  name: 'invalid-utf8',
  family: 'file',
  phase: 'bytes',
  scope: 'document',
  severity: 'error',
  summary: 'A record holds bytes that are no UTF-8',
  since: '0.1.0',
  errors: [],
  docs: {
    finds: 'Ill-formed UTF-8 in a record: a character cut in its middle, or text in another encoding.',
    why: 'A tool wrote raw bytes, or a writer cut a text by bytes. Codex then refuses the whole session; other clients read a replacement character.',
    example: '{"type":"user","text":"caf\\xe9"}',
    repair: 'Each ill-formed sequence becomes U+FFFD, as every lenient reader shows it.',
    safety: 'Safe: the bytes are no character; the backup keeps them.',
    sources: ['https://www.rfc-editor.org/rfc/rfc8259#section-8.1', 'measured with Codex 0.171.0'],
  },
  *detect(document) {
    for (const { record, flags } of oddRows(document)) if (flags & RowFlag.invalidUtf8) yield { at: { record } }
  },
  words: () => 'the record holds bytes that are no UTF-8',
  repair: ({ at }) => ({
    title: 'replace the ill-formed bytes by U+FFFD',
    safety: 'safe',
    loses: [],
    operations: [{ do: 'rewrite-record', record: (at as { record: number }).record, how: 'replace-invalid-utf8' }],
  }),
})
