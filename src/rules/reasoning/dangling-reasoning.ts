import type { Block } from '../../model/blocks.ts'
import type { Message } from '../../model/document.ts'
import { NO_ID } from '../../text/ids.ts'
import { type Match, rule } from '../rule.ts'
import { idWords } from '../words.ts'
import { itemOf, reasoningOf } from './items.ts'

interface Dangling extends Match {
  readonly at: Block
  readonly id: string
}

export const danglingReasoning = rule<Dangling>({
  name: 'dangling-reasoning',
  family: 'reasoning',
  // Behind pairing: a result that strayed between the two is moved, and then nothing dangles.
  phase: 'emptiness',
  scope: 'conversation',
  severity: 'error',
  summary: 'Reasoning is not followed by what it led to',
  since: '0.1.0',
  errors: [
    {
      target: 'openai-responses',
      text: "Item of type 'reasoning' was provided without its required following item",
    },
  ],
  docs: {
    finds:
      'A reasoning item with an id that no item of the model follows: a user message, a tool output or nothing stands behind it. Reasoning without an id is bound to nothing and not accused. As the last thing in the file it is a warning, since the model may be about to go on.',
    why: 'The agent was killed, or the record of the answer was lost. Responses refuses every request that holds such an item.',
    example:
      '[{"role":"user","content":[{"type":"input_text","text":"count"}]},{"type":"reasoning","id":"rs_1","summary":[]},{"role":"user","content":[{"type":"input_text","text":"and now?"}]}]',
    repair: 'The reasoning item is removed. No answer is invented.',
    safety:
      'Safe: reasoning without what it led to says nothing to anybody, and what goes is named in the report and kept in the backup.',
    sources: ['openai/openai-node#1567', 'continuedev/continue#8933', 'vercel/ai#7099', 'openai/codex#1227'],
  },
  *detect(conversation, { document, target, options }) {
    if (!conversation.isItems || target.verdicts['dangling-reasoning']?.verdict !== 'error') return
    const { messages, isAnswer } = conversation
    let next: Message | undefined
    for (let i = messages.length - 1; i >= 0; i--) {
      const message = messages[i]!
      const block = reasoningOf(message)
      if (!block) {
        next = message
        continue
      }
      const item = itemOf(message)
      if (next?.role === 'assistant' || item.id === NO_ID || (!next && isAnswer)) continue
      const id = document.ids.text(item.id)
      const match = { at: block, message, id, ids: [id] }
      yield next ? match : { ...match, severity: options.live ? 'info' : 'warning' }
    }
  },
  words: ({ id }) => `nothing of the model follows the reasoning ${idWords(id)}`,
  repair: ({ at }) => ({
    title: 'remove the reasoning',
    safety: 'safe',
    loses: ['reasoning'],
    operations: [{ do: 'remove-block', block: at }],
  }),
})
