import { Entry, type Message, type Role } from '../../model/document.ts'
import type { Ids } from '../../text/ids.ts'
import type { JsonView, Path } from '../../text/view.ts'
import type { Format, Skeleton } from '../format.ts'
import { resumeBy } from '../resume.ts'
import { chat } from './dialect.ts'
import { CodeAgentEditor } from './editor.ts'
import { BOUNDARY, type Facts, factsOf, STARTED, SUMMARIES } from './facts.ts'

/** Keys that every record of a session has, empty ones as null (Harvil1/codeAgent, `SessionStore.append_message`). */
const KEYS = ['id', 'role', 'content', 'tool_calls', 'tool_call_id', 'name', 'timestamp', 'turn_index']

const RECORD: Path = Object.freeze([])

/** Sessions of codeAgent, `~/.codeAgent/.sessions/<uuid>.jsonl` (Harvil1/codeAgent, 2026): Chat Completions messages with an envelope. */
export const codeAgent: Format = {
  name: 'codeagent',
  title: 'codeAgent session',
  shape: 'lines',
  use: 'session',
  folds: false,
  dialect: chat,
  target: 'openai-chat',
  root: 'messages',
  detect: (sample) => isMostly(sample, (view) => KEYS.every((key) => view.get(key) !== undefined)),
  read: readMessage,
  assemble: (document) => conversationOf(document, resumed(document)),
  editor: (document) => new CodeAgentEditor(document),
  // The id of a session is the name of its file; the command is typed in codeAgent itself.
  resume: (document) => resumeBy('/resume ', /([^/\\]+)\.jsonl$/.exec(document.path ?? '')?.[1]),
  heals: {
    'orphan-tool-call':
      'fully: codeAgent answers the first hundred calls of a turn with a note (`_fix_tool_call_pairs`)',
    'orphan-tool-result': 'with loss: codeAgent drops the result (`_fix_tool_call_pairs`)',
    'misordered-tool-result':
      'not: codeAgent drops a result that stands before its call, and answers a call whose result comes late a second time (`_fix_tool_call_pairs`)',
    'duplicate-tool-result': 'not: codeAgent keeps both results (`_fix_tool_call_pairs`)',
    'torn-record': 'with loss: codeAgent skips the record (`SessionStore._read_session_msgs`)',
  },
}

/**
 * Copies of a conversation that codeAgent keeps before it compacts it, `.transcripts/transcript_<time>_<4 hex>.jsonl` (`agent/transcript.py`).
 * Nobody resumes them: the conversation is what stands there, two messages of one role as codeAgent itself leaves them.
 */
export const codeAgentTranscript: Format = {
  name: 'codeagent-transcript',
  title: 'codeAgent transcript snapshot',
  shape: 'lines',
  use: 'session',
  folds: false,
  dialect: chat,
  target: 'openai-chat',
  root: 'messages',
  detect: (sample) =>
    isMostly(
      sample,
      (view) => view.get('seq')?.kind === 'number' && view.get('ts')?.kind === 'string' && hasRole(view),
    ),
  read: readMessage,
  assemble: (document) => conversationOf(document, [...document.entries()]),
  editor: (document) => new CodeAgentEditor(document),
}

const hasRole = (view: JsonView): boolean => view.get('role')?.kind === 'string'

/** Whether more than half of the records are of a kind: a foreign or a foreshortened line among them is no reason to doubt. */
function isMostly(sample: readonly JsonView[], test: (view: JsonView) => boolean): boolean {
  const messages = sample.filter((view) => view.get('_meta') === undefined)
  return messages.filter((view) => hasRole(view) && test(view)).length * 2 > messages.length
}

function readMessage(view: JsonView, record: number, ids: Ids): Entry | undefined {
  if (!hasRole(view)) return undefined
  const entry = new Entry(record, RECORD)
  entry.kind = 'message'
  chat.read(view, entry, ids)
  const head = entry.role === 'user' ? (view.get('content')?.peek(32) ?? '') : ''
  entry.more = {
    id: ids.of(view.get('id')),
    isBoundary: head.startsWith(BOUNDARY),
    isStarted: head.startsWith(STARTED),
    isSummary: SUMMARIES.some((summary) => head.startsWith(summary)),
  } satisfies Facts
  return entry
}

/**
 * What codeAgent loads of a session, before it repairs anything (`resume_session` in `cli.py`): the system prompt is made anew;
 * the newest compaction stands for all before it; the mark of a compaction that did not come to its end goes; of several
 * summaries the newest stays.
 */
function resumed(document: Skeleton): Entry[] {
  const dropped: Role = 'system'
  let entries = [...document.entries()].filter((entry) => entry.role !== dropped)
  const boundary = entries.findLastIndex((entry) => factsOf(entry).isBoundary)
  if (boundary > 0) entries = entries.slice(boundary)
  entries = entries.filter((entry) => !factsOf(entry).isStarted)
  const newest = entries.findLast((entry) => factsOf(entry).isSummary)
  return entries.filter((entry) => !factsOf(entry).isSummary || entry === newest)
}

function conversationOf(document: Skeleton, entries: readonly Entry[]): ReturnType<Format['assemble']> {
  for (const entry of document.entries()) entry.onPath = false
  const messages: Message[] = []
  for (const entry of entries) {
    entry.onPath = true
    messages.push(entry)
  }
  return { conversations: [{ label: 'session', role: 'main', root: 'messages', messages }] }
}
