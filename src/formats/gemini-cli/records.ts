import { Entry } from '../../model/document.ts'
import type { Ids } from '../../text/ids.ts'
import type { JsonView, Path } from '../../text/view.ts'
import type { Salvaged } from '../format.ts'
import { geminiCliDialect, readResults } from './dialect.ts'
import type { Facts } from './facts.ts'

const RECORD: Path = Object.freeze([])
const SNAPSHOT: Path = Object.freeze(['$set', 'messages'])
const MESSAGES: Path = Object.freeze(['messages'])

/** Types of messages; the last three are shown and never sent. */
export const TYPES = new Set(['user', 'gemini', 'info', 'error', 'warning'])

/** How the user's messages begin that Gemini CLI does not send again (`isIgnoredUserContent`, 0.61.0). */
const IGNORED = ['/', '?', '<session_context>', '<hook_context>']

/** A line of a session, told apart in the order in which Gemini CLI 0.61.0 does it (`loadConversationRecord`). */
export function readLine(view: JsonView, record: number, ids: Ids): Entry | Entry[] | undefined {
  if (view.kind !== 'object') return undefined
  const rewind = view.get('$rewindTo')
  if (rewind?.kind === 'string') return bookkeeping(record, { line: 'rewind', names: ids.of(rewind) })
  if (view.get('id')?.kind === 'string') return readMessage(view, record, RECORD, ids)
  const set = view.get('$set')
  if (set?.kind === 'object' || set?.kind === 'array') {
    const list = set.get('messages')
    if (list?.kind !== 'array') return bookkeeping(record, { line: 'other' })
    return [bookkeeping(record, { line: 'replaced' }), ...readList(list, record, SNAPSHOT, ids)]
  }
  return isHeader(view) ? readSession(view, record, ids) : undefined
}

/** A header, with the messages that it holds where the session is one object. */
export function readSession(view: JsonView, record: number, ids: Ids): Entry[] {
  const isSubagent = view.get('kind')?.string() === 'subagent'
  const head = bookkeeping(record, { line: 'header', names: ids.of(view.get('sessionId')), isSubagent })
  const list = view.get('messages')
  return list?.kind === 'array' ? [head, ...readList(list, record, MESSAGES, ids)] : [head]
}

export function isHeader(view: JsonView): boolean {
  return view.get('sessionId')?.kind === 'string' && view.get('projectHash')?.kind === 'string'
}

/** What is left of a torn line. */
export function readTorn(fields: Salvaged, record: number, ids: Ids): Entry {
  const entry = bookkeeping(record, { line: 'torn', fields })
  entry.kind = 'damaged'
  const id = fields.get('id')
  if (typeof id === 'string') entry.id = ids.add(id)
  return entry
}

function bookkeeping(record: number, facts: Facts): Entry {
  const entry = new Entry(record, RECORD)
  entry.more = facts
  return entry
}

function readList(list: JsonView, record: number, path: Path, ids: Ids): Entry[] {
  const entries: Entry[] = []
  let index = 0
  for (const message of list.items()) {
    const at = index++
    if (message.get('id')?.kind === 'string') entries.push(...readMessage(message, record, [...path, at], ids))
  }
  return entries
}

/** The entry of a message and, where it holds results, that of the turn that is made of them. */
function readMessage(message: JsonView, record: number, path: Path, ids: Ids): Entry[] {
  const entry = new Entry(record, path)
  entry.id = ids.of(message.get('id'))
  entry.more = { line: 'message', model: ids.of(message.get('model')) } satisfies Facts
  const type = message.get('type')?.string()
  if (type !== 'user' && type !== 'gemini') return [entry]
  if (type === 'user' && isIgnored(message.get('content'))) return [entry]
  geminiCliDialect.read(message, entry, ids)
  // An answer without parts is not sent, and its results neither.
  if (entry.blocks.length === 0) return [entry]
  entry.kind = 'message'
  if (type === 'user') return [entry]
  const results = new Entry(record, path)
  results.id = entry.id
  results.role = 'user'
  results.blocks = readResults(message, results, ids)
  if (results.blocks.length === 0) return [entry]
  results.kind = 'message'
  results.more = { line: 'results' } satisfies Facts
  return [entry, results]
}

/** Whether the text of a user's message, its other parts spelled out in brackets, is one that is not sent. */
function isIgnored(content: JsonView | undefined): boolean {
  if (content === undefined) return true
  const parts = content.kind === 'array' ? content.items() : [content]
  for (const part of parts) {
    const text = part.kind === 'string' ? part : part.get('text')
    const isOther = part.kind === 'object' && OTHER_PARTS.some((key) => part.get(key) !== undefined)
    if (isOther) return false
    if (text?.kind !== 'string' || text.isBlank()) continue
    const begin = text.peek(4096)?.trimStart() ?? ''
    return IGNORED.some((mark) => begin.startsWith(mark))
  }
  return true
}

const OTHER_PARTS = [
  'videoMetadata',
  'thought',
  'codeExecutionResult',
  'executableCode',
  'fileData',
  'functionCall',
  'functionResponse',
  'inlineData',
]
