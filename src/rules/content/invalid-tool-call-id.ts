import { type Block, Flag } from '../../model/blocks.ts'
import type { Conversation, Document, Message } from '../../model/document.ts'
import type { Target } from '../../targets/target.ts'
import { type Id, NO_ID } from '../../text/ids.ts'
import { isValidId, NewIds } from '../new-id.ts'
import { pairingOf } from '../pairing/pairing.ts'
import { type Match, rule } from '../rule.ts'
import { idWords } from '../words.ts'

interface InvalidId extends Match {
  readonly id: string
  readonly newId: string
  /** Every call and result that has the id. */
  readonly blocks: readonly Block[]
}

export const invalidToolCallId = rule<InvalidId>({
  name: 'invalid-tool-call-id',
  family: 'content',
  phase: 'ids',
  scope: 'conversation',
  severity: 'info',
  summary: 'A tool call has no id, or one with characters or a length that the provider does not take',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: "String should match pattern '^[a-zA-Z0-9_-]+$'" },
    { target: 'openai-chat', text: 'string too long. Expected a string with maximum length 40' },
    { text: 'must be a-z, A-Z, 0-9, with a length of 9' },
    { target: 'openai-responses', text: 'string_above_max_length' },
  ],
  docs: {
    finds:
      'A tool call without an id, or an id of a call or result that the provider does not take: other characters than letters, digits, `_` and `-`, or too many of them. Ids of server tools have a rule of their own and are left alone.',
    why: 'The session was begun with another provider, whose ids look different: `functions.Bash:0` (Kimi), `call_…|fc_…` (Responses). Every request with one of them is refused.',
    example:
      '[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"functions.Bash:0","name":"Bash","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"functions.Bash:0","content":"done"}]}]',
    repair:
      'The call and all its results get one new id, as like the old one as the provider allows. Two ids never become one; the same file always gets the same ids.',
    safety: 'Safe: an id means nothing but which result belongs to which call.',
    sources: ['maximhq/bifrost#5097', 'huggingface/tau#385', 'vercel/ai#8132'],
  },
  needs: ({ kinds }) => kinds.has('tool-call') || kinds.has('tool-result'),
  *detect(conversation, { document, target }) {
    // Gemini pairs by name.
    if (target.dialect !== 'gemini') yield* nameless(conversation, document, target)
    if (!target.ids) return
    // Of each id once: hardly any is invalid.
    const isJudged = new Uint8Array(document.ids.size)
    const invalid = new Map<Id, { readonly message: Message; readonly blocks: Block[] }>()
    for (const message of conversation.messages) {
      for (const block of message.blocks) {
        if ((block.kind !== 'tool-call' && block.kind !== 'tool-result') || block.id === NO_ID) continue
        if (isJudged[block.id] === 0) {
          isJudged[block.id] = 1
          const isValid = block.is(Flag.renamedBySender) || isValidId(document.ids.text(block.id), target.ids)
          if (!isValid) invalid.set(block.id, { message, blocks: [] })
        }
        if (invalid.size > 0) invalid.get(block.id)?.blocks.push(block)
      }
    }
    if (invalid.size === 0) return
    const newIds = NewIds.ofCalls(document, conversation, target)
    for (const { message, blocks } of invalid.values()) {
      const id = document.ids.text(blocks[0]!.id)
      const related = blocks.slice(1, 2).map((block) => ({ at: block, message: 'and here' }))
      yield { at: blocks[0]!, message, related, id, newId: newIds.instead(id), blocks, ids: [id] }
    }
  },
  words: ({ id }, { target }) => {
    if (id === '') return 'the tool call has no id: no result can answer it'
    const most = target.ids?.maxLength ?? 0
    return id.length > most
      ? `tool call id ${idWords(id)} has ${id.length} characters, at most ${most} are taken`
      : `tool call id ${idWords(id)} has characters that are not taken`
  },
  repair: ({ id, newId, blocks }) => ({
    title: id === '' ? `give it the id ${newId}` : `rename it to ${newId}`,
    safety: 'safe',
    loses: [],
    operations: blocks.map((block) => ({ do: 'rename-id', block, id: newId })),
  }),
})

/** Calls that are stored without an id, with the results that answer them all the same. */
function* nameless(conversation: Conversation, document: Document, target: Target): Generator<InvalidId> {
  let newIds: NewIds | undefined
  let count = 0
  for (const { block, message, answer, surplus } of pairingOf(conversation, target).nameless) {
    newIds ??= NewIds.ofCalls(document, conversation, target)
    const results = answer ? [answer, ...surplus] : []
    const newId = newIds.another('call', ++count)
    const blocks = [block, ...results.map((result) => result.block)]
    yield { at: block, message, id: '', newId, blocks, ids: [], severity: 'error' }
  }
}
