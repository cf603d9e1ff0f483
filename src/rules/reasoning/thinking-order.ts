import type { Conversation, Message } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'
import { refuses } from './signatures.ts'

interface Misordered extends Match {
  readonly at: Message
  readonly isOff: boolean
}

export const thinkingOrder = rule<Misordered>({
  name: 'thinking-order',
  family: 'reasoning',
  phase: 'reasoning',
  scope: 'conversation',
  severity: 'info',
  summary: 'The last turn does not begin with thinking although the request turns thinking on',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: 'Expected `thinking` or `redacted_thinking`, but found `tool_use`' },
    { text: 'a final `assistant` message must start with a thinking block' },
    { text: 'When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`' },
  ],
  docs: {
    finds:
      'In a request body with `"thinking": {"type": "enabled"}`: the turn whose tool calls were answered last does not begin with a thinking block. In one that turns thinking off: the last message is one of the assistant and holds thinking. Nothing is said of sessions, since their clients build the request, nor of bodies that leave thinking to the model.',
    why: 'A history that was begun without thinking, or by another provider, goes on with it. The provider looks at the open tool calls only: earlier turns may be as they like.',
    example:
      '{"model":"claude-sonnet-4-5","max_tokens":4096,"thinking":{"type":"enabled","budget_tokens":2048},"messages":[{"role":"user","content":"time?"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Clock","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"9"}]}]}',
    repair:
      'None: thinking cannot be signed by anybody but the provider. Turn thinking off for this request, or let a prompt of the user follow first.',
    safety: 'Nothing is changed.',
    sources: ['sst/opencode#3077', 'Kilo-Org/kilocode#5219', 'mastra-ai/mastra#7799', 'antinomyhq/forge#1853'],
  },
  *detect(conversation, { target }) {
    if (!refuses(target, 'thinking-order') || conversation.thinking === undefined || conversation.isAnswer) return
    const isOff = conversation.thinking === 'disabled'
    const at = isOff ? conversation.messages.at(-1) : lastLoop(conversation)
    if (at?.role !== 'assistant') return
    const thinks = at.blocks.some(({ kind }) => kind === 'thinking')
    if (isOff ? thinks : at.blocks[0]?.kind !== 'thinking') yield { at, isOff }
  },
  words: ({ isOff }) =>
    isOff
      ? 'the last message holds thinking although the request turns it off'
      : 'the turn of the last tool calls does not begin with thinking although the request turns it on',
})

/** The first message of the turn in which calls were answered last, where nothing but results follows; a turn has many steps. */
function lastLoop({ messages }: Conversation): Message | undefined {
  const last = messages.at(-1)
  if (!last || !isResults(last)) return undefined
  const prompt = messages.findLastIndex((message) => message.role !== 'assistant' && !isResults(message))
  return messages.slice(prompt + 1).find(({ role }) => role === 'assistant')
}

function isResults({ role, blocks }: Message): boolean {
  return role === 'user' && blocks.length > 0 && blocks.every(({ kind }) => kind === 'tool-result')
}
