import { Block, Flag, ofToolKind, tailOf, toolKind } from '../model/blocks.ts'
import type { Entry } from '../model/document.ts'
import type { Ids } from '../text/ids.ts'
import type { Json, JsonView, Path } from '../text/view.ts'
import { lookup, Verbatim } from '../text/view.ts'
import type { Content, Dialect } from './dialect.ts'
import { argumentsFlags, argumentsText, resultFlags, roleNamed, textFlags } from './facts.ts'
import { mediaBlock, soundBlock } from './media.ts'
import { Kind, outputItem, speakerOf, toolItem } from './openai-responses-tools.ts'

/**
 * Items as the Responses API of OpenAI has them: messages, and beside them calls, outputs and reasoning, each an item of its own
 * (https://platform.openai.com/docs/api-reference/responses/create). An item is a message here; a call, an output or
 * reasoning is a message that is its one block. The id of an item becomes the id of its entry.
 */
export const openaiResponses: Dialect = {
  name: 'openai-responses',
  results: 'own-items',
  list: 'content',
  output: 'output',

  read(item, entry, ids) {
    entry.id = ids.of(item.get('id'))
    const type = item.get('type')?.string() ?? 'message'
    const tool = toolItem(type)
    if (tool?.side === 'call') readCall(item, type, tool.kind, entry, ids)
    else if (tool?.side === 'output') readOutput(item, type, tool.kind, entry, ids)
    else if (type === 'reasoning') readReasoning(item, entry)
    else if (type === 'message') readMessage(item, entry, ids)
    else readOther(item, type, entry, ids)
  },

  text: (text, role) => ({ type: role === 'assistant' ? 'output_text' : 'input_text', text }),
  message: (role, blocks) => ({ type: 'message', role, content: blocks }),
  result: (call, text) => outputItem(call.kind ?? Kind.function, call.id, text),
  resultOfKind(result, kind) {
    const output = result.get('output')
    if (kind !== Kind.function && kind !== Kind.custom) {
      return outputItem(kind, result.get('call_id')?.string() ?? '', textOfOutput(output))
    }
    const type = kind === Kind.custom ? 'custom_tool_call_output' : 'function_call_output'
    const item: Record<string, Json> = {}
    for (const [key, value] of result.members()) item[key] = key === 'type' ? type : value.verbatim()
    return item
  },
  idPath: (block) => (block.is(Flag.unnamed) ? ['id'] : ['call_id']),
  namePath: () => ['name'],
  inputPath: (block) => (toolKind(block) === Kind.custom ? ['input'] : ['arguments']),

  carry(_, items) {
    const item: Record<string, Json> = {}
    for (const [key, value] of items[0]?.members() ?? []) if (!ENVELOPE.has(key)) item[key] = value.verbatim()
    return item
  },

  load,
  render,
}

const WHOLE: Path = Object.freeze(['content'])
const ITEM: Path = Object.freeze([])

/** Keys that clients keep on items and that are none of the API's. */
const ENVELOPE = new Set(['internal_chat_message_metadata_passthrough', 'timestamp', 'metadata'])

function readMessage(item: JsonView, entry: Entry, ids: Ids): void {
  entry.role = roleNamed(item.get('role'))
  const content = item.get('content')
  if (content?.kind === 'string') {
    const flags = textFlags(content) | Flag.wholeContent
    entry.blocks = [new Block('text', entry, WHOLE, { size: content.length, flags })]
  } else if (content?.kind === 'array') {
    entry.blocks = readParts(content, 'content', entry, ids)
  }
}

function readParts(list: JsonView, key: string, entry: Entry, ids: Ids): Block[] {
  const blocks: Block[] = []
  for (const part of list.items()) blocks.push(readPart(part, entry, tailOf(key, blocks.length), ids))
  return blocks
}

function readPart(part: JsonView, entry: Entry, tail: Path, ids: Ids): Block {
  switch (part.get('type')?.string()) {
    case 'input_text':
    case 'output_text':
    case 'text': {
      const text = part.get('text')
      return new Block('text', entry, tail, { size: text?.length ?? 0, flags: textFlags(text) })
    }
    case 'input_image':
      return mediaBlock(part, entry, tail, ids, { data: ['image_url'], document: false, orElse: 'null' })
    case 'input_audio':
      return soundBlock(part, entry, tail, ids)
    case 'input_file':
      return mediaBlock(part, entry, tail, ids, { data: ['file_data'], document: true, orElse: 'null' })
    default:
      return new Block('opaque', entry, tail, { name: ids.of(part.get('type')) })
  }
}

