import { anthropic } from '../../dialects/anthropic.ts'
import type { Entry } from '../../model/document.ts'
import { NO_ID } from '../../text/ids.ts'
import type { JsonView } from '../../text/view.ts'
import type { Format, Skeleton } from '../format.ts'
import { ClineEditor } from './editor.ts'
import { effective } from './effective.ts'
import { factsOf, readMessages } from './records.ts'

/** What only the histories of this family have beside `role` and `content`. */
const EXTRAS = [
  'modelInfo',
  'metrics',
  'condenseId',
  'condenseParent',
  'truncationId',
  'truncationParent',
  'isSummary',
  'isTruncationMarker',
]
/** Messages that a history is judged by. */
const LOOKED_AT = 50

const HEALS: Format['heals'] = {
  'orphan-tool-call':
    'in part: Roo Code answers the calls of the last turn when it resumes ("Task was interrupted before this tool call could be completed."); Cline adds results when it migrates a task',
  'duplicate-tool-result': 'in part: Roo Code keeps the first result of a call while it builds a request',
  'torn-record': 'not: the task opens as an empty one (cline/cline#954, cline/cline#2290)',
}

const shared = {
  shape: 'document',
  use: 'session',
  folds: true,
  dialect: anthropic,
  target: 'anthropic',
  root: 'messages',
  heals: HEALS,
  editor: (document) => new ClineEditor(document),
  assemble(document: Skeleton) {
    const entries: Entry[] = [...document.entries()]
    const messages = effective(entries)
    for (const entry of entries) entry.onPath = false
    for (const message of messages) for (const entry of message.entries) entry.onPath = true
    const newest = entries.findLast((entry) => factsOf(entry).model !== NO_ID)
    const model = newest && document.ids.text(factsOf(newest).model)
    return { conversations: [{ label: 'task', role: 'main', root: 'messages', messages, model }] }
  },
} satisfies Partial<Format>

/**
 * Tasks of Cline, Roo Code and Kilo Code in VS Code: `tasks/<id>/api_conversation_history.json`, an array of Anthropic messages
 * with what the client wrote beside them. The whole history stays in the file; what is sent of it is in {@link effective}.
 */
export const cline: Format = {
  ...shared,
  name: 'cline',
  title: 'Cline, Roo Code or Kilo Code task',
  detect: ([view]) => view?.kind === 'array' && isHistory(view),
  read: (view, record, ids) => readMessages(view, [], record, ids),
}

/** Sessions of Cline's SDK, `~/.cline/data/sessions/<id>/<id>.messages.json` (contract version 1, `messages-contract-v1.md`). */
export const clineMessages: Format = {
  ...shared,
  name: 'cline-messages',
  title: 'Cline session (messages.json)',
  detect: ([view]) =>
    view?.get('messages')?.kind === 'array' &&
    view.get('version')?.kind === 'number' &&
    (view.get('agent')?.kind === 'string' || view.get('sessionId')?.kind === 'string') &&
    view.get('updated_at')?.kind === 'string',
  read(view, record, ids) {
    const list = view.get('messages')
    return list ? readMessages(list, ['messages'], record, ids) : []
  },
}

/** Messages with a role, and beside it a time in milliseconds or a mark of the client's own. */
function isHistory(list: JsonView): boolean {
  let looked = 0
  let marked = false
  for (const message of list.items()) {
    if (looked++ === LOOKED_AT) break
    const isMessage = message.get('role')?.kind === 'string' && message.get('content') !== undefined
    if (!isMessage && message.get('type')?.string() !== 'reasoning') return false
    if (message.get('parts') || message.get('tool_calls')) return false
    marked ||= (message.get('ts')?.number() ?? 0) > 1e12 || EXTRAS.some((key) => message.get(key) !== undefined)
    marked ||= looked === 1 && isTask(message)
  }
  return marked
}

/** The first message of a task: the prompt in tags, and what the client says of its surroundings. */
function isTask(message: JsonView): boolean {
  const content = message.get('content')
  if (content?.kind !== 'array') return false
  const heads = Array.from(content.items(), (block) => block.get('text')?.peek(24) ?? '')
  const begins = (tag: string): boolean => heads.some((head) => head.startsWith(tag))
  return (begins('<task>') || begins('<user_message>')) && begins('<environment_details>')
}
