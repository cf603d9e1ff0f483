import type { Document, Message } from '../../model/document.ts'
import { storedMessage } from '../content.ts'
import { type Match, rule } from '../rule.ts'
import { idsOf } from '../words.ts'

interface Missing extends Match {
  readonly at: Message
}

export const missingReasoningContent = rule<Missing>({
  name: 'missing-reasoning-content',
  family: 'reasoning',
  phase: 'reasoning',
  scope: 'conversation',
  severity: 'info',
  summary: 'An assistant message with tool calls lacks the reasoning that other messages have',
  since: '0.1.0',
  errors: [
    { target: 'deepseek', text: 'The `reasoning_content` in the thinking mode must be passed back to the API.' },
  ],
  docs: {
    finds:
      'For DeepSeek: an assistant message with tool calls and without `reasoning_content`, in a conversation where other messages have it.',
    why: 'In thinking mode DeepSeek wants the reasoning of every turn with tool calls back. Clients lose it when they compact, switch models or resume. Other providers refuse the same field, so that the rule asks for it nowhere else.',
    example:
      '[{"role":"user","content":"time?"},{"role":"assistant","content":"","reasoning_content":"look","tool_calls":[{"id":"call_1","type":"function","function":{"name":"clock","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_1","content":"9"},{"role":"assistant","content":"","tool_calls":[{"id":"call_2","type":"function","function":{"name":"clock","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_2","content":"10"}]',
    repair: 'An empty `reasoning_content` is set. The reasoning of another message is never copied.',
    safety: 'Safe: nothing is taken out, and nothing is said that was not said before.',
    sources: ['earendil-works/pi#3636', 'NousResearch/hermes-agent#15353', 'continuedev/continue#9720'],
  },
  needs: ({ kinds }) => kinds.has('tool-call') && kinds.has('thinking'),
  *detect({ messages }, { document, target }) {
    if (target.verdicts['missing-reasoning-content']?.verdict !== 'error') return
    for (const message of messages) {
      const calls = message.blocks.filter(({ kind, tail }) => kind === 'tool-call' && tail[0] === 'tool_calls')
      if (calls.length === 0 || message.role !== 'assistant' || hasField(document, message)) continue
      yield { at: message, ids: idsOf(document, ...calls) }
    }
  },
  words: () => 'the message makes tool calls and lacks its reasoning_content',
  repair: ({ at }) => ({
    title: 'set an empty reasoning_content',
    safety: 'safe',
    loses: [],
    operations: at.entries.map((entry) => ({
      do: 'change-entry',
      entry,
      changes: [{ op: 'set', path: ['reasoning_content'], value: '' }],
    })),
  }),
})

function hasField(document: Document, message: Message): boolean {
  if (message.blocks.some(({ kind }) => kind === 'thinking')) return true
  return storedMessage(document, message)?.get('reasoning_content')?.kind === 'string'
}