function readReasoning(item: JsonView, entry: Entry): void {
  entry.role = 'assistant'
  const encrypted = item.get('encrypted_content')
  const size = encrypted?.length ?? 0
  let flags: number = Flag.wholeMessage
  if (size === 0) flags |= Flag.unsigned
  // Only the provider can tell whether it is good; what is no base64 cannot be.
  else if (!/^[\w+/=-]*$/.test(encrypted!.string()!)) flags |= Flag.badSignature
  if (item.get('summary')?.kind !== 'array') flags |= Flag.incomplete
  entry.blocks = [new Block('thinking', entry, ITEM, { size, flags })]
}

function readCall(item: JsonView, type: string, kind: number, entry: Entry, ids: Ids): void {
  entry.role = 'assistant'
  const id = ids.of(item.get('call_id'))
  // Local shell calls of old have an id of their own only; searches that the provider runs are none of the caller's.
  const named = id === 0 && type === 'local_shell_call' ? entry.id : id
  if (named === 0 || (kind === Kind.search && item.get('execution')?.string() !== 'client')) {
    readOther(item, type, entry, ids)
    return
  }
  const name = ids.of(item.get('name')) || ids.add(type.slice(0, -'_call'.length))
  const aliases = entry.id !== 0 && entry.id !== named ? [entry.id] : []
  const unnamed = named === id ? 0 : Flag.unnamed
  // Some converters write `parameters`: what the call was is not lost there, only unknown to the API.
  const missing = type === 'function_call' && !item.get('arguments') && !item.get('parameters') ? Flag.incomplete : 0
  const broken = type === 'function_call' ? argumentsFlags(item.get('arguments')) : 0
  const flags = Flag.wholeMessage | ofToolKind(kind) | unnamed | missing | broken
  entry.blocks = [new Block('tool-call', entry, ITEM, { id: named, name, flags, aliases })]
}

function readOutput(item: JsonView, type: string, kind: number, entry: Entry, ids: Ids): void {
  entry.role = 'tool'
  const own = ids.of(item.get('call_id'))
  // This type has no `call_id`: its `id` names the call.
  const id = own === 0 && type === 'local_shell_call_output' ? entry.id : own
  // An output of no call is written on purpose and taken by the API (openai/codex#42088, #45450).
  if (id === 0 || (kind === Kind.search && item.get('execution')?.string() === 'server')) {
    entry.blocks = [new Block('opaque', entry, ITEM, { name: ids.add(type), flags: Flag.wholeMessage })]
    return
  }
  const output = item.get('output')
  const content = output?.kind === 'array' && kind <= Kind.custom ? readParts(output, 'output', entry, ids) : []
  const [only] = content
  const said = content.length === 1 && only?.kind === 'text' ? lookup(item, ['output', 0, 'text']) : output
  const size = content.length > 0 ? content.reduce((sum, block) => sum + block.size, 0) : (output?.length ?? 0)
  const unnamed = own === 0 ? Flag.unnamed : 0
  const flags = Flag.wholeMessage | ofToolKind(kind) | unnamed | resultFlags(said)
  entry.blocks = [new Block('tool-result', entry, ITEM, { id, name: ids.of(item.get('name')), size, flags, content })]
}

function readOther(item: JsonView, type: string, entry: Entry, ids: Ids): void {
  entry.role = speakerOf(type)
  entry.blocks = [new Block('opaque', entry, ITEM, { name: ids.of(item.get('type')), flags: Flag.wholeMessage })]
}

function load(item: JsonView, block: Block): Content {
  const view = lookup(item, block.tail)
  if (!view) return { kind: 'text', text: '' }
  const id = (item.get('call_id') ?? item.get('id'))?.string() ?? ''
  switch (block.kind) {
    case 'tool-call':
      return { kind: 'tool-call', id, name: nameOf(item), input: inputOf(item) }
    case 'tool-result': {
      const output = item.get('output')
      const content = output?.kind === 'array' && block.content.length > 0 ? Array.from(output.items(), loadPart) : []
      const text: Content = { kind: 'text', text: textOfOutput(output) }
      const name = item.get('name')?.string() ?? ''
      return { kind: 'tool-result', id, name, error: false, content: content.length > 0 ? content : [text] }
    }
    case 'thinking': {
      const parts = [...(item.get('summary')?.items() ?? []), ...(item.get('content')?.items() ?? [])]
      return {
        kind: 'thinking',
        text: parts.map((part) => part.get('text')?.string() ?? '').join('\n\n'),
        stored: item.verbatim(),
      }
    }
    case 'opaque':
      // The output of no call is the only opaque item that says something to every model.
      if (toolItem(item.get('type')?.string() ?? '')?.side === 'output') {
        return { kind: 'text', text: textOfOutput(item.get('output')) }
      }
      return { kind: 'opaque', dialect: 'openai-responses', stored: view.verbatim() }
    default:
      return loadPart(view)
  }
}

