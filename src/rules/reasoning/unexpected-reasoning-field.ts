import type { Message } from '../../model/document.ts'
import type { Loss } from '../../model/finding.ts'
import { storedMessage } from '../content.ts'
import { type Match, rule } from '../rule.ts'

/** Where providers that speak Chat Completions put the reasoning of a message. */
const FIELDS = ['reasoning_content', 'reasoning', 'reasoning_details'] as const

interface Unexpected extends Match {
  readonly at: Message
  readonly fields: readonly { readonly name: string; readonly says: boolean }[]
}

export const unexpectedReasoningField = rule<Unexpected>({
  name: 'unexpected-reasoning-field',
  family: 'reasoning',
  phase: 'reasoning',
  scope: 'conversation',
  severity: 'info',
  summary: 'A message carries its reasoning in a field that the provider does not know',
  since: '0.1.0',
  errors: [
    { target: 'mistral', text: 'Extra inputs are not permitted (extra_forbidden): reasoning_content' },
    { text: 'extra_forbidden' },
    { text: "Extra inputs are not permitted, field: 'messages[8].reasoning'" },
  ],
  docs: {
    finds:
      'An assistant message with `reasoning_content`, `reasoning` or `reasoning_details` beside its content, for a provider that refuses fields which it does not know (Mistral, Anthropic). DeepSeek wants `reasoning_content` back, and others pass over it: there it is no fault. In the sessions of an agent, whose client builds the request, the field is its own.',
    why: 'The conversation was held with a provider that gives its reasoning in such a field, and now goes to another one.',
    example:
      '[{"role":"user","content":"9 x 7?"},{"role":"assistant","content":"63","reasoning_content":"nine sevens"},{"role":"user","content":"and 9 x 8?"}]',
    repair: 'The field is removed. What the message says and calls stays.',
    safety:
      'Safe: the provider refuses the request with it, and never reads it. What goes is named in the report and kept in the backup; for DeepSeek, which wants it back, the rule takes nothing away.',
    sources: ['BerriAI/litellm#30835', 'earendil-works/pi#4514'],
  },
  *detect({ messages }, { document, target }) {
    const verdict = target.verdicts['unexpected-reasoning-field']?.verdict
    if (verdict === undefined || verdict === 'ok' || document.use === 'session') return
    // In another shape the message is written anew for the provider.
    if (document.dialect !== target.dialect) return
    for (const message of messages) {
      if (message.role !== 'assistant') continue
      const stored = storedMessage(document, message)
      const fields = FIELDS.flatMap((name) => {
        const value = stored?.get(name)
        return value === undefined || value.kind === 'null' ? [] : [{ name, says: value.length > 0 || value.size > 0 }]
      })
      if (fields.length > 0) yield { at: message, fields }
    }
  },
  words: ({ fields }) => `the message carries ${fields.map(({ name }) => name).join(' and ')}`,
  repair: ({ at, fields }) => ({
    title: fields.length > 1 ? 'remove the fields' : 'remove the field',
    safety: 'safe',
    loses: fields.some(({ says }) => says) ? (['reasoning'] satisfies Loss[]) : [],
    operations: [
      {
        do: 'change-entry',
        entry: at.entries[0]!,
        changes: fields.map(({ name }) => ({ op: 'remove', path: [name] })),
      },
    ],
  }),
})
