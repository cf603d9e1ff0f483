import type { Message } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'

interface First extends Match {
  readonly at: Message
}

const TEXT = '[convfix] The beginning of this conversation is not recorded.'

export const firstMessageRole = rule<First>({
  name: 'first-message-role',
  family: 'roles',
  phase: 'roles',
  scope: 'conversation',
  severity: 'info',
  summary: 'The conversation does not begin with a user message',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: 'first message must use the "user" role' },
    { text: 'Conversation must start with a user message or system message' },
  ],
  docs: {
    finds:
      'A conversation whose first message, system messages aside, is one of the assistant, for a provider that wants a user message first.',
    why: 'The beginning of the history was cut off, or a greeting of the assistant was saved as its first message. The provider refuses the request.',
    example: '[{"role":"assistant","content":"How can I help?"},{"role":"user","content":"hello"}]',
    repair: 'A short user message is put before it, which says that the beginning is not recorded.',
    safety: 'Safe: nothing is taken out, and the new message says what it is.',
    sources: ['table of message shapes sent to the API, 2026-07-25', 'ggml-org/llama.cpp#19851'],
  },
  *detect(conversation, { target }) {
    // The prompt of a subagent stands in the call that started it; that of an answer in the request.
    if (!target.startsWithUser || conversation.role === 'subagent' || conversation.isAnswer) return
    const first = conversation.messages.find((message) => message.role !== 'system')
    if (first?.role === 'assistant') yield { at: first }
  },
  words: () => 'the first message is one of the assistant',
  repair: ({ at }) => ({
    title: 'put a short user message before it',
    safety: 'safe',
    loses: [],
    operations: [{ do: 'insert-message', before: at, role: 'user', text: TEXT }],
  }),
})
