import type { Dialect } from '../../dialects/dialect.ts'
import { openaiResponses } from '../../dialects/openai-responses.ts'

/** Items as Codex keeps them: the summary of an older compaction is no item, but is sent as a message of the user. */
export const codexItems: Dialect = {
  ...openaiResponses,

  carry(role, items) {
    const [item] = items
    const summary = item?.get('message')
    if (!item || !summary || item.get('type') || item.get('role')) return openaiResponses.carry(role, items)
    return openaiResponses.message('user', [openaiResponses.text(summary.verbatim(), 'user')])
  },
}
