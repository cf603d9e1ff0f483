import { Block, exact, Flag, tailOf } from '../model/blocks.ts'
import type { Entry } from '../model/document.ts'
import type { Id, Ids } from '../text/ids.ts'
import type { Json, JsonView, Path } from '../text/view.ts'
import { lookup } from '../text/view.ts'
import type { Content, Dialect } from './dialect.ts'
import { argumentsFlags, argumentsText, resultFlags, roleNamed, textFlags } from './facts.ts'
import { mediaBlock, soundBlock } from './media.ts'

/**
 * Messages as the Chat Completions API of OpenAI has them, and the many servers that speak it: calls in `tool_calls` of an
 * assistant message, each result a message of the role `tool` (https://platform.openai.com/docs/api-reference/chat/create).
 */
export const openaiChat: Dialect = {
  name: 'openai-chat',
  results: 'own-messages',
  list: 'content',

  read(message, entry, ids) {
    entry.role = roleNamed(message.get('role'))
    const blocks: Block[] = []
    const content = message.get('content')
    if (entry.role === 'tool') {
      entry.blocks = [readResult(message, entry, ids)]
      return
    }
    const reasoning = message.get('reasoning_content')
    if (reasoning?.kind === 'string' && reasoning.length > 0) {
      blocks.push(new Block('thinking', entry, REASONING, { size: reasoning.length }))
    }
    if (content?.kind === 'string') {
      const flags = textFlags(content) | Flag.wholeContent
      blocks.push(new Block('text', entry, WHOLE, { size: content.length, flags }))
    } else if (content?.kind === 'array') {
      let index = 0
      for (const item of content.items()) blocks.push(readPart(item, entry, tailOf('content', index++), ids))
    }
    // What an answer may consist of beside its content, which is then null.
    if (message.get('refusal')?.length) blocks.push(new Block('opaque', entry, REFUSAL, { name: ids.add('refusal') }))
    if (message.get('audio')?.kind === 'object') {
      blocks.push(new Block('opaque', entry, AUDIO, { name: ids.add('audio') }))
    }
    const calls = message.get('tool_calls')
    if (calls?.kind === 'array') {
      let index = 0
      for (const item of calls.items()) {
        const tail = tailOf('tool_calls', index++)
        // What is no object can neither hold an id nor be given one.
        blocks.push(item.kind === 'object' ? readCall(item, entry, tail, ids) : new Block('opaque', entry, tail))
      }
    }
    const legacy = message.get('function_call')
    if (legacy?.kind === 'object') {
      // The older form has no id: it pairs by name, and at most one call stands in a message.
      const name = ids.of(legacy.get('name'))
      const flags = argumentsFlags(legacy.get('arguments'))
      blocks.push(new Block('tool-call', entry, LEGACY, { id: ids.add(`function ${ids.text(name)}`), name, flags }))
    }
    entry.blocks = exact(blocks)
  },

  text: (text) => ({ type: 'text', text }),
  message: (role, blocks) => ({ role, content: blocks.length === 1 ? textOf(blocks[0]!) : blocks }),
  result: (call, text) => ({ role: 'tool', tool_call_id: call.id, content: text }),
  idPath: (block) => (block.kind === 'tool-result' ? ['tool_call_id'] : [...block.tail, 'id']),
  namePath: (block) => [...bodyPath(block), 'name'],
  inputPath: (block) => [...bodyPath(block), block.is(Flag.freeInput) ? 'input' : 'arguments'],

  carry(role, messages) {
    const [only] = messages
    if (messages.length === 1 && only) {
      const message: Record<string, Json> = {}
      for (const [key, value] of only.members()) {
        if (API_KEYS.has(key) && (value.kind !== 'null' || key === 'content')) message[key] = value.verbatim()
      }
      return message
    }
    const content: Json[] = []
    for (const message of messages) {
      const each = message.get('content')
      if (each?.kind === 'string') content.push({ type: 'text', text: each.verbatim() })
      else for (const item of each?.items() ?? []) content.push(item.verbatim())
    }
    return { role, content }
  },

  load(message, block) {
    if (block.kind === 'tool-result') {
      const content = message.get('content')
      const parts =
        content?.kind === 'array' ? Array.from(content.items(), loadPart) : content ? [loadPart(content)] : []
      const id = message.get('tool_call_id')?.string() ?? ''
      return { kind: 'tool-result', id, name: message.get('name')?.string() ?? '', error: false, content: parts }
    }
    const view = lookup(message, block.tail)
    if (!view) return { kind: 'text', text: '' }
    if (block.kind === 'tool-call') return loadCall(view)
    if (block.kind === 'thinking') return { kind: 'thinking', text: view.string() ?? '', stored: view.verbatim() }
    return loadPart(view)
  },

  render: renderMessages,
}

const WHOLE: Path = Object.freeze(['content'])
const REASONING: Path = Object.freeze(['reasoning_content'])
const REFUSAL: Path = Object.freeze(['refusal'])
const AUDIO: Path = Object.freeze(['audio'])
const LEGACY: Path = Object.freeze(['function_call'])
const MESSAGE: Path = Object.freeze([])

/** Where the function or the custom tool of a call stands; a result and a call of the older form are it themselves. */
const bodyPath = (block: Block): Path =>
  block.tail[0] === 'tool_calls' ? [...block.tail, block.is(Flag.freeInput) ? 'custom' : 'function'] : block.tail

/** Keys of a stored message that belong to the API; what else stands there is the envelope of a format. */
const API_KEYS = new Set([
  'role',
  'content',
  'name',
  'tool_calls',
  'tool_call_id',
  'function_call',
  'refusal',
  'audio',
  'reasoning_content',
  'reasoning',
  'prefix',
])

