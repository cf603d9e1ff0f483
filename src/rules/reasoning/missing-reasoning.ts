import type { Message } from '../../model/document.ts'
import { isTornBetween } from '../../model/rows.ts'
import { type Match, rule } from '../rule.ts'
import { idWords } from '../words.ts'
import { dropId, hasSpareId, itemOf, reasoningOf } from './items.ts'

interface Bereft extends Match {
  readonly at: Message
  readonly id: string
}

export const missingReasoning = rule<Bereft>({
  name: 'missing-reasoning',
  family: 'reasoning',
  phase: 'reasoning',
  scope: 'conversation',
  severity: 'error',
  summary: 'The reasoning that an item belongs to was lost',
  since: '0.1.0',
  errors: [
    { target: 'openai-responses', text: "was provided without its required 'reasoning' item" },
    { text: 'without its required reasoning item' },
  ],
  docs: {
    finds:
      'A call or an answer with an id right behind a torn record, without reasoning before it, in a conversation whose model reasons: the torn record may have been its reasoning. An item that merely has no reasoning is not accused: nobody can tell by the file whether there was any.',
    why: 'The provider keeps by the id of an item which reasoning it came from, and refuses the item without it.',
    example:
      '{"type":"reasoning","id":"rs_1","summary":[]}\n{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"one"}]}\n{"role":"user","content":[{"type":"input_text","text":"and two?"}]}\n{"type":"reasoning","id":"rs_2","summ\n{"type":"function_call","id":"fc_1","call_id":"call_1","name":"ls","arguments":"{}"}\n{"type":"function_call_output","call_id":"call_1","output":"a.txt"}',
    repair: 'The id of the item is removed. Its content stays, and without an id it is bound to no reasoning.',
    safety: 'Safe: the id of an item says nothing to the model, and calls are paired by another one.',
    sources: ['TanStack/ai#1212', 'laravel/ai#1052', 'continuedev/continue#11785'],
  },
  *detect(conversation, { document, target }) {
    if (!conversation.isItems || target.verdicts['missing-reasoning']?.verdict !== 'error') return
    const { messages } = conversation
    if (!messages.some(reasoningOf)) return
    let before: Message | undefined
    for (const message of messages) {
      const previous = before
      before = message
      if (message.role !== 'assistant' || reasoningOf(message) || !hasSpareId(message)) continue
      if (previous && reasoningOf(previous)) continue
      const item = itemOf(message)
      if (!isTornBetween(document, previous ? itemOf(previous).record : -1, item.record)) continue
      const id = document.ids.text(item.id)
      yield { at: message, id, ids: [id] }
    }
  },
  words: ({ id }) => `the record before ${idWords(id)} is torn: its reasoning may be lost`,
  repair: ({ at }) => ({ title: 'remove the id of the item', safety: 'safe', loses: [], operations: dropId(at) }),
})