function loadPart(part: JsonView): Content {
  if (part.kind === 'string') return { kind: 'text', text: part.string()! }
  switch (part.get('type')?.string()) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { kind: 'text', text: part.get('text')?.string() ?? '' }
    case 'refusal':
      return { kind: 'text', text: part.get('refusal')?.string() ?? '' }
    case 'input_image': {
      const url = part.get('image_url')?.string() ?? ''
      const inline = /^data:([^;,]*);base64,/.exec(url)
      if (!inline) return { kind: 'media', document: false, mediaType: '', url }
      return { kind: 'media', document: false, mediaType: inline[1]!, data: url.slice(inline[0].length) }
    }
    default:
      return { kind: 'opaque', dialect: 'openai-responses', stored: part.verbatim() }
  }
}

function nameOf(item: JsonView): string {
  return item.get('name')?.string() ?? (item.get('type')?.string() ?? '').replace(/_call$/, '')
}

/** The input of a call as the other shapes want it: an object. */
function inputOf(item: JsonView): Json {
  const stored = item.get('arguments')
  if (stored?.kind === 'string') {
    try {
      const value: unknown = JSON.parse(stored.string()!)
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        return Verbatim.ofText(Buffer.from(stored.string()!))
      }
    } catch {
      // Kept as the text that it is.
    }
    return { arguments: stored.verbatim() }
  }
  const input = item.get('input')
  if (input) return input.kind === 'object' ? input.verbatim() : { input: input.verbatim() }
  return (stored ?? item.get('action') ?? item.get('operation'))?.verbatim() ?? {}
}

function textOfOutput(output: JsonView | undefined): string {
  if (output?.kind === 'string') return output.string()!
  if (output?.kind !== 'array') return output ? JSON.stringify(output.value()) : ''
  const texts = Array.from(output.items(), (part) => part.get('text')?.string())
  return texts.every((text) => text !== undefined) ? texts.join('\n') : JSON.stringify(output.value())
}

/** Items for a message of another shape: its results, then its texts and calls in their order. */
function render(role: Entry['role'], contents: readonly Content[]): Json[] {
  const items: Json[] = []
  const speaker = role === 'tool' || role === 'unknown' ? 'user' : role
  let parts: Json[] = []
  const close = (): void => {
    if (parts.length > 0) items.push({ type: 'message', role: speaker, content: parts })
    parts = []
  }
  for (const content of contents) {
    if (content.kind === 'tool-result') items.push(renderOutput(content))
    else if (content.kind === 'tool-call') {
      close()
      items.push({
        type: 'function_call',
        call_id: content.id,
        name: content.name,
        arguments: argumentsText(content.input),
      })
    } else parts.push(...renderPart(content, speaker))
  }
  close()
  return items
}

function renderOutput(content: Extract<Content, { kind: 'tool-result' }>): Json {
  const parts = content.content.flatMap((inner) => renderPart(inner, 'user'))
  const [only] = parts
  const output = parts.length === 0 ? '' : parts.length === 1 && only?.text !== undefined ? only.text : parts
  return { type: 'function_call_output', call_id: content.id, output }
}

function renderPart(content: Content, role: Entry['role']): { readonly [key: string]: Json }[] {
  if (content.kind === 'text')
    return [{ type: role === 'assistant' ? 'output_text' : 'input_text', text: content.text }]
  // An assistant's message holds text only.
  if (content.kind !== 'media' || role === 'assistant') return []
  const url = content.url ?? `data:${content.mediaType};base64,${content.data ?? ''}`
  if (!content.document) return [{ type: 'input_image', image_url: url }]
  return [
    content.url === undefined
      ? { type: 'input_file', filename: 'document.pdf', file_data: url }
      : { type: 'input_file', file_url: url },
  ]
}
