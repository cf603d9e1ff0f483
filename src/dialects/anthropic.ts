import { extraFields } from '../model/block-fields.ts'
import type { BlockKind } from '../model/blocks.ts'
import { Block, Flag, tailOf } from '../model/blocks.ts'
import type { Entry } from '../model/document.ts'
import type { JsonChange } from '../text/edit.ts'
import type { Ids } from '../text/ids.ts'
import type { Json, JsonView, Path } from '../text/view.ts'
import { Keys, lookup } from '../text/view.ts'
import type { Content, Dialect } from './dialect.ts'
import { resultFlags, roleNamed, signatureFacts, textFlags } from './facts.ts'
import { mediaBlock } from './media.ts'

/**
 * Messages as the Anthropic API has them: `{role, content}`, content a string or a list of typed blocks, tool results as
 * blocks of user messages (https://platform.claude.com/docs/en/api/messages/create).
 */
export const anthropic: Dialect = {
  name: 'anthropic',
  results: 'in-user-messages',
  list: 'content',

  read(message, entry, ids) {
    const [role, content] = message.pick(MESSAGE)
    entry.role = roleNamed(role)
    if (content?.kind === 'string') {
      const flags = textFlags(content) | Flag.wholeContent
      entry.blocks = [new Block('text', entry, WHOLE, { size: content.length, flags })]
    } else if (content?.kind === 'array') {
      // Nearly every message is one of a session of one block each: a list that grows would take the room of seventeen.
      const blocks = new Array<Block>(content.size)
      let at = 0
      for (const item of content.items()) blocks[at] = readBlock(item, entry, tailOf('content', at++), ids)
      entry.blocks = blocks
    }
  },

  text: (text) => ({ type: 'text', text }),
  message: (role, blocks) => ({ role, content: blocks }),
  result: (call, text) => ({ type: 'tool_result', tool_use_id: call.id, is_error: true, content: text }),
  idPath: (block) => [
    ...block.tail,
    block.kind === 'tool-result' || block.kind === 'server-result' ? 'tool_use_id' : 'id',
  ],
  namePath: (block) => [...block.tail, 'name'],
  inputPath: (block) => [...block.tail, 'input'],

  carry(role, messages) {
    const [only] = messages
    if (messages.length === 1 && only?.get('content')?.kind !== 'array') {
      return { role: apiRole(role), content: only?.get('content')?.verbatim() ?? [] }
    }
    const content: Json[] = []
    for (const message of messages) {
      const each = message.get('content')
      if (each?.kind === 'string') content.push({ type: 'text', text: each.verbatim() })
      else for (const item of each?.items() ?? []) content.push(item.verbatim())
    }
    return { role: apiRole(role), content }
  },

  load(message, block) {
    const view = lookup(message, block.tail)
    return view ? loadBlock(view) : { kind: 'text', text: '' }
  },

  render(role, contents) {
    return [{ role: apiRole(role), content: contents.flatMap((content) => renderBlock(content)) }]
  },
}

const WHOLE: Path = Object.freeze(['content'])

const MESSAGE = new Keys('role', 'content')
/** What every block may have, and what the frequent ones have. */
const BLOCK = new Keys('type', 'cache_control', 'text', 'id', 'name', 'input', 'partialJson')
const RESULT = new Keys('tool_use_id', 'content', 'is_error')

const SOURCE = { type: ['source', 'media_type'], data: ['source', 'data'] } as const
/** A document that is a text, not base64. */
const PLAIN_SOURCE = { ...SOURCE, isPlain: true } as const
const LINK: Path = Object.freeze(['source', 'url'])
/** What the type is called where a block of another protocol (MCP) was taken over as it is: `{type, data, mimeType}`. */
const TYPES = ['mimeType', 'media_type', 'mediaType']

const apiRole = (role: Entry['role']): string => (role === 'assistant' || role === 'system' ? role : 'user')

