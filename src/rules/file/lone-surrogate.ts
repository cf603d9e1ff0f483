import { oddRows, RowFlag, RowKind } from '../../model/rows.ts'
import { rule } from '../rule.ts'

export const loneSurrogate = rule({
  name: 'lone-surrogate',
  family: 'file',
  phase: 'strings',
  scope: 'document',
  severity: 'error',
  summary: 'A text holds half of a surrogate pair',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: 'The request body is not valid JSON: invalid high surrogate in string' },
    { target: 'anthropic', text: '400 The request body is not valid JSON: no low surrogate in string' },
    { text: '400 the request body is not valid JSON' },
  ],
  docs: {
    finds: 'An escape such as \\ud83d without its other half in a message of the conversation.',
    why: 'A text was cut in the middle of an emoji. JSON.parse takes it, strict parsers do not: the provider refuses every request with this message in it.',
    example: '{"role":"user","content":"cut here \\ud83d"}',
    repair: 'The lone half becomes U+FFFD. Whole pairs are left alone.',
    safety: 'Safe: half a pair is no character.',
    sources: ['anthropics/claude-code#1762', 'anthropics/claude-code#6273', 'anthropics/claude-code#60394'],
  },
  *detect(document) {
    for (const { record, kind, flags } of oddRows(document)) {
      if (kind !== RowKind.record || !(flags & RowFlag.loneSurrogate)) continue
      const entries = document.entriesOf(record)
      // What the client does not send harms nobody.
      if (entries.some((entry) => entry.onPath)) yield { at: { record } }
    }
  },
  words: () => 'a text in this record holds half of a surrogate pair, as when an emoji is cut in two',
  repair: ({ at }) => ({
    title: 'replace the lone half by U+FFFD',
    safety: 'safe',
    loses: [],
    operations: [{ do: 'rewrite-record', record: (at as { record: number }).record, how: 'replace-lone-surrogates' }],
  }),
})