function textOf(block: Json): Json {
  return (block as { text?: Json }).text ?? [block]
}

/** Reads a message that is a result. */
export function readResult(message: JsonView, entry: Entry, ids: Ids, readInner = readPart): Block {
  const content = message.get('content')
  const inner: Block[] = []
  let flags = Flag.wholeMessage
  let size = content?.length ?? 0
  if (content?.kind === 'array') {
    for (const item of content.items()) inner.push(readInner(item, entry, tailOf('content', inner.length), ids))
    size = inner.reduce((sum, block) => sum + block.size, 0)
    if (inner.length === 1 && inner[0]!.kind === 'text') flags |= resultFlags(lookup(content, [0, 'text']))
  } else flags |= resultFlags(content)
  const name = ids.of(message.get('name'))
  // Messages of the older role `function` name their call by the function.
  const id =
    message.get('role')?.string() === 'function'
      ? ids.add(`function ${ids.text(name)}`)
      : ids.of(message.get('tool_call_id'))
  return new Block('tool-result', entry, MESSAGE, { id, name, size, flags, content: inner })
}

export function readPart(view: JsonView, entry: Entry, tail: Path, ids: Ids): Block {
  switch (view.get('type')?.string()) {
    case 'text': {
      const text = view.get('text')
      return new Block('text', entry, tail, { size: text?.length ?? 0, flags: textFlags(text) })
    }
    case 'image_url':
      return mediaBlock(view, entry, tail, ids, { data: ['image_url', 'url'], document: false })
    case 'input_audio':
      return soundBlock(view, entry, tail, ids)
    case 'file':
      return mediaBlock(view, entry, tail, ids, { data: ['file', 'file_data'], document: true, orElse: 'null' })
    default:
      return new Block('opaque', entry, tail, { name: ids.of(view.get('type')) })
  }
}

export function readCall(view: JsonView, entry: Entry, tail: Path, ids: Ids): Block {
  const body = view.get('function') ?? view.get('custom')
  const id = ids.of(view.get('id'))
  const aliases: Id[] = []
  for (const key of ['call_id', 'response_item_id']) {
    const alias = ids.of(view.get(key))
    if (alias !== 0 && alias !== id) aliases.push(alias)
  }
  const isCustom =
    !view.get('function') && (view.get('custom') !== undefined || view.get('type')?.string() === 'custom')
  const flags = isCustom ? Flag.freeInput : argumentsFlags(view.get('function')?.get('arguments'))
  return new Block('tool-call', entry, tail, { id, name: ids.of(body?.get('name')), aliases, flags })
}

export function loadPart(view: JsonView): Content {
  if (view.kind === 'string') return { kind: 'text', text: view.string()! }
  switch (view.get('type')?.string()) {
    case 'text':
      return { kind: 'text', text: view.get('text')?.string() ?? '' }
    case 'image_url': {
      const url = lookup(view, ['image_url', 'url'])?.string() ?? ''
      const inline = /^data:([^;,]*);base64,/.exec(url)
      if (!inline) return { kind: 'media', document: false, mediaType: '', url }
      return { kind: 'media', document: false, mediaType: inline[1]!, data: url.slice(inline[0].length) }
    }
    default:
      return { kind: 'opaque', dialect: 'openai-chat', stored: view.verbatim() }
  }
}

export function loadCall(view: JsonView): Content {
  const body = view.get('function') ?? view.get('custom') ?? view
  const stored = body.get('arguments')
  // Where a call takes an object, the text of a custom tool is a member of one.
  const text = stored ? undefined : view.get('custom')?.get('input')?.verbatim()
  return {
    kind: 'tool-call',
    id: view.get('id')?.string() ?? '',
    name: body.get('name')?.string() ?? '',
    input: parsed(stored?.string()) ?? stored?.verbatim() ?? (text ? { input: text } : {}),
  }
}

function parsed(text: string | undefined): Json | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Json)
  } catch {
    return undefined
  }
}

function renderMessages(role: Entry['role'], contents: readonly Content[]): Json[] {
  const messages: Json[] = []
  for (const content of contents) if (content.kind === 'tool-result') messages.push(renderResult(content))
  const calls = contents.flatMap((content) =>
    content.kind === 'tool-call'
      ? [
          {
            id: content.id,
            type: 'function',
            function: { name: content.name, arguments: argumentsText(content.input) },
          },
        ]
      : [],
  )
  const parts = contents.flatMap((content) => renderPart(content))
  const [only] = parts
  const whole: Json = parts.length === 0 ? null : parts.length === 1 && only && 'text' in only ? only.text! : parts
  if (calls.length > 0) messages.push({ role: 'assistant', content: whole, tool_calls: calls })
  else if (parts.length > 0 || messages.length === 0) {
    messages.push({ role: role === 'tool' || role === 'unknown' ? 'user' : role, content: whole ?? '' })
  }
  return messages
}

function renderResult(content: Extract<Content, { kind: 'tool-result' }>): Json {
  const parts = content.content.flatMap((inner) => renderPart(inner))
  const text = parts.every((part) => 'text' in part) ? parts.map((part) => part.text).join('\n') : parts
  return { role: 'tool', tool_call_id: content.id, content: text }
}

function renderPart(content: Content): { readonly [key: string]: Json }[] {
  if (content.kind === 'text') return [{ type: 'text', text: content.text }]
  if (content.kind === 'media' && !content.document) {
    const url = content.url ?? `data:${content.mediaType};base64,${content.data ?? ''}`
    return [{ type: 'image_url', image_url: { url } }]
  }
  if (content.kind === 'opaque' && content.dialect === 'openai-chat') return [content.stored as { [key: string]: Json }]
  return []
}
