import type { Dialect } from '../../dialects/dialect.ts'
import { openaiChat } from '../../dialects/openai-chat.ts'
import { BOUNDARY } from './facts.ts'

/** Chat Completions as codeAgent keeps it: results name their tool, and a mark stands before the newest summary. */
export const chat: Dialect = {
  ...openaiChat,

  result: (call, text) => ({ role: 'tool', content: text, tool_call_id: call.id, name: call.name }),

  carry(role, messages) {
    const message = openaiChat.carry(role, messages)
    const text = messages[0]?.get('content')?.string()
    // The line with the mark is taken off before the summary is sent.
    if (!text?.startsWith(BOUNDARY) || typeof message !== 'object' || message === null) return message
    return { ...message, content: text.replace(`${BOUNDARY}\n`, '') }
  },
}
