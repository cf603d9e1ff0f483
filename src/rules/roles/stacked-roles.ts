import { type Block, Flag } from '../../model/blocks.ts'
import type { Message } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'
import { isEmpty, isRefused, removal, stacks } from './stacking.ts'

interface Stacked extends Match {
  readonly at: Message
  /** The first message of the run. */
  readonly head: Message
  readonly foldable: boolean
}

export const stackedRoles = rule<Stacked>({
  name: 'stacked-roles',
  family: 'roles',
  phase: 'roles',
  scope: 'conversation',
  severity: 'warning',
  summary: 'Two messages of one role follow each other',
  since: '0.1.0',
  errors: [
    { target: 'local-template', text: 'conversation roles must alternate user and assistant' },
    { text: 'roles must alternate between "user" and "assistant", but found multiple "user" roles in a row' },
    { text: 'A conversation must alternate between user and assistant roles' },
    { text: 'user or tool message(s) should alternate with assistant message(s)' },
    { text: 'does not support successive user or assistant messages' },
    // Quoted in code of clients; whether today's API still says it is not known.
    { text: 'Please ensure that multiturn requests alternate between user and model' },
  ],
  docs: {
    finds:
      'A user message directly behind a user message, or an assistant message behind an assistant message. A message that holds only tool results counts as a role of its own. An error where the provider wants strict alternation, a warning in arrays, bodies and data sets; none in session files, whose clients send such messages as they like.',
    why: 'Chat templates with strict alternation and Bedrock Converse refuse the request. Others join the messages, and what was one turn in the log is another one for the model.',
    example: '[{"role":"user","content":"hello"},{"role":"user","content":"are you there?"}]',
    repair:
      'The blocks of the later message are appended to the earlier one (a string becomes a text block), results first.',
    safety:
      'Safe: nothing is taken out. Two assistant messages that both hold signed thinking are never folded, since thinking must stay as it was written.',
    sources: [
      'https://platform.claude.com/docs/en/api/messages/create',
      'ggml-org/llama.cpp#19851',
      'SWE-agent/mini-swe-agent#759',
      'langchain-ai/langchain-aws#130',
    ],
  },
  *detect(conversation, { document, target }) {
    // Items of a turn stand beside each other by nature.
    if (document.folds || conversation.isItems) return
    const alternates = target.verdicts['stacked-roles']?.verdict === 'error'
    if (!alternates && document.use === 'session') return
    let head: Message | undefined
    let last: Message | undefined
    let thinks = false
    for (const message of conversation.messages) {
      // An empty one goes, and is told of by empty-message.
      if (head?.role === message.role && isEmpty(message) && isRefused(message, target)) continue
      // Where turns are not joined, the results of its calls will stand between.
      const isAnswered = last !== undefined && !target.results.joinsTurns && last.blocks.some(isCall)
      last = message
      const isHeadGone = head?.role === message.role && isEmpty(head) && isRefused(head, target)
      if (!head || isHeadGone || isAnswered || !stacks(head, message)) {
        head = message
        thinks = hasThinking(message)
        continue
      }
      const foldable = !(thinks && hasThinking(message))
      thinks ||= hasThinking(message)
      if (!alternates && !foldable) continue
      const match = { at: message, head, foldable, related: [{ at: head, message: 'the message before it' }] }
      yield alternates ? match : { ...match, severity: 'warning' }
    }
  },
  words: ({ at }) => `two ${at.role} messages in a row`,
  repair: ({ at, head, foldable }, { document }) => {
    if (!foldable) return undefined
    // What says nothing has nothing to fold.
    if (isEmpty(at)) return removal(at, document)
    return {
      title: 'fold it into the message before it',
      safety: 'safe',
      loses: [],
      operations: [{ do: 'fold', from: at, into: head }],
    }
  },
})

const isCall = (block: Block): boolean => block.kind === 'tool-call'

function hasThinking({ blocks }: Message): boolean {
  return blocks.some((block) => block.kind === 'thinking' && !block.is(Flag.unsigned))
}
