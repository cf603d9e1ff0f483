import type { JsonView } from '../../text/view.ts'

const LINK_TYPES = new Set(['user', 'assistant', 'system', 'attachment', 'progress'])
const BOOKKEEPING = new Set([
  'summary',
  'file-history-snapshot',
  'file-history-delta',
  'queue-operation',
  'last-prompt',
  'custom-title',
  'ai-title',
  'agent-name',
  'tag',
  'permission-mode',
  'mode',
  'pr-link',
])

/**
 * Whether the lines are a Claude Code session: linked records whose messages have a role and content. Qwen Code links its
 * records alike, but its messages have `parts`; `claude -p --output-format stream-json` writes `session_id` and no links.
 */
export function detectSession(sample: readonly JsonView[]): boolean {
  let isLikely = false
  for (const line of sample) {
    const verdict = judge(line)
    if (verdict === 'no') return false
    if (verdict === 'yes') isLikely = true
  }
  return isLikely
}

function judge(line: JsonView): 'yes' | 'no' | 'open' {
  const type = line.get('type')?.string()
  if (type === undefined) return 'open'
  const message = line.get('message')
  if (line.get('session_id') || line.get('parent_tool_use_id') || message?.get('parts')) return 'no'
  if (type === 'user' || type === 'assistant') {
    const content = message?.get('content')
    return content?.kind === 'string' || content?.kind === 'array' ? 'yes' : 'open'
  }
  if (LINK_TYPES.has(type)) return line.get('isSidechain') && line.get('uuid') ? 'yes' : 'open'
  if (!BOOKKEEPING.has(type)) return 'open'
  return line.get('sessionId') || line.get('leafUuid') || line.get('messageId') ? 'yes' : 'open'
}