/** The fewest fields of a block of such a kind: with no more it has none that is not known. */
const FEWEST: Readonly<Record<string, number>> = {
  text: 2,
  thinking: 3,
  redacted_thinking: 2,
  tool_use: 4,
  tool_result: 3,
  image: 2,
}

function extraFlag(view: JsonView, type: string | undefined): number {
  if (type === undefined || view.size <= (FEWEST[type] ?? Number.POSITIVE_INFINITY)) return 0
  return extraFields(view).length > 0 ? Flag.extraField : 0
}

export function readBlock(view: JsonView, entry: Entry, tail: Path, ids: Ids): Block {
  const [typed, cacheControl, text, id, name, input, partialJson] = view.pick(BLOCK)
  const type = typed?.string()
  const marker = (cacheControl?.kind === 'object' ? Flag.cacheMarker : 0) | extraFlag(view, type)
  switch (type) {
    case 'text':
      return new Block('text', entry, tail, { size: text?.length ?? 0, flags: textFlags(text) | marker })
    case 'tool_use': {
      const partial = partialJson === undefined ? 0 : Flag.partial
      const flags = marker | partial | (input?.kind === 'object' ? 0 : Flag.inputNotObject)
      return new Block('tool-call', entry, tail, { id: ids.of(id), name: ids.of(name), flags })
    }
    case 'tool_result':
      return readResult(view, entry, tail, ids, marker)
    case 'image':
    case 'document':
      return readMedia(view, entry, tail, ids, { document: type === 'document', flags: marker })
    case 'thinking': {
      const { size, flags } = signatureFacts(view.get('signature'))
      return new Block('thinking', entry, tail, { size, flags: marker | flags | textFlags(view.get('thinking')) })
    }
    case 'redacted_thinking': {
      const size = view.get('data')?.length ?? 0
      return new Block('thinking', entry, tail, { size, flags: marker | (size === 0 ? Flag.unsigned : 0) })
    }
    default: {
      const kind = serverKind(type)
      const pair = kind === 'opaque' ? undefined : kind === 'server-call' ? id : view.get('tool_use_id')
      return new Block(kind, entry, tail, { id: ids.of(pair), name: ids.of(typed), flags: marker })
    }
  }
}

/** Where the images of other shapes stand (chat templates of transformers, LangChain): what they lack here is no fault there. */
const FOREIGN = ['url', 'image', 'path', 'base64', 'image_url', 'file_id', 'fileId']

function readMedia(
  view: JsonView,
  entry: Entry,
  tail: Path,
  ids: Ids,
  { document, flags }: { readonly document: boolean; readonly flags: number },
): Block {
  const source = view.get('source')
  const write = (type: string, data: string): JsonChange => ({
    op: 'set',
    path: [...tail, 'source'],
    value: { type: 'base64', media_type: type, data },
  })
  if (source?.kind !== 'object') {
    const isForeign = FOREIGN.some((key) => view.get(key) !== undefined)
    const lacking = { document, flags: flags | (isForeign ? 0 : Flag.incomplete) }
    const home = view.get('data')?.kind === 'string' && TYPES.find((key) => view.get(key)?.kind === 'string')
    if (!home) return mediaBlock(view, entry, tail, ids, { ...lacking, data: SOURCE.data })
    const anew = (type: string, data: string): JsonChange[] => [
      write(type, data),
      ...['data', home].map((key): JsonChange => ({ op: 'remove', path: [...tail, key] })),
    ]
    // These fields are no extra ones: the source is made of them.
    const flagged = { ...lacking, flags: lacking.flags & ~Flag.extraField }
    return mediaBlock(view, entry, tail, ids, { ...flagged, type: [home], data: ['data'], anew })
  }
  const kind = source.get('type')?.string()
  const key = kind === 'base64' ? 'data' : kind === 'url' ? 'url' : undefined
  const all = { document, flags: flags | (key && !source.get(key) ? Flag.incomplete : 0) }
  if (kind === 'url' && source.get('url')?.startsWith('data:'))
    return mediaBlock(view, entry, tail, ids, { ...all, data: LINK, anew: (type, data) => [write(type, data)] })
  return mediaBlock(view, entry, tail, ids, { ...all, ...(kind === 'text' ? PLAIN_SOURCE : SOURCE) })
}

