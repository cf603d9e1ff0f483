import { type Block, Flag } from '../../model/blocks.ts'
import type { Message } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'
import { refuses } from './signatures.ts'

interface Last extends Match {
  readonly at: Block
  readonly message: Message
}

export const thinkingLast = rule<Last>({
  name: 'thinking-last',
  family: 'reasoning',
  phase: 'reasoning',
  scope: 'conversation',
  severity: 'info',
  summary: 'A message of the assistant ends with thinking',
  since: '0.1.0',
  errors: [{ target: 'anthropic', text: 'The final block in an assistant message cannot be `thinking`' }],
  docs: {
    finds:
      'In arrays, bodies and data sets: a turn of the assistant whose last block is thinking. An error where it is the last message of a request body, which is sent as it stands. Elsewhere it is only of note: the API took such a turn before a prompt when it was tried, and one report says otherwise. Nothing is said of sessions, where the next prompt follows or the client leaves the turn out.',
    why: 'The stream broke off when the model had thought and not yet said anything.',
    example:
      '{"model":"claude-opus-4-1","max_tokens":4096,"messages":[{"role":"user","content":"9 x 7?"},{"role":"assistant","content":[{"type":"text","text":"Let me see."},{"type":"thinking","thinking":"nine sevens","signature":"RXhhbXBsZQ=="}]}]}',
    repair: 'The thinking at the end is removed, and with it a message that holds nothing else.',
    safety:
      'Unsafe: the thinking is whole, and a prompt behind it would do as well. What goes is named in the report and kept in the backup.',
    sources: ['table of message shapes sent to the API, 2026-07-25', 'anthropics/claude-code#10199'],
  },
  needs: ({ kinds }) => kinds.has('thinking'),
  *detect({ messages, isRequest, isAnswer }, { document, target }) {
    if (!refuses(target, 'thinking-last') || document.use === 'session' || isAnswer) return
    for (const [index, message] of messages.entries()) {
      const at = message.blocks.at(-1)
      if (message.role !== 'assistant' || at?.kind !== 'thinking' || document.dialect !== target.dialect) continue
      // What cannot be verified goes in any case.
      if (at.is(Flag.unsigned | Flag.badSignature)) continue
      const next = messages[index + 1]
      // The provider joins messages of the assistant to one turn.
      if (next?.role === 'assistant') continue
      const isEnd = next === undefined && isRequest === true
      yield isEnd ? { at, message } : { at, message, severity: 'info' }
    }
  },
  words: () => 'the message ends with thinking',
  repair: ({ at, message }) => {
    const rest = message.blocks.findLastIndex(({ kind }) => kind !== 'thinking')
    const gone = rest < 0 ? [at] : message.blocks.slice(rest + 1)
    return {
      title: rest < 0 ? 'remove the message' : 'remove the thinking at its end',
      safety: 'unsafe',
      loses: ['reasoning'],
      operations: rest < 0 ? [{ do: 'remove-message', message }] : gone.map((block) => ({ do: 'remove-block', block })),
    }
  },
})
