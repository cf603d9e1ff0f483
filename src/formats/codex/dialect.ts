import type { Dialect } from '../../dialects/dialect.ts'
import { openaiResponses } from '../../dialects/openai-responses.ts'
import type { Json, JsonView } from '../../text/view.ts'

/**
 * Items as Codex keeps them: the summary of an older compaction is no item, but is sent as a message of the user, and what another
 * agent said as an item that is made of its record.
 */
export const codexItems: Dialect = {
  ...openaiResponses,

  carry(role, items) {
    const [item] = items
    if (item?.get('author') && !item.get('type')) return agentMessage(item)
    const summary = item?.get('message')
    if (!item || !summary || item.get('type') || item.get('role')) return openaiResponses.carry(role, items)
    return openaiResponses.message('user', [openaiResponses.text(summary.verbatim(), 'user')])
  },
}

function agentMessage(report: JsonView): Json {
  const [id, author, recipient, content] = ['id', 'author', 'recipient', 'content'].map((key) =>
    report.get(key)?.verbatim(),
  )
  const said = [openaiResponses.text(content ?? '', 'user')]
  return { type: 'agent_message', ...(id === undefined ? {} : { id }), author, recipient, content: said }
}
