import { anthropic } from '../../dialects/anthropic.ts'
import { textFlags } from '../../dialects/facts.ts'
import { Block, Flag, flagged, tailOf } from '../../model/blocks.ts'
import { Entry } from '../../model/document.ts'
import { type Id, type Ids, NO_ID } from '../../text/ids.ts'
import { type JsonView, Keys, type Path } from '../../text/view.ts'
import type { Salvaged } from '../format.ts'
import { type Kept, type Names, natureOf, Trait } from './nature.ts'

const MESSAGE: Path = Object.freeze(['message'])
const ATTACHMENT: Path = Object.freeze(['attachment'])
const RECORD: Path = Object.freeze([])
const CONTENT: Path = Object.freeze(['content'])
const PROMPT: Path = Object.freeze(['prompt'])

const ENVELOPE = new Keys(
  'type',
  'uuid',
  'parentUuid',
  'message',
  'isSidechain',
  'isMeta',
  'isCompactSummary',
  'agentId',
  'isApiErrorMessage',
)

const STORED = new Keys('content', 'id', 'model')

/** Records that are links of the chain and may be its last one. */
const LEAF_TYPES = new Set(['user', 'assistant', 'system', 'attachment'])

/** The skeleton of one line. Lines that neither are links nor name one are none of our business. */
export function readRecord(view: JsonView, record: number, ids: Ids): Entry | undefined {
  const [typed, uuid, parent, stored, sidechain, meta, summary, agentId, apiError] = view.pick(ENVELOPE)
  const type = typed?.string()
  if (type === undefined) return undefined
  if (type === 'last-prompt' || type === 'summary') return readPointer(view, record, ids, type === 'last-prompt')
  const id = ids.of(uuid)
  const isMessage = type === 'user' || type === 'assistant'
  if (id === NO_ID && !isMessage && type !== 'attachment') return undefined

  const flags =
    (sidechain?.boolean() ? Trait.sidechain : 0) |
    (meta?.boolean() ? Trait.meta : 0) |
    (summary?.boolean() ? Trait.summary : 0) |
    (parent ? Trait.linked : 0) |
    (LEAF_TYPES.has(type) ? Trait.leaf : 0)
  const entry = new Entry(record, isMessage ? MESSAGE : type === 'attachment' ? ATTACHMENT : RECORD)
  entry.id = id
  entry.parent = ids.of(parent)
  entry.kind = 'note'
  const agent = ids.of(agentId)
  if (isMessage) {
    readMessage(type, stored, entry, { flags, agent }, ids)
    if (apiError?.boolean()) entry.blocks = entry.blocks.map((block) => flagged(block, Flag.apiError))
  } else if (type === 'system') readSystem(view, entry, flags, ids)
  else if (type === 'attachment') readAttachment(view.get('attachment'), entry, flags, ids)
  else entry.more = natureOf(ids, flags, NO_ID, agent)
  return entry
}

function readMessage(
  type: 'user' | 'assistant',
  message: JsonView | undefined,
  entry: Entry,
  { flags, agent }: { readonly flags: number; readonly agent: Id },
  ids: Ids,
): void {
  const isAssistant = type === 'assistant'
  const [content, id, model] = message?.pick(STORED) ?? []
  entry.more = natureOf(ids, flags, isAssistant ? ids.of(model) : NO_ID, agent)
  // Without content the client drops the message (observed with 2.1.332).
  if (message && (content?.kind === 'string' || content?.kind === 'array')) {
    anthropic.read(message, entry, ids)
    entry.kind = 'message'
    if (isAssistant && isForeign(model)) entry.blocks = entry.blocks.map(asForeign)
  }
  entry.role = type
  if (isAssistant) entry.group = ids.of(id)
}

/** Whether a model is none of Anthropic's: providers that only speak its API give thinking without a signature, or sign it in their way. */
function isForeign(model: JsonView | undefined): boolean {
  const name = model?.string()
  return name !== undefined && !name.includes('claude')
}

function asForeign(block: Block): Block {
  return block.kind === 'thinking' ? flagged(block, Flag.foreign) : block
}

