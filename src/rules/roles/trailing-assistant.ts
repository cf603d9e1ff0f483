import type { Message } from '../../model/document.ts'
import { storedMessage } from '../content.ts'
import { type Match, rule } from '../rule.ts'

interface Trailing extends Match {
  readonly at: Message
}

const TEXT = '[convfix] Please go on.'

export const trailingAssistant = rule<Trailing>({
  name: 'trailing-assistant',
  family: 'roles',
  phase: 'roles',
  scope: 'conversation',
  severity: 'info',
  summary: 'A request ends with a message of the assistant, and the model does not go on from one',
  since: '0.1.0',
  errors: [
    {
      target: 'anthropic',
      text: 'This model does not support assistant message prefill. The conversation must end with a user message.',
    },
    {
      target: 'mistral',
      text: 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
    },
  ],
  docs: {
    finds:
      'A request body, with its model and how the answer is to be made, whose last message is one of the assistant, for a model that does not go on from there: Claude 4.6 and later, and Mistral unless the message says `"prefix": true`. A saved conversation may end with an answer and mostly does, since the next prompt follows it: nothing is said of sessions, arrays and data sets.',
    why: 'An answer was begun in the name of the assistant (prefill) for a model that takes it, and the request goes to one that does not; or a program sends the history without a prompt.',
    example:
      '{"model":"claude-opus-4-8","max_tokens":1024,"messages":[{"role":"user","content":"A colour, as JSON."},{"role":"assistant","content":"{"}]}',
    repair: 'A short user message is put behind it, which asks to go on. The answer stays.',
    safety: 'Safe: nothing is taken out, and the new message says what it is.',
    sources: [
      'https://platform.claude.com/docs/en/api/errors#common-validation-errors',
      'strands-agents/sdk-python#1694',
      'QwenLM/qwen-code#8039',
      'mistralai/mistral-common, `validator.py`',
    ],
  },
  *detect({ messages, model, isRequest, isAnswer }, { document, target }) {
    if (!isRequest || isAnswer || !target.refusesPrefill?.model.test(document.model ?? model ?? '')) return
    const at = messages.at(-1)
    // Calls that wait for their results are another fault.
    if (at?.role !== 'assistant' || at.blocks.some(({ kind }) => kind === 'tool-call')) return
    // Mistral: the message says of itself that the answer is to go on from it.
    if (storedMessage(document, at)?.get('prefix')?.boolean() !== true) yield { at }
  },
  words: () => 'the request ends with a message of the assistant, from which this model does not go on',
  repair: ({ at }) => ({
    title: 'put a short user message behind it',
    safety: 'safe',
    loses: [],
    operations: [{ do: 'append-message', behind: at, role: 'user', text: TEXT }],
  }),
})
