import { extraFields } from '../../model/block-fields.ts'
import { type Block, deep, Flag } from '../../model/blocks.ts'
import type { JsonView } from '../../text/view.ts'
import { storedOf } from '../content.ts'
import { type Match, rule } from '../rule.ts'

interface Extra extends Match {
  readonly block: Block
  readonly fields: readonly string[]
  /** Whether one of them holds a text. */
  readonly says: boolean
}

export const extraField = rule<Extra>({
  name: 'extra-field',
  family: 'content',
  // Behind the answers: what an unfinished call carries says that it was cut off.
  phase: 'emptiness',
  scope: 'conversation',
  severity: 'info',
  summary: 'A block has a field that the provider does not know',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: 'tool_use.text: Extra inputs are not permitted' },
    { target: 'anthropic', text: 'cache_control.ephemeral.scope: Extra inputs are not permitted' },
    { target: 'gemini', text: "Unknown name at 'contents[1].parts[0]': Cannot find field." },
  ],
  docs: {
    finds:
      'A text, call, result, image or thinking block with a field that the API does not know. Blocks that only the provider writes are not judged: nobody knows all their fields.',
    why: 'A client stored a note of its own on the block, or an answer was streamed into the wrong one. The API is strict and refuses every request with such a block.',
    example:
      '[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Look","input":{},"text":""}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"}]}]',
    repair: 'The field is removed; the rest of the block stays byte for byte.',
    safety:
      'Safe: the API takes nothing with it. A text that stood there is named in the report and kept in the backup.',
    sources: ['anthropics/claude-code#4378', 'anthropics/claude-code#19513', 'ericc-ch/copilot-api#145'],
  },
  needs: ({ flags }) => (flags & Flag.extraField) !== 0,
  *detect(conversation, { document, target }) {
    // In another shape the message is written anew for the provider.
    if (document.dialect !== target.dialect) return
    // Most clients strip what is their own; what they strip nobody gets.
    if (document.use === 'session' && !document.sendsAsStored) return
    for (const message of conversation.messages) {
      for (const block of deep(message.blocks)) {
        if (!block.is(Flag.extraField)) continue
        const stored = storedOf(document, block)
        const fields = stored ? extraFields(stored) : []
        if (fields.length === 0) continue
        const says = fields.some((field) => holdsSomething(stored?.get(field)))
        yield { at: block, message, block, fields, says }
      }
    }
  },
  words: ({ fields }) =>
    `the block has the ${fields.length === 1 ? 'field' : 'fields'} ${fields.join(', ')}, which the API does not know`,
  repair: ({ block, fields, says }) => ({
    title: fields.length === 1 ? 'remove the field' : 'remove the fields',
    safety: 'safe',
    loses: says ? ['text'] : [],
    operations: [
      {
        do: 'change-entry',
        entry: block.entry,
        changes: fields.map((field) => ({ op: 'remove', path: [...block.tail, field] })),
      },
    ],
  }),
})

function holdsSomething(value: JsonView | undefined): boolean {
  return value !== undefined && (value.length > 0 || value.size > 0)
}
