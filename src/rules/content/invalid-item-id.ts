import { type Block, Flag, toolKind } from '../../model/blocks.ts'
import type { Message } from '../../model/document.ts'
import type { Id } from '../../text/ids.ts'
import { dropId, hasSpareId, itemOf, reasoningOf } from '../reasoning/items.ts'
import { type Match, rule } from '../rule.ts'
import { idWords } from '../words.ts'

interface InvalidItemId extends Match {
  readonly at: Message
  readonly id: string
  readonly kind: 'repeated' | 'ill-formed' | 'foreign'
}

export const invalidItemId = rule<InvalidItemId>({
  name: 'invalid-item-id',
  family: 'content',
  // Behind pairing: a copy that goes takes its id along.
  phase: 'emptiness',
  scope: 'conversation',
  severity: 'error',
  summary: 'The id of an item is taken, or is none of its type',
  since: '0.1.0',
  errors: [
    { target: 'openai-responses', text: 'Duplicate item found with id' },
    { target: 'openai-responses', text: "Expected an ID that begins with 'fc'" },
  ],
  docs: {
    finds:
      'An item of the Responses API whose id an earlier item has; one with other characters than letters, digits, `_` and `-`, or more than 64; and a call, an answer or reasoning whose id begins as those of another type do.',
    why: 'A turn was written or copied twice, or the ids come from another provider. The request is refused.',
    example:
      '[{"role":"user","content":[{"type":"input_text","text":"hi"}]},{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"hello"}]},{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"hello"}]}]',
    repair:
      'The id is removed: the API wants none. Reasoning that has nothing but its id (no encrypted content) is removed, for without it nobody can look it up.',
    safety: 'Safe: the id of an item says nothing to the model, and calls are paired by another one.',
    sources: ['vercel/ai#7883', 'cloudflare/agents#728', 'continuedev/continue#11785'],
  },
  *detect(conversation, { document, target }) {
    if (!conversation.isItems || target.verdicts['invalid-item-id']?.verdict !== 'error') return
    const seen = new Map<Id, Message>()
    for (const message of conversation.messages) {
      const item = itemOf(message)
      if (!hasSpareId(message)) continue
      const id = document.ids.text(item.id)
      const earlier = seen.get(item.id)
      if (!earlier) seen.set(item.id, message)
      const kind = earlier
        ? 'repeated'
        : !/^[\w-]{1,64}$/.test(id)
          ? 'ill-formed'
          : beginsRight(id, message)
            ? undefined
            : 'foreign'
      if (!kind) continue
      const related = earlier ? [{ at: earlier, message: 'the earlier item is here' }] : []
      yield { at: message, id, kind, related, ids: [id] }
    }
  },
  words: ({ id, kind }) => {
    if (kind === 'repeated') return `an earlier item has the id ${idWords(id)}`
    if (kind === 'foreign') return `the item id ${idWords(id)} begins as those of another type`
    return id.length > 64
      ? `the item id ${idWords(id)} has ${id.length} characters, at most 64 are taken`
      : `the item id ${idWords(id)} has characters that are not taken`
  },
  repair: ({ at }) => {
    const reasoning = reasoningOf(at)
    if (reasoning?.is(Flag.unsigned)) {
      return {
        title: 'remove the reasoning, which is nothing but its id',
        safety: 'safe',
        loses: ['reasoning'],
        operations: [{ do: 'remove-block', block: reasoning }],
      }
    }
    return { title: 'remove the id of the item', safety: 'safe', loses: [], operations: dropId(at) }
  },
})

/** How the ids of a type begin; of functions those of local shell calls, too. Other types are not known to be held to any. */
function beginsRight(id: string, { role, blocks }: Message): boolean {
  const [block] = blocks
  if (block?.is(Flag.wholeMessage)) return startsOf(block).some((start) => id.startsWith(start))
  return role !== 'assistant' || id.startsWith('msg')
}

function startsOf(block: Block): readonly string[] {
  if (block.kind === 'thinking') return ['rs']
  if (block.kind !== 'tool-call') return ['']
  return [['fc', 'lsh'], ['ctc']][toolKind(block)] ?? ['']
}