/** Tools that the provider runs itself: their results stand in the assistant's own turn, named after the tool. */
function serverKind(type: string | undefined): BlockKind {
  if (type === 'server_tool_use' || type === 'mcp_tool_use') return 'server-call'
  return type?.endsWith('_tool_result') ? 'server-result' : 'opaque'
}

function readResult(view: JsonView, entry: Entry, tail: Path, ids: Ids, marker: number): Block {
  const [call, content, isError] = view.pick(RESULT)
  const inner: Block[] = []
  let flags = marker | (isError?.boolean() ? Flag.error : 0)
  let size = 0
  if (content?.kind === 'array') {
    for (const item of content.items()) inner.push(readBlock(item, entry, [...tail, 'content', inner.length], ids))
    size = inner.reduce((sum, block) => sum + block.size, 0)
    const [first] = inner
    if (!first) flags |= Flag.empty
    else if (inner.length === 1 && first.kind === 'text') flags |= resultFlags(lookup(content, [0, 'text']))
  } else {
    flags |= content ? resultFlags(content) : Flag.empty
    size = content?.length ?? 0
  }
  return new Block('tool-result', entry, tail, { id: ids.of(call), size, flags, content: inner })
}

export function loadBlock(view: JsonView): Content {
  if (view.kind === 'string') return { kind: 'text', text: view.string()! }
  const type = view.get('type')?.string()
  switch (type) {
    case 'text':
      return { kind: 'text', text: view.get('text')?.string() ?? '' }
    case 'tool_use':
      return {
        kind: 'tool-call',
        id: view.get('id')?.string() ?? '',
        name: view.get('name')?.string() ?? '',
        input: view.get('input')?.verbatim() ?? {},
      }
    case 'tool_result': {
      const content = view.get('content')
      const inner =
        content?.kind === 'string'
          ? [loadBlock(content)]
          : Array.from(content?.kind === 'array' ? content.items() : [], (item) => loadBlock(item))
      const error = view.get('is_error')?.boolean() ?? false
      return { kind: 'tool-result', id: view.get('tool_use_id')?.string() ?? '', name: '', error, content: inner }
    }
    case 'image':
    case 'document': {
      const source = view.get('source')
      const data = source?.get('data')?.string()
      const url = source?.get('url')?.string()
      return {
        kind: 'media',
        document: type === 'document',
        mediaType: source?.get('media_type')?.string() ?? '',
        ...(data === undefined ? {} : { data }),
        ...(url === undefined ? {} : { url }),
      }
    }
    case 'thinking':
      return { kind: 'thinking', text: view.get('thinking')?.string() ?? '', stored: view.verbatim() }
    default:
      return { kind: 'opaque', dialect: 'anthropic', stored: view.verbatim() }
  }
}

function renderBlock(content: Content): Json[] {
  switch (content.kind) {
    case 'text':
      // An empty text block is refused where an empty message may be taken.
      return content.text === '' ? [] : [{ type: 'text', text: content.text }]
    case 'tool-call':
      return [{ type: 'tool_use', id: content.id, name: content.name, input: content.input }]
    case 'tool-result':
      return [
        {
          type: 'tool_result',
          tool_use_id: content.id,
          is_error: content.error ? true : undefined,
          content: content.content.flatMap((inner) => renderBlock(inner)),
        },
      ]
    case 'media': {
      const source: Json =
        content.data === undefined
          ? { type: 'url', url: content.url ?? '' }
          : { type: 'base64', media_type: content.mediaType, data: content.data }
      return [{ type: content.document ? 'document' : 'image', source }]
    }
    case 'thinking':
      // A signature of another provider means nothing here.
      return []
    default:
      return content.dialect === 'anthropic' ? [content.stored] : []
  }
}
