import { openaiResponses } from '../../dialects/openai-responses.ts'
import { isItemType } from '../../dialects/openai-responses-tools.ts'
import { Block, Flag } from '../../model/blocks.ts'
import { Entry } from '../../model/document.ts'
import type { Ids } from '../../text/ids.ts'
import type { JsonView, Path } from '../../text/view.ts'
import { lookup } from '../../text/view.ts'
import type { Salvaged } from '../format.ts'
import type { Facts } from './facts.ts'

const RECORD: Path = Object.freeze([])
const PAYLOAD: Path = Object.freeze(['payload'])
/** Where the items of a compaction stand, and beside them what Codex keeps on each. */
export const HISTORY: Path = Object.freeze(['payload', 'replacement_history'])
export const HISTORY_METADATA: Path = Object.freeze(['payload', 'replacement_history_metadata'])
const SUMMARY: Path = Object.freeze(['message'])

/** Items that only Codex writes. `ghost_snapshot` is kept on disk and not sent; the API's own trigger is not recorded. */
export const AGENT_MESSAGE = 'agent_message'
const OWN_ITEMS = new Set([AGENT_MESSAGE, 'context_compaction'])
const UNSENT_ITEMS = new Set(['compaction_trigger', 'ghost_snapshot'])

/**
 * How the messages begin that Codex writes in the user's name (read in `contextual_user_message.rs`, openai/codex, 2025-12 to
 * 2026-05). Newer versions (0.171.0) say on the item whose text it is.
 */
const CONTEXT = [
  '<environment_context>',
  '<user_instructions>',
  '# AGENTS.md instructions',
  '<turn_aborted>',
  '<skill>',
  '<user_shell_command>',
  '<subagent_notification>',
]

/** A line of a rollout: `{timestamp, ordinal?, type, payload}` around what it says. */
export function readLine(view: JsonView, record: number, ids: Ids): Entry | Entry[] | undefined {
  const type = view.get('type')?.string()
  const payload = view.get('payload')
  if (type === undefined || payload?.kind !== 'object') return undefined
  const ordinal = ordinalOf(view.get('ordinal'))
  switch (type) {
    case 'response_item':
      return readItem(payload, record, PAYLOAD, { line: 'item', ordinal }, ids)
    case 'session_meta': {
      const isPaginated = payload.get('history_mode')?.string() === 'paginated'
      const entry = bookkeeping(record, { line: 'header', ordinal, isPaginated })
      entry.id = ids.of(payload.get('id'))
      return entry
    }
    case 'compacted':
      return readCompaction(payload, record, ordinal, ids)
    case 'inter_agent_communication':
      return readReport(payload, record, ordinal, ids)
    case 'turn_context':
      return bookkeeping(record, { line: 'other', ordinal, model: payload.get('model')?.string() })
    case 'rollout_reference':
      return bookkeeping(record, { line: 'reference', ordinal })
    case 'event_msg':
      if (payload.get('type')?.string() === 'thread_rolled_back') {
        return bookkeeping(record, { line: 'rolled-back', ordinal, turns: payload.get('num_turns')?.number() ?? 0 })
      }
  }
  return bookkeeping(record, { line: 'other', ordinal })
}

/** A line of a rollout of mid-2025: a header, bare items, and states that are none of the conversation. */
export function readBareLine(view: JsonView, record: number, ids: Ids): Entry | undefined {
  if (view.kind !== 'object' || view.get('record_type') !== undefined) return undefined
  if (view.get('type') === undefined && view.get('role') === undefined) {
    const entry = bookkeeping(record, { line: 'header' })
    entry.id = ids.of(view.get('id'))
    return entry
  }
  return readItem(view, record, RECORD, { line: 'item' }, ids)
}

/** A torn line: one that was the header may tell what it said. */
export function readTorn(fields: Salvaged, record: number): Entry {
  const entry = new Entry(record, RECORD)
  entry.kind = 'damaged'
  entry.more = { line: 'torn', fields } satisfies Facts
  return entry
}

