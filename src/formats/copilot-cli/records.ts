import { textFlags } from '../../dialects/facts.ts'
import { Block, Flag } from '../../model/blocks.ts'
import { Entry, type Role } from '../../model/document.ts'
import { type Id, type Ids, NO_ID } from '../../text/ids.ts'
import type { JsonView, Path } from '../../text/view.ts'
import type { Salvaged } from '../format.ts'
import { copilot } from './dialect.ts'

/** What only this format reads of an event. */
export interface Facts {
  readonly type: string
  /** Of an event of a subagent: its `agentId`, or the call that started it. */
  readonly agent: Id
  readonly model: Id
}

const DATA: Path = Object.freeze(['data'])
const SUMMARY: Path = Object.freeze(['summaryContent'])

/** Events that are messages of the request (github/copilot-sdk, `session-events.ts`). */
const ROLES: Readonly<Record<string, Role>> = {
  'user.message': 'user',
  'assistant.message': 'assistant',
  'tool.execution_complete': 'tool',
}

/** Events behind which nothing more is said in a turn: a result that is added stands before them. */
const ENDS = new Set(['abort', 'assistant.turn_end', 'session.shutdown', 'session.resume', 'session.error'])

export function factsOf(entry: Entry): Facts {
  return entry.more as Facts
}

const shared = new WeakMap<Ids, Map<string, Facts>>()

function facts(ids: Ids, type: string, agent: Id, model: Id): Facts {
  let known = shared.get(ids)
  if (!known) shared.set(ids, (known = new Map()))
  const key = `${type} ${agent} ${model}`
  let found = known.get(key)
  if (!found) known.set(key, (found = { type, agent, model }))
  return found
}

/** The skeleton of an event. Every event is a link of the chain; only a few are messages. */
export function readEvent(view: JsonView, record: number, ids: Ids): Entry | undefined {
  const type = view.get('type')?.string()
  const data = view.get('data')
  if (type === undefined || data?.kind !== 'object') return undefined
  const entry = new Entry(record, DATA)
  entry.id = ids.of(view.get('id'))
  entry.parent = ids.of(view.get('parentId'))
  entry.kind = ENDS.has(type) ? 'message' : 'note'
  const agent = ids.of(view.get('agentId')) || ids.of(data.get('parentToolCallId'))
  const model = ids.of(data.get('model') ?? data.get('newModel') ?? data.get('selectedModel'))
  entry.more = facts(ids, type, agent, model)
  if (Object.hasOwn(ROLES, type)) {
    entry.kind = 'message'
    entry.role = ROLES[type]!
    copilot.read(data, entry, ids)
  } else if (type === 'session.compaction_complete' && data.get('success')?.boolean() !== false) {
    const summary = data.get('summaryContent')
    if (summary?.kind === 'string' && summary.length > 0) {
      entry.kind = 'checkpoint'
      entry.role = 'user'
      const flags = textFlags(summary) | Flag.wholeContent
      entry.blocks = [new Block('text', entry, SUMMARY, { size: summary.length, flags })]
    }
  }
  return entry
}

/** The link that a torn event was. Its id stands behind its content and is mostly gone. */
export function readTorn(fields: Salvaged, record: number, ids: Ids): Entry | undefined {
  const id = fields.get('id')
  if (typeof id !== 'string') return undefined
  const parent = fields.get('parentId')
  const entry = new Entry(record, DATA)
  entry.kind = 'damaged'
  entry.id = ids.add(id)
  entry.parent = typeof parent === 'string' ? ids.add(parent) : NO_ID
  entry.more = facts(ids, '', NO_ID, NO_ID)
  return entry
}
