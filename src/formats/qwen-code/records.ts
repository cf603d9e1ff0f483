import { gemini } from '../../dialects/gemini.ts'
import { Entry } from '../../model/document.ts'
import { type Id, type Ids, NO_ID } from '../../text/ids.ts'
import type { JsonView, Path } from '../../text/view.ts'
import type { Salvaged } from '../format.ts'

/**
 * The records of Qwen Code sessions, `~/.qwen/projects/<slug>/chats/<sessionId>.jsonl` (read in Qwen Code 0.24.4,
 * `validateTranscriptRecord`, `isTranscriptConversationRecord`; the same files since 0.5).
 */
export type RecordType = 'user' | 'assistant' | 'tool_result' | 'system'

const TYPES: ReadonlySet<string> = new Set<RecordType>(['user', 'assistant', 'tool_result', 'system'])

/** System records that neither can be the leaf nor are links of the chain. */
const APART: ReadonlySet<string> = new Set([
  'session_artifact_event',
  'session_artifact_snapshot',
  'session_sources_snapshot',
  'managed_session_header_v1',
  'managed_session_event_v1',
  'managed_session_commit_v1',
])

export const MESSAGE: Path = Object.freeze(['message'])
export const COMPRESSED: Path = Object.freeze(['systemPayload', 'compressedHistory'])

/** What only this format reads of a record. */
export interface Facts {
  readonly type: RecordType
  readonly subtype: string | undefined
  readonly session: Id
  readonly model: Id
  /** Of a prompt that looks like a slash command its text; of a command that was answered without the model the command. */
  readonly command?: Id
  /** Of a compression: whether its history is a list. */
  readonly isList?: boolean
  /** Of a branch checkpoint: the record behind which its turn begins, and the one with its answer. */
  readonly start?: Id
  readonly answer?: Id
}

/** What a torn record still says beside its links. */
export interface TornFacts {
  /** Whether it says that it had no parent, rather than nothing of a parent. */
  readonly isRoot: boolean
}

export function factsOf(entry: Entry): Facts | undefined {
  return entry.kind === 'damaged' ? undefined : (entry.more as Facts | undefined)
}

/** Whether a record stands in the chain: it has an id, and is not apart. */
export function isLink(entry: Entry): boolean {
  return entry.id !== NO_ID && entry.kind !== 'bookkeeping' && entry.kind !== 'damaged'
}

/** What Qwen Code asks of a record; it skips all that lack it. */
function identityOf(
  view: JsonView,
): { uuid: JsonView; parent: JsonView; session: JsonView; type: RecordType } | undefined {
  const uuid = view.get('uuid')
  const parent = view.get('parentUuid')
  if (!uuid?.length || !parent || (parent.kind !== 'string' && parent.kind !== 'null')) return undefined
  const session = view.get('sessionId')
  const type = view.get('type')?.string()
  return session?.length && type !== undefined && TYPES.has(type)
    ? { uuid, parent, session, type: type as RecordType }
    : undefined
}

export function isRecord(view: JsonView): boolean {
  return identityOf(view) !== undefined
}

/** One entry for a record; for a compression one more for each message of the history that it puts in the place of all before. */
export function readRecord(view: JsonView, record: number, ids: Ids): Entry | Entry[] | undefined {
  const identity = identityOf(view)
  if (!identity) return undefined
  const { uuid, parent, session, type } = identity
  const entry = new Entry(record, MESSAGE)
  entry.id = ids.of(uuid)
  entry.parent = ids.of(parent)
  const subtype = view.get('subtype')?.string()
  const facts = {
    type,
    subtype,
    session: ids.of(session),
    model: type === 'assistant' ? ids.of(view.get('model')) : NO_ID,
  }
  entry.more = facts satisfies Facts
  if (type === 'system') return readSystem(view, entry, facts, ids)
  const message = view.get('message')
  const isSent = message?.kind === 'object' && subtype !== 'realtime_message'
  entry.kind = isSent ? 'message' : 'note'
  if (!isSent) return entry
  gemini.read(message, entry, ids)
  const command = type === 'user' && subtype === undefined ? promptOf(message, ids) : NO_ID
  if (command !== NO_ID) entry.more = { ...facts, command } satisfies Facts
  return entry
}

function readSystem(view: JsonView, entry: Entry, facts: Facts, ids: Ids): Entry | Entry[] {
  entry.kind = facts.subtype !== undefined && APART.has(facts.subtype) ? 'bookkeeping' : 'note'
  if (facts.subtype === 'slash_command') entry.more = { ...facts, command: answered(view, ids) } satisfies Facts
  if (facts.subtype === 'branch_checkpoint') {
    const payload = view.get('systemPayload')
    const start = ids.of(payload?.get('startExclusiveRecordUuid'))
    const answer = ids.of(payload?.get('assistantRecordUuid'))
    entry.more = { ...facts, start, answer } satisfies Facts
  }
  if (facts.subtype !== 'chat_compression') return entry
  const compressed = view.get('systemPayload')?.get('compressedHistory')
  if (!isTruthy(compressed)) return entry
  entry.kind = 'checkpoint'
  if (compressed?.kind !== 'array') return entry
  entry.more = { ...facts, isList: true } satisfies Facts
  const entries = [entry]
  for (const content of compressed.items()) entries.push(readCompressed(content, entry.record, entries.length - 1, ids))
  return entries
}

function readCompressed(content: JsonView, record: number, index: number, ids: Ids): Entry {
  const entry = new Entry(record, [...COMPRESSED, index])
  entry.kind = 'message'
  gemini.read(content, entry, ids)
  return entry
}

function isTruthy(view: JsonView | undefined): boolean {
  return view !== undefined && Boolean(view.kind === 'object' || view.kind === 'array' || view.value())
}

/** The text of a prompt that is nothing but a slash command. */
function promptOf(message: JsonView | undefined, ids: Ids): Id {
  const parts = message?.get('parts')
  if (parts?.kind !== 'array' || parts.size !== 1) return NO_ID
  for (const part of parts.items()) {
    const text = part.get('text')
    if (part.size === 1 && text?.kind === 'string' && text.length < 4096 && text.peek(1) === '/') return ids.of(text)
  }
  return NO_ID
}

/** The command of a record which says that Qwen Code answered it by itself. */
function answered(view: JsonView, ids: Ids): Id {
  const payload = view.get('systemPayload')
  const items = payload?.get('outputHistoryItems')
  if (payload?.get('phase')?.string() !== 'result' || payload.get('sentToModel')?.boolean()) return NO_ID
  if (items?.kind !== 'array' || items.size === 0) return NO_ID
  for (const item of items.items()) if (item.get('type')?.string() !== 'assistant') return NO_ID
  return ids.of(payload.get('rawCommand'))
}

/** The link that a torn record was, as far as it still says so. */
export function readTorn(fields: Salvaged, record: number, ids: Ids): Entry | undefined {
  const uuid = fields.get('uuid')
  if (typeof uuid !== 'string' || uuid === '') return undefined
  const parent = fields.get('parentUuid')
  const entry = new Entry(record, MESSAGE)
  entry.kind = 'damaged'
  entry.id = ids.add(uuid)
  entry.parent = typeof parent === 'string' ? ids.add(parent) : NO_ID
  entry.more = { isRoot: parent === null } satisfies TornFacts
  return entry
}