/** Larger than any session gets, and small enough to be counted on from. */
const MOST = 2 ** 50

/** The number of a record; what cannot be one is none. */
function ordinalOf(view: JsonView | undefined): number | undefined {
  const number = view?.number()
  return number !== undefined && Number.isInteger(number) && number >= 0 && number < MOST ? number : undefined
}

function bookkeeping(record: number, facts: Facts): Entry {
  const entry = new Entry(record, RECORD)
  entry.more = facts
  return entry
}

function readItem(item: JsonView, record: number, path: Path, facts: Facts, ids: Ids): Entry {
  const entry = new Entry(record, path)
  openaiResponses.read(item, entry, ids)
  const isUnsent = isUnsentItem(item)
  entry.kind = isUnsent ? 'note' : 'message'
  entry.more = { ...facts, isUnsent, isPrompt: !isUnsent && isPrompt(item, entry) } satisfies Facts
  return entry
}

/**
 * What another agent said: sent as an item of the type `agent_message` (measured with 0.171.0). Lines that lack one of these fields
 * Codex does not parse.
 */
function readReport(payload: JsonView, record: number, ordinal: number | undefined, ids: Ids): Entry {
  const isWhole = ['author', 'recipient', 'content'].every((key) => payload.get(key)?.kind === 'string')
  if (!isWhole) return bookkeeping(record, { line: 'other', ordinal })
  const entry = new Entry(record, PAYLOAD)
  entry.kind = 'message'
  entry.role = 'assistant'
  entry.id = ids.of(payload.get('id'))
  entry.blocks = [new Block('opaque', entry, RECORD, { name: ids.add(AGENT_MESSAGE), flags: Flag.wholeMessage })]
  entry.more = { line: 'item', ordinal, isPrompt: true } satisfies Facts
  return entry
}

function isUnsentItem(item: JsonView): boolean {
  const type = item.get('type')?.string() ?? 'message'
  if (type === 'message') return item.get('role')?.string() === 'system'
  return UNSENT_ITEMS.has(type) || !(isItemType(type) || OWN_ITEMS.has(type))
}

function isPrompt(item: JsonView, entry: Entry): boolean {
  if (item.get('type')?.string() === AGENT_MESSAGE) return true
  if (entry.role !== 'user' || (item.get('type')?.string() ?? 'message') !== 'message') return false
  const kinds = lookup(item, ['internal_chat_message_metadata_passthrough', 'content_item_kinds'])
  if (kinds?.kind === 'array' && kinds.size > 0) {
    for (const kind of kinds.items()) if (kind.startsWith('user.')) return true
    return false
  }
  const content = item.get('content')
  const text = content?.kind === 'array' ? lookup(content, [0, 'text']) : content
  return !CONTEXT.some((mark) => text?.startsWith(mark))
}

function readCompaction(payload: JsonView, record: number, ordinal: number | undefined, ids: Ids): Entry | Entry[] {
  const history = payload.get('replacement_history')
  if (history?.kind === 'array') {
    const metadata = payload.get('replacement_history_metadata')
    const lengths = metadata?.kind === 'array' ? ([history.size, metadata.size] as const) : undefined
    const entries = [bookkeeping(record, { line: 'replaced', ordinal, lengths })]
    entries[0]!.kind = 'checkpoint'
    for (const item of history.items()) {
      entries.push(readItem(item, record, [...HISTORY, entries.length - 1], { line: 'kept' }, ids))
    }
    return entries
  }
  // The older form: its summary is sent as a message of the user, and stands for all but the user's own texts.
  const entry = new Entry(record, PAYLOAD)
  entry.kind = 'checkpoint'
  entry.role = 'user'
  entry.more = { line: 'summary', ordinal } satisfies Facts
  const size = Math.max(payload.get('message')?.length ?? 0, 1)
  entry.blocks = [new Block('text', entry, SUMMARY, { size, flags: Flag.wholeContent })]
  return entry
}
