import { pi, readContent, readSummary } from '../../dialects/pi.ts'
import { Entry } from '../../model/document.ts'
import { type Id, type Ids, NO_ID } from '../../text/ids.ts'
import type { Json, JsonView, Path } from '../../text/view.ts'
import type { Salvaged } from '../format.ts'

/** Bits of {@link Facts.traits}. */
export const Trait = {
  /** The first line, which is no link. */
  header: 1,
  /** A turn that the user broke off or the provider failed in: pi leaves it out of every request (1.6.0, `transformMessages`). */
  failed: 2,
  /** The user's own words, in contrast to what extensions and summaries say in the user's name. */
  prompt: 4,
  /** A note that nobody writes when the user goes to another place of the tree. */
  stray: 8,
  edit: 16,
  /** A header that is torn, but still says whose it is. */
  tornHeader: 32,
} as const

/** What only this format reads of a record. */
export interface Facts {
  readonly traits: number
  /** Of an assistant message: the API that answered, and the provider. */
  readonly api: Id
  readonly provider: Id
  /** Of an assistant message or a change of the model. */
  readonly model: Id
  readonly names?: Names | undefined
}

/** Other records that a record names. */
export interface Names {
  /** Of a compaction: the first entry that it keeps; version 1 counts lines instead, the header being 0. */
  readonly kept?: Id
  readonly keptIndex?: number | undefined
  /** Of a label or an edit: what it is about. */
  readonly target?: Id
  /** Of a branch summary: the end of the branch. */
  readonly from?: Id
  /** Of an edit: what is said in the place of the target's content; undefined when the target goes. */
  readonly instead?: Entry | undefined
  /** Of the header. */
  readonly version?: number | undefined
  /** The header as it was, so far as a torn one still says. */
  readonly header?: Json | undefined
}

const MESSAGE: Path = Object.freeze(['message'])
const RECORD: Path = Object.freeze([])
const REPLACEMENT: Path = Object.freeze(['replacement'])

/** Notes that are written beside the conversation; others (a change of the model, an extension's state) go with a rewind. */
const STRAY = new Set(['label', 'session_info', 'usage'])

/** Roles of messages that pi sends; a system message changes the prompt and the tools, which stand outside of the messages. */
const SENT = new Set([
  'user',
  'assistant',
  'toolResult',
  'custom',
  'hookMessage',
  'bashExecution',
  'branchSummary',
  'compactionSummary',
])

export function factsOf(entry: Entry): Facts {
  return entry.more as Facts
}

export function has(entry: Entry, trait: number): boolean {
  return (factsOf(entry).traits & trait) !== 0
}

const shared = new WeakMap<Ids, Map<string, Facts>>()

/** Facts that name no record; equal ones are one object, for there are as many as records. */
function plain(ids: Ids, traits: number, api: Id = NO_ID, provider: Id = NO_ID, model: Id = NO_ID): Facts {
  let known = shared.get(ids)
  if (!known) shared.set(ids, (known = new Map()))
  const key = `${traits} ${api} ${provider} ${model}`
  let facts = known.get(key)
  if (!facts) known.set(key, (facts = { traits, api, provider, model }))
  return facts
}

/** The skeleton of one line. Every line but the header is a link, whatever its type: an unknown one is a note. */
export function readRecord(view: JsonView, record: number, ids: Ids): Entry | undefined {
  const type = view.get('type')?.string()
  if (type === undefined) return undefined
  const entry = new Entry(record, type === 'message' ? MESSAGE : RECORD)
  if (type === 'session') {
    entry.more = { ...plain(ids, Trait.header), names: { version: view.get('version')?.number() } }
    return entry
  }
  entry.id = ids.of(view.get('id'))
  entry.parent = ids.of(view.get('parentId'))
  entry.kind = 'note'
  entry.more = plain(ids, STRAY.has(type) ? Trait.stray : 0)
  switch (type) {
    case 'message':
      readMessage(view.get('message'), entry, ids)
      break
    case 'custom_message':
      entry.kind = 'message'
      entry.role = 'user'
      readContent(view, entry, ids)
      break
    case 'branch_summary':
      if (view.get('summary')?.length) {
        entry.kind = 'message'
        readSummary(view, entry)
      }
      entry.more = { ...plain(ids, 0), names: { from: ids.of(view.get('fromId')) } }
      break
    case 'compaction':
      entry.kind = 'checkpoint'
      readSummary(view, entry)
      entry.more = {
        ...plain(ids, 0),
        names: { kept: ids.of(view.get('firstKeptEntryId')), keptIndex: view.get('firstKeptEntryIndex')?.number() },
      }
      break
    case 'context_edit':
      entry.more = { ...plain(ids, Trait.edit), names: readEdit(view, record, ids) }
      break
    case 'label':
      entry.more = { ...plain(ids, Trait.stray), names: { target: ids.of(view.get('targetId')) } }
      break
    case 'model_change':
      entry.more = plain(ids, 0, NO_ID, ids.of(view.get('provider')), ids.of(view.get('modelId')))
      break
    default:
  }
  return entry
}

function readMessage(message: JsonView | undefined, entry: Entry, ids: Ids): void {
  const role = message?.get('role')?.string() ?? ''
  if (!message || !SENT.has(role) || message.get('excludeFromContext')?.boolean()) return
  entry.kind = 'message'
  pi.read(message, entry, ids)
  if (role === 'user') entry.more = plain(ids, Trait.prompt)
  if (role !== 'assistant') return
  const stop = message.get('stopReason')?.string()
  const failed = stop === 'aborted' || stop === 'error' ? Trait.failed : 0
  const [api, provider, model] = ['api', 'provider', 'model'].map((key) => ids.of(message.get(key)))
  entry.more = plain(ids, failed, api, provider, model)
}

function readEdit(view: JsonView, record: number, ids: Ids): Names {
  const target = ids.of(view.get('targetId'))
  const replacement = view.get('replacement')
  if (replacement?.kind !== 'object') return { target }
  const instead = new Entry(record, REPLACEMENT)
  readContent(replacement, instead, ids)
  return { target, instead }
}

/** The link that a torn record was: its id and its parent stand before its content. */
export function readTorn(fields: Salvaged, record: number, ids: Ids): Entry | undefined {
  const id = fields.get('id')
  const parent = fields.get('parentId')
  if (typeof id !== 'string') return undefined
  if (fields.get('type') === 'session') return readTornHeader(fields, record, ids)
  const entry = new Entry(record, MESSAGE)
  entry.kind = 'damaged'
  entry.id = ids.add(id)
  entry.parent = typeof parent === 'string' ? ids.add(parent) : NO_ID
  entry.more = plain(ids, 0)
  return entry
}

/** What pi asks of a header is its id; time and folder are kept where they can be read. */
function readTornHeader(fields: Salvaged, record: number, ids: Ids): Entry {
  const entry = new Entry(record, RECORD)
  const header: Record<string, Json> = {}
  for (const key of ['type', 'version', 'id', 'timestamp', 'cwd', 'parentSession']) {
    const value = fields.get(key)
    if (value !== undefined) header[key] = value
  }
  entry.more = { ...plain(ids, Trait.tornHeader), names: { header } }
  return entry
}
