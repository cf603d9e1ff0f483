import { Flag } from '../../model/blocks.ts'
import type { Message } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'

interface ApiError extends Match {
  readonly at: Message
}

export const apiErrorRecord = rule<ApiError>({
  name: 'api-error-record',
  family: 'content',
  phase: 'emptiness',
  scope: 'conversation',
  severity: 'info',
  summary: 'The error of a request stands in the conversation as an answer',
  since: '0.1.0',
  errors: [],
  docs: {
    finds:
      'In sessions of Claude Code: a message that the client itself wrote when a request failed ("API Error: 400 …"), stored as if the assistant had said it.',
    why: 'It is sent with every further request, so the model reads the error as its own words. No provider refuses it.',
    example:
      '{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s1","message":{"role":"user","content":"go"}}\n{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s1","isApiErrorMessage":true,"message":{"role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"API Error: 529 Overloaded"}]}}',
    repair: 'The message is removed, where its rule is selected by name and unsafe fixes are asked for.',
    safety: 'Unsafe: nothing demands it, and it tells what went wrong when.',
    sources: ['measured with Claude Code 2.1.332: such records are sent'],
  },
  needs: ({ flags }) => (flags & Flag.apiError) !== 0,
  *detect({ messages }) {
    for (const message of messages)
      if (message.blocks.length > 0 && message.blocks.every((block) => block.is(Flag.apiError))) yield { at: message }
  },
  words: () => 'the error of a request is sent to the model as an answer of its own',
  repair: ({ at }) => ({
    title: 'remove the message',
    safety: 'unsafe',
    loses: ['text'],
    operations: [{ do: 'remove-message', message: at }],
  }),
})
