import { createHash } from 'node:crypto'
import { anthropic } from '../../dialects/anthropic.ts'
import type { Document, Entry } from '../../model/document.ts'
import type { Json } from '../../text/view.ts'
import type { Editor } from '../format.ts'
import { TreeEditor } from '../tree-editor.ts'
import type { NewRecord, TreeFormat } from '../tree-format.ts'
import { isMain } from './leaf.ts'
import { has, nature, Trait } from './nature.ts'
import { references } from './references.ts'

/** Puts the operations of repairs into the records of a Claude Code session. */
export function editClaudeCode(document: Document): Editor {
  return new TreeEditor(document, claudeTree)
}

const claudeTree: TreeFormat = {
  dialect: anthropic,
  idKey: 'uuid',
  parentKey: 'parentUuid',
  makeId: uuidOf,
  paths,
  mayLead: isMain,
  mayFollow: (entry, parent) => has(entry, Trait.sidechain) === has(parent, Trait.sidechain),
  behind(entry, document) {
    const logical = nature(entry).names?.logical
    if (!logical) return undefined
    for (const each of document.entries()) if (each.id === logical && each.kind !== 'bookkeeping') return each
    return undefined
  },
  build,
  timeOf(record) {
    const time = Date.parse(record.get('timestamp')?.string() ?? '')
    return Number.isNaN(time) ? undefined : time
  },
  references,
}

/** A hash in the shape of a UUID, the only one that every version of the client takes (heiervang-technologies/unleash#418). */
function uuidOf(hash: string): string {
  const variant = '89ab'[Number.parseInt(hash[16]!, 16) & 3]!
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `4${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join('-')
}

function* paths(document: Document): Generator<readonly Entry[]> {
  const { chain } = document
  if (!chain) {
    const entries = Array.from(document.entries()).filter((entry) => entry.kind !== 'bookkeeping')
    yield entries
    return
  }
  yield [...chain.path, ...trailing(document, chain.path.at(-1))]
  const known = new Set(chain.path)
  for (const { messages } of document.conversations) {
    const entries = messages.flatMap((message) => message.entries)
    if (!entries.some((entry) => known.has(entry))) yield entries
  }
}

/** Progress that hangs behind the leaf: the client passes it by, but what is added goes behind it. */
function trailing(document: Document, leaf: Entry | undefined): Entry[] {
  const found: Entry[] = []
  let tail = leaf
  let isBehind = false
  for (const entry of document.entries()) {
    if (entry === leaf) isBehind = true
    else if (isBehind && tail && entry.kind === 'note' && entry.parent === tail.id && !has(entry, Trait.leaf)) {
      found.push(entry)
      tail = entry
    }
  }
  return found
}

/** Fields of a record's envelope that say where and by whom it was written: the same for its neighbour. */
const ENVELOPE = new Set([
  'isSidechain',
  'userType',
  'cwd',
  'sessionId',
  'version',
  'gitBranch',
  'entrypoint',
  'agentId',
  'slug',
  'sessionKind',
  'teamName',
])

/** The members of a new record come in the order in which its neighbour has them. */
function build({ message, role, like, id, parent, time, answers }: NewRecord): Json {
  const isLinked = like.get('uuid') !== undefined
  const record: Record<string, Json | undefined> = {}
  for (const [key, value] of like.members()) {
    if (ENVELOPE.has(key)) record[key] = value.verbatim()
    else if (key === 'parentUuid') record[key] = parent
    else if (key === 'type') record[key] = role
    else if (key === 'message') record[key] = role === 'assistant' ? synthetic(message, id) : message
    else if (key === 'uuid') record[key] = id
    else if (key === 'timestamp' && time !== undefined) record[key] = new Date(time).toISOString()
  }
  if (isLinked && answers !== undefined && like.get('parentUuid')) record.sourceToolAssistantUUID = answers
  return record
}

/** An assistant message in the shape that the client gives those it invents itself: a `message.id` of its own, no model. */
function synthetic(message: Json, id: string): Json {
  const { content } = message as { readonly content: Json }
  return {
    id: uuidOf(createHash('sha256').update(id).digest('hex')),
    type: 'message',
    role: 'assistant',
    model: '<synthetic>',
    content,
    stop_reason: 'stop_sequence',
    stop_sequence: '',
    usage: { input_tokens: 0, output_tokens: 0 },
  }
}
