import { Block, Flag, tailOf } from '../model/blocks.ts'
import type { Entry, Message } from '../model/document.ts'
import type { Ids } from '../text/ids.ts'
import { type Id, NO_ID } from '../text/ids.ts'
import { type Json, type JsonView, lookup, type Path } from '../text/view.ts'
import type { Content, Dialect } from './dialect.ts'
import { resultFlags, roleNamed, textFlags } from './facts.ts'
import { mediaBlock } from './media.ts'

/**
 * Model messages of the Vercel AI SDK (npm ai 7.0.173, `ModelMessage`): parts whose types have hyphens, results as parts of
 * messages of the role `tool`, of which those in a row are one to the SDK. Version 4 calls the input of a call `args`, and the
 * output of a result `result`.
 */
export const aiSdk: Dialect = {
  name: 'ai-sdk',
  results: 'own-messages',
  list: 'content',

  read(message, entry, ids) {
    entry.role = roleNamed(message.get('role'))
    const content = message.get('content')
    if (content?.kind === 'string') {
      const flags = textFlags(content) | Flag.wholeContent
      entry.blocks = [new Block('text', entry, WHOLE, { size: content.length, flags })]
    } else if (content?.kind === 'array') {
      const blocks: Block[] = []
      const hosted = entry.role === 'assistant' ? hostedCalls(content) : NONE
      for (const part of content.items()) {
        blocks.push(readPart(part, entry, tailOf('content', blocks.length), ids, hosted))
      }
      entry.blocks = blocks
    }
  },

  text: (text) => ({ type: 'text', text }),
  message: (role, blocks) => ({ role, content: blocks }),
  result: (call, text) => {
    const { id: toolCallId, name: toolName } = call
    const isOld = call.stored?.()?.get('args') !== undefined
    const said: { readonly [key: string]: Json } = isOld
      ? { result: text, isError: true }
      : { output: { type: 'error-text', value: text } }
    return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, ...said }] }
  },
  appended,
  idPath: (block) => [...block.tail, 'toolCallId'],
  namePath: (block) => [...block.tail, 'toolName'],
  inputPath: (block) => [...block.tail, 'input'],

  carry(role, messages) {
    const content = messages.flatMap((message): Json[] => {
      const each = message.get('content')
      if (each?.kind === 'string') return [{ type: 'text', text: each.verbatim() }]
      return Array.from(each?.items() ?? [], (item) => item.verbatim())
    })
    return { role: role === 'unknown' ? 'user' : role, content }
  },

  load(message, block) {
    const view = lookup(message, block.tail)
    return view ? loadPart(view) : { kind: 'text', text: '' }
  },

  render(role, contents) {
    const results = contents.filter((content) => content.kind === 'tool-result').flatMap(renderPart)
    const parts = contents.filter((content) => content.kind !== 'tool-result').flatMap(renderPart)
    const messages: Json[] = results.length > 0 ? [{ role: 'tool', content: results }] : []
    if (parts.length > 0 || results.length === 0) {
      messages.push({ role: role === 'tool' || role === 'unknown' ? 'user' : role, content: parts })
    }
    return messages
  },
}

const WHOLE: Path = Object.freeze(['content'])
const NONE: ReadonlySet<string> = new Set()

/** The calls that the provider runs itself: their results stand beside them, or in a later message of the assistant. */
function hostedCalls(content: JsonView): ReadonlySet<string> {
  let hosted: Set<string> | undefined
  for (const part of content.items()) {
    const id = part.get('providerExecuted')?.boolean() ? part.get('toolCallId')?.string() : undefined
    if (id !== undefined) (hosted ??= new Set()).add(id)
  }
  return hosted ?? NONE
}

function readPart(part: JsonView, entry: Entry, tail: Path, ids: Ids, hosted: ReadonlySet<string>): Block {
  const type = part.get('type')?.string()
  switch (type) {
    case 'tool-call':
    case 'tool-result': {
      const id = part.get('toolCallId')
      if (hosted.has(id?.string() ?? '')) break
      if (type === 'tool-result') return readResult(part, entry, tail, ids)
      const input = part.get('input') ?? part.get('args')
      const flags = input?.kind === 'object' || part.get('args') ? 0 : Flag.inputNotObject
      return new Block('tool-call', entry, tail, { id: ids.of(id), name: ids.of(part.get('toolName')), flags })
    }
    case 'text':
    case 'image':
    case 'file':
    case 'reasoning':
      return readPlain(part, type, entry, tail, ids)
  }
  return new Block('opaque', entry, tail, { name: ids.of(part.get('type')), id: approvedBy(part, type, ids) })
}

