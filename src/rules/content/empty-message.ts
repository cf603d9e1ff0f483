import { Flag } from '../../model/blocks.ts'
import type { Message } from '../../model/document.ts'
import { isEmpty, isRefused, removal, stacks } from '../roles/stacking.ts'
import { type Match, rule } from '../rule.ts'

interface Empty extends Match {
  readonly at: Message
  /** Whether it can go without a trace. */
  readonly removable: boolean
}

const TEXT = '[convfix] This message is empty.'

export const emptyMessage = rule<Empty>({
  name: 'empty-message',
  family: 'content',
  phase: 'emptiness',
  scope: 'conversation',
  severity: 'info',
  summary: 'A message has no content',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: 'user messages must have non-empty content' },
    { target: 'anthropic', text: 'all messages must have non-empty content' },
    { target: 'openai-chat', text: "Invalid value for 'content': expected a string, got null" },
    { target: 'gemini', text: 'contents.parts must not be empty' },
    { target: 'gemini', text: "required oneof field 'data' must have one initialized field" },
    { target: 'gemini-vertex', text: 'must include at least one parts field' },
    { text: 'invalid message content type: <nil>' },
  ],
  docs: {
    finds:
      'A message without any block, or with nothing but empty and blank texts. What a provider takes is no fault: Anthropic takes an assistant message with `""` or `[]`, OpenAI takes an empty string.',
    why: 'An interrupted stream, or a client that removed the only block of a message. The provider refuses every request with such a message.',
    example: '[{"role":"user","content":"hello"},{"role":"assistant","content":"Hi."},{"role":"user","content":""}]',
    repair:
      'The message is removed where that brings no two messages of one role together and leaves a user message first; else it gets a short placeholder.',
    safety:
      'Safe: there is nothing to lose (fields beside the content that hold something are named in the report), and the placeholder says what it is. A single space is no cure: it is refused as well.',
    sources: ['table of message shapes sent to the API, 2026-07-25', 'docker/docker-agent#63', 'QwenLM/qwen-code#3421'],
  },
  needs: ({ flags, hasBareMessage }) => hasBareMessage || (flags & (Flag.empty | Flag.blank)) !== 0,
  *detect(conversation, { document, target }) {
    const { messages } = conversation
    /** The message before this one as it will be, when those that can go are gone. */
    let before: Message | undefined
    for (const [index, message] of messages.entries()) {
      if (!isEmpty(message) || !isRefused(message, target)) {
        before = message
        continue
      }
      const removable = canGo(message, before, messages[index + 1], document.folds)
      if (!removable) before = message
      yield { at: message, removable }
    }
  },
  words: ({ at }) => `the ${at.role} message has no content`,
  repair: ({ at, removable }, { document }) =>
    removable
      ? removal(at, document)
      : {
          title: 'say in the message that it is empty',
          safety: 'safe',
          loses: [],
          operations: [{ do: 'fill-message', message: at, text: TEXT }],
        },
})

function canGo(message: Message, before: Message | undefined, next: Message | undefined, folds: boolean): boolean {
  if (!before || before.role === 'system')
    return next !== undefined && (next.role === 'user' || message.role !== 'user')
  // Where it is stacked itself, its neighbours are no closer without it.
  return !next || folds || !stacks(before, next) || before.role === message.role
}