/** The link that a line was which does not parse. Its id mostly stood behind its content and is gone. */
export function readTornRecord(fields: Salvaged, record: number, ids: Ids): Entry | undefined {
  const text = (key: string): string => {
    const value = fields.get(key)
    return typeof value === 'string' ? value : ''
  }
  if (!fields.has('parentUuid') && !fields.has('uuid')) return undefined
  const entry = new Entry(record, MESSAGE)
  entry.kind = 'damaged'
  entry.id = ids.add(text('uuid'))
  entry.parent = ids.add(text('parentUuid'))
  const type = text('type')
  if (type === 'user' || type === 'assistant') entry.role = type
  entry.group = ids.add(text('message.id'))
  const flags = fields.get('isSidechain') === true ? Trait.sidechain : 0
  entry.more = natureOf(ids, flags | Trait.linked, NO_ID, ids.add(text('agentId')))
  return entry
}

function readPointer(view: JsonView, record: number, ids: Ids, steers: boolean): Entry | undefined {
  const leaf = ids.of(view.get('leafUuid'))
  if (leaf === NO_ID) return undefined
  const entry = new Entry(record, RECORD)
  entry.more = { flags: 0, model: NO_ID, agent: NO_ID, names: { leaf, steers } }
  return entry
}

function readSystem(view: JsonView, entry: Entry, flags: number, ids: Ids): void {
  const subtype = view.get('subtype')?.string()
  entry.more = natureOf(ids, flags, NO_ID, NO_ID)
  if (subtype === 'compact_boundary') {
    entry.kind = 'checkpoint'
    const kept = readKept(view.get('compactMetadata'), ids)
    const names: Names = { logical: ids.of(view.get('logicalParentUuid')), kept }
    entry.more = { flags, model: NO_ID, agent: NO_ID, names }
  } else if (subtype === 'local_command') {
    // Sent as a text of the user's (observed with 2.1.332).
    const content = view.get('content')
    if (content?.kind === 'string') sendNote(entry, [wholeText(entry, CONTENT, content)], flags, ids)
  }
}

function readKept(metadata: JsonView | undefined, ids: Ids): Kept | undefined {
  const list = metadata?.get('preservedMessages')
  if (list?.kind === 'object') {
    const uuids = Array.from(list.get('uuids')?.items() ?? [], (each) => ids.of(each))
    return { by: 'list', anchor: ids.of(list.get('anchorUuid')), ids: uuids }
  }
  const ends = metadata?.get('preservedSegment')
  if (ends?.kind !== 'object') return undefined
  const id = (key: string) => ids.of(ends.get(key))
  return { by: 'ends', anchor: id('anchorUuid'), head: id('headUuid'), tail: id('tailUuid') }
}

/** Of the many kinds of attachments only a prompt that was typed while the model worked holds the user's own words. */
function readAttachment(attachment: JsonView | undefined, entry: Entry, flags: number, ids: Ids): void {
  entry.more = natureOf(ids, flags, NO_ID, NO_ID)
  if (attachment?.get('type')?.string() !== 'queued_command') return
  const prompt = attachment.get('prompt')
  if (prompt?.kind === 'string') sendNote(entry, [wholeText(entry, PROMPT, prompt)], flags, ids)
  else if (prompt?.kind === 'array') {
    const blocks: Block[] = []
    let index = 0
    for (const item of prompt.items()) {
      const text = item.get('text')
      const tail = tailOf('prompt', index++)
      if (text) blocks.push(new Block('text', entry, tail, { size: text.length, flags: textFlags(text) }))
    }
    if (blocks.length > 0) sendNote(entry, blocks, flags, ids)
  }
}

function wholeText(entry: Entry, tail: Path, text: JsonView): Block {
  return new Block('text', entry, tail, { size: text.length, flags: textFlags(text) | Flag.wholeContent })
}

function sendNote(entry: Entry, blocks: readonly Block[], flags: number, ids: Ids): void {
  entry.role = 'user'
  entry.blocks = blocks
  entry.more = natureOf(ids, flags | Trait.note, NO_ID, NO_ID)
}