/** Of a request for approval the call that it is about. */
function approvedBy(part: JsonView, type: string | undefined, ids: Ids): Id {
  return type === 'tool-approval-request' ? ids.of(part.get('toolCallId')) : NO_ID
}

/** A message of the role `tool` without what somebody said of a call to be approved: no provider gets that. */
function withoutApprovals(message: Message): readonly Message[] {
  const { role, blocks, entries } = message
  if (role !== 'tool' || !blocks.some(({ kind }) => kind === 'opaque')) return [message]
  const results = blocks.filter(({ kind }) => kind !== 'opaque')
  return results.length === 0 ? [] : [{ role, blocks: results, entries }]
}

/**
 * The messages without the calls that nobody was meant to answer yet: those at the end for which somebody's approval is asked. The
 * SDK runs them when it goes on (`collectToolApprovals`). An opaque block with the id of the call stands for the request.
 */
export function settled(stored: readonly Message[]): readonly Message[] {
  const messages = stored.flatMap(withoutApprovals)
  const last = messages.findLastIndex(({ role }) => role !== 'tool')
  const message = messages[last]
  if (message?.role !== 'assistant') return messages
  const asked = new Set<Id>()
  for (const { kind, id } of message.blocks) if (kind === 'opaque' && id !== NO_ID) asked.add(id)
  if (asked.size === 0) return messages
  const answered = new Set(messages.slice(last + 1).flatMap(({ blocks }) => blocks.map(({ id }) => id)))
  const blocks = message.blocks.filter(({ kind, id }) => kind !== 'tool-call' || !asked.has(id) || answered.has(id))
  return messages.with(last, { role: message.role, blocks, entries: message.entries })
}

/** A part that is the same in messages of the model and of the user interface. */
export function readPlain(
  part: JsonView,
  type: 'text' | 'image' | 'file' | 'reasoning',
  entry: Entry,
  tail: Path,
  ids: Ids,
): Block {
  if (type === 'text' || type === 'reasoning') {
    const text = part.get('text')
    const kind = type === 'text' ? 'text' : 'thinking'
    return new Block(kind, entry, tail, { size: text?.length ?? 0, flags: textFlags(text) })
  }
  const data = ['image', 'data', 'url'].find((key) => part.get(key) !== undefined) ?? 'data'
  const declared = ['mediaType', 'mimeType'].find((key) => part.get(key) !== undefined)
  const document = !(type === 'image' || (mediaTypeOf(part)?.startsWith('image') ?? false))
  return mediaBlock(part, entry, tail, ids, {
    ...(declared ? { type: [declared] } : {}),
    data: [data],
    document,
    takesUrl: true,
    orElse: 'array',
  })
}

const mediaTypeOf = (part: JsonView): JsonView | undefined => part.get('mediaType') ?? part.get('mimeType')

/** The output says its type: a text, JSON, an error of either kind, or parts (`LanguageModelV3ToolResultOutput`). */
function readResult(part: JsonView, entry: Entry, tail: Path, ids: Ids): Block {
  const output = part.get('output')
  const value = output?.get('value') ?? part.get('result')
  const isError = output?.get('type')?.startsWith('error') || part.get('isError')?.boolean()
  const content: Block[] = []
  if (output?.get('type')?.string() === 'content' && value?.kind === 'array') {
    for (const inner of value.items()) {
      const at = [...tail, 'output', 'value', content.length]
      content.push(readPart(inner, entry, at, ids, NONE))
    }
  }
  return new Block('tool-result', entry, tail, {
    id: ids.of(part.get('toolCallId')),
    name: ids.of(part.get('toolName')),
    size: value?.length ?? 0,
    flags: resultFlags(value) | (isError ? Flag.error : 0),
    content,
  })
}

