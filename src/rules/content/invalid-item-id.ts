import { type Block, Flag, toolKind } from '../../model/blocks.ts'
import type { Conversation, Document, Message } from '../../model/document.ts'
import { type Id, NO_ID } from '../../text/ids.ts'
import { dropId, hasSpareId, itemOf, reasoningOf } from '../reasoning/items.ts'
import { type Match, rule } from '../rule.ts'
import { idWords } from '../words.ts'

interface InvalidItemId extends Match {
  /** The item; a block where a message holds several. */
  readonly at: Message | Block
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
      'An item of the Responses API whose id an earlier item has; one with other characters than letters, digits, `_` and `-`, or more than 64; and a call, an answer or reasoning whose id has the prefix of another type of item. In sessions of pi an answer holds several items: of its texts and its reasoning an id that comes again is found.',
    why: 'A turn was written or copied twice, or the ids come from another provider. The request is refused.',
    example:
      '[{"role":"user","content":[{"type":"input_text","text":"hi"}]},{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"hello"}]},{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"hello"}]}]',
    repair:
      'The id is removed: the API wants none. Reasoning that has nothing but its id (no encrypted content) is removed (in a session of pi: not sent any more), for without it nobody can look it up.',
    safety: 'Safe: the id of an item says nothing to the model, and calls are paired by another one.',
    sources: [
      'vercel/ai#7883',
      'cloudflare/agents#728',
      'continuedev/continue#11785',
      'measured with pi 1.6.0, 2026-12-01: it sends the ids of a turn that is stored twice',
    ],
  },
  *detect(conversation, { document, target }) {
    if (target.verdicts['invalid-item-id']?.verdict !== 'error') return
    if (conversation.isItems) yield* invalidItems(conversation, document)
    else yield* repeatedBlocks(conversation, document)
  },
  words: ({ id, kind }) => {
    if (kind === 'repeated') return `an earlier item has the id ${idWords(id)}`
    if (kind === 'foreign') return `the item id ${idWords(id)} has the prefix of another type of item`
    return id.length > 64
      ? `the item id ${idWords(id)} has ${id.length} characters, at most 64 are taken`
      : `the item id ${idWords(id)} has characters that are not taken`
  },
  repair: ({ at }) => {
    const title = 'remove the id of the item'
    if ('tail' in at) return { title, safety: 'safe', loses: [], operations: [{ do: 'drop-item-id', block: at }] }
    const reasoning = reasoningOf(at)
    if (reasoning?.is(Flag.unsigned)) {
      return {
        title: 'remove the reasoning, which is nothing but its id',
        safety: 'safe',
        loses: ['reasoning'],
        operations: [{ do: 'remove-block', block: reasoning }],
      }
    }
    return { title, safety: 'safe', loses: [], operations: dropId(at) }
  },
})

function* invalidItems({ messages }: Conversation, { ids }: Document): Generator<InvalidItemId> {
  const seen = new Map<Id, Message>()
  for (const message of messages) {
    const item = itemOf(message)
    if (!hasSpareId(message)) continue
    const id = ids.text(item.id)
    const earlier = seen.get(item.id)
    if (!earlier) seen.set(item.id, message)
    const kind = earlier
      ? 'repeated'
      : !/^[\w-]{1,64}$/.test(id)
        ? 'ill-formed'
        : beginsRight(id, message)
          ? undefined
          : 'foreign'
    if (kind) yield { at: message, id, kind, related: relatedTo(earlier), ids: [id] }
  }
}

/** Texts and reasoning of messages that hold several items. A call's item has an id inside that of the call, which goes with it. */
function* repeatedBlocks({ messages }: Conversation, { ids }: Document): Generator<InvalidItemId> {
  const seen = new Map<Id, Block>()
  for (const message of messages) {
    for (const block of message.blocks) {
      if (block.id === NO_ID || (block.kind !== 'text' && block.kind !== 'thinking')) continue
      if (block.is(Flag.renamedBySender | Flag.foreign)) continue
      const earlier = seen.get(block.id)
      if (!earlier) seen.set(block.id, block)
      else {
        const id = ids.text(block.id)
        yield { at: block, message, id, kind: 'repeated', related: relatedTo(earlier), ids: [id] }
      }
    }
  }
}

function relatedTo(earlier: Message | Block | undefined): NonNullable<Match['related']> {
  return earlier ? [{ at: earlier, message: 'the earlier item is here' }] : []
}

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
