import { type Block, Flag } from '../../model/blocks.ts'
import { NO_ID } from '../../text/ids.ts'
import { type Match, rule } from '../rule.ts'
import { dropId, itemOf, ledTo, reasoningOf } from './items.ts'

interface Unreadable extends Match {
  readonly at: Block
  readonly index: number
}

export const reasoningNotPortable = rule<Unreadable>({
  name: 'reasoning-not-portable',
  family: 'reasoning',
  phase: 'reasoning',
  scope: 'conversation',
  severity: 'error',
  summary: 'The provider cannot read a reasoning item again',
  since: '0.1.0',
  errors: [
    {
      target: 'openai-responses',
      text: 'Items are not persisted when `store` is set to false',
    },
    { target: 'openai-responses', text: 'The encrypted content could not be verified' },
    { text: 'invalid_encrypted_content' },
  ],
  docs: {
    finds:
      'A reasoning item whose encrypted content cannot be one, since it is no base64; and one that has an id but no encrypted content where the provider keeps nothing (`store: false`, as in Codex). Whether well-formed content is good only the provider can tell: it is not accused.',
    why: 'The provider looks the item up by its id, or decrypts it. It can do neither, and refuses every request that holds it.',
    example:
      '{"store":false,"input":[{"role":"user","content":[{"type":"input_text","text":"hi"}]},{"type":"reasoning","id":"rs_1","summary":[]},{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"hello"}]}]}',
    repair:
      'The reasoning item is removed, and the ids of the items that it led to are taken away, so that nobody asks for it. Those items stay.',
    safety: 'Safe: what goes cannot be read by anybody but the report names it, and the backup keeps it.',
    sources: ['vercel/ai#7543', 'openai/codex#8119', 'openai/codex#35334', 'openai/openai-agents-js#546'],
  },
  *detect(conversation, { target }) {
    if (!conversation.isItems || target.verdicts['reasoning-not-portable']?.verdict !== 'error') return
    for (const [index, message] of conversation.messages.entries()) {
      const block = reasoningOf(message)
      if (!block) continue
      const isGone = conversation.isStored === false && block.is(Flag.unsigned) && itemOf(message).id !== NO_ID
      if (isGone || block.is(Flag.badSignature)) yield { at: block, message, index }
    }
  },
  words: ({ at }) =>
    at.is(Flag.badSignature)
      ? 'the encrypted content of the reasoning is no base64'
      : 'the reasoning has no encrypted content, and the provider does not keep it',
  repair: ({ at, index }, { conversation }) => ({
    title: 'remove the reasoning, and the ids of what it led to',
    safety: 'safe',
    loses: ['reasoning'],
    operations: [{ do: 'remove-block', block: at }, ...[...ledTo(conversation, index)].flatMap(dropId)],
  }),
})