/** Two texts are one text; anything else becomes a list of parts, in which everything has a place. */
function appended(into: JsonView, from: JsonView): readonly { op: 'set'; path: Path; value: Json }[] {
  const [first, second] = [textOf(into), textOf(from)]
  const isOld = into.get('output') === undefined
  const path = isOld ? ['result'] : ['output']
  if (isOld || (first !== undefined && second !== undefined)) {
    const text = `${first ?? asText(into)}\n\n${second ?? asText(from)}`
    return [{ op: 'set', path: isOld ? path : ['output', 'value'], value: text }]
  }
  return [{ op: 'set', path, value: { type: 'content', value: [...partsOf(into), ...partsOf(from)] } }]
}

const saidBy = (result: JsonView): JsonView | undefined =>
  lookup(result, ['output', 'value']) ?? result.get('output') ?? result.get('result')

const textOf = (result: JsonView): string | undefined => saidBy(result)?.string()

const asText = (result: JsonView): string => textOf(result) ?? JSON.stringify(saidBy(result)?.value() ?? null)

function partsOf(result: JsonView): Json[] {
  const value = saidBy(result)
  const isParts = lookup(result, ['output', 'type'])?.string() === 'content' && value?.kind === 'array'
  return isParts ? Array.from(value.items(), (item) => item.verbatim()) : [{ type: 'text', text: asText(result) }]
}

function loadPart(part: JsonView): Content {
  const id = part.get('toolCallId')?.string() ?? ''
  const name = part.get('toolName')?.string() ?? ''
  const type = part.get('type')?.string()
  switch (type) {
    case 'tool-call':
      return { kind: 'tool-call', id, name, input: (part.get('input') ?? part.get('args'))?.verbatim() ?? {} }
    case 'tool-result': {
      const output = part.get('output')
      const value = output?.get('value') ?? part.get('result')
      const isParts = output?.get('type')?.string() === 'content' && value?.kind === 'array'
      const content = isParts ? Array.from(value.items(), loadPart) : loadValue(value)
      const error = output?.get('type')?.startsWith('error') || part.get('isError')?.boolean() || false
      return { kind: 'tool-result', id, name, error, content }
    }
    default:
      return loadPlain(part)
  }
}

/** What a tool gave back: a text as it is, anything else as JSON. */
export function loadValue(value: JsonView | undefined): Content[] {
  return value ? [{ kind: 'text', text: value.string() ?? JSON.stringify(value.value()) }] : []
}

export function loadPlain(part: JsonView): Content {
  const text = part.get('text')?.string() ?? ''
  switch (part.get('type')?.string()) {
    case 'text':
      return { kind: 'text', text }
    case 'reasoning':
      return { kind: 'thinking', text, stored: part.verbatim() }
    case 'image':
    case 'file': {
      const stored = (part.get('image') ?? part.get('data') ?? part.get('url'))?.string() ?? ''
      const inline = /^data:([^;,]*);base64,/.exec(stored)
      const mediaType = mediaTypeOf(part)?.string() ?? inline?.[1] ?? ''
      const document = part.get('type')?.string() === 'file' && !mediaType.startsWith('image')
      if (/^https?:/.test(stored)) return { kind: 'media', document, mediaType, url: stored }
      return { kind: 'media', document, mediaType, data: inline ? stored.slice(inline[0].length) : stored }
    }
    default:
      return { kind: 'opaque', dialect: 'ai-sdk', stored: part.verbatim() }
  }
}

function renderPart(content: Content): Json[] {
  switch (content.kind) {
    case 'text':
      return [{ type: 'text', text: content.text }]
    case 'tool-call':
      return [{ type: 'tool-call', toolCallId: content.id, toolName: content.name, input: content.input }]
    case 'tool-result': {
      const texts = content.content.flatMap((inner) => (inner.kind === 'text' ? [inner.text] : []))
      const output: Json =
        texts.length === content.content.length
          ? { type: content.error ? 'error-text' : 'text', value: texts.join('\n') }
          : { type: 'content', value: content.content.flatMap(renderPart) }
      return [{ type: 'tool-result', toolCallId: content.id, toolName: content.name, output }]
    }
    case 'media':
      return [{ type: 'file', mediaType: content.mediaType, data: content.data ?? content.url ?? '' }]
    case 'opaque':
      return content.dialect === 'ai-sdk' ? [content.stored] : []
    default:
      return []
  }
}
