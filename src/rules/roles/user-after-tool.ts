import type { Message } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'

interface Bridgeless extends Match {
  readonly at: Message
}

const TEXT = '[convfix] The answer to this tool result is not recorded.'

export const userAfterTool = rule<Bridgeless>({
  name: 'user-after-tool',
  family: 'roles',
  // Behind the repair of what stands in the wrong place.
  phase: 'roles',
  scope: 'conversation',
  severity: 'info',
  summary: 'A user message follows a tool result directly',
  since: '0.1.0',
  errors: [
    { target: 'mistral', text: "Unexpected role 'user' after role 'tool'" },
    { target: 'mistral', text: 'invalid_request_message_order' },
  ],
  docs: {
    finds:
      "For Mistral: a user message directly behind the result of a tool, without an answer of the assistant between them. A warning in arrays, bodies and data sets. In sessions it is only of note: their clients send what they know their provider to take. A conversation that ends with a result is healthy, since the assistant's answer may follow.",
    why: 'The user spoke before the answer to the result came. Some hosts and chat templates of Mistral models refuse the request, the current validator takes it.',
    example:
      '[{"role":"user","content":"time?"},{"role":"assistant","content":"","tool_calls":[{"id":"abcdef123","type":"function","function":{"name":"clock","arguments":"{}"}}]},{"role":"tool","tool_call_id":"abcdef123","content":"9"},{"role":"user","content":"well?"}]',
    repair: 'A short message of the assistant is put between them, which says that the answer is not recorded.',
    safety: 'Unsafe: it lets the assistant say what it never said, and most hosts do not ask for it.',
    sources: [
      'NousResearch/hermes-agent#20154',
      'yetone/avante.nvim#2695',
      'mistralai/mistral-common, `validator.py`, 2026-07-23',
    ],
  },
  *detect({ messages }, { document, target }) {
    const verdict = target.verdicts['user-after-tool']?.verdict
    if (verdict === undefined || verdict === 'ok') return
    let before: Message | undefined
    for (const at of messages) {
      if (at.role === 'user' && before?.role === 'tool') {
        yield document.use === 'session' ? { at, severity: 'info' } : { at }
      }
      before = at
    }
  },
  words: () => 'a user message stands directly behind the result of a tool',
  repair: ({ at }) => ({
    title: 'put a short message of the assistant before it',
    safety: 'unsafe',
    loses: [],
    operations: [{ do: 'insert-message', before: at, role: 'assistant', text: TEXT }],
  }),
})
