import { Block, Flag, tailOf } from '../model/blocks.ts'
import type { Entry } from '../model/document.ts'
import type { Ids } from '../text/ids.ts'
import { type Json, type JsonView, lookup, type Path } from '../text/view.ts'
import { anthropic } from './anthropic.ts'
import type { Content, Dialect } from './dialect.ts'
import { resultFlags, roleNamed, signatureFacts, textFlags } from './facts.ts'
import { mediaBlock } from './media.ts'

/**
 * Messages of the Converse API of Amazon Bedrock (botocore, `bedrock-runtime` of 2026-08-07): blocks without a type, named by the one
 * key that they have; results in the next user message, as at Anthropic. Clients write bytes as base64.
 */
export const bedrockConverse: Dialect = {
  ...anthropic,
  name: 'bedrock-converse',

  read(message, entry, ids) {
    entry.role = roleNamed(message.get('role'))
    const blocks: Block[] = []
    for (const item of message.get('content')?.items() ?? []) {
      blocks.push(readBlock(item, entry, tailOf('content', blocks.length), ids))
    }
    entry.blocks = blocks
  },

  text: (text) => ({ text }),
  result: (call, text) => ({ toolResult: { toolUseId: call.id, content: [{ text }], status: 'error' } }),
  appended: (into, from) => {
    const parts = [into, from].flatMap((result) =>
      Array.from(lookup(result, ['toolResult', 'content'])?.items() ?? [], (item): Json => item.verbatim()),
    )
    return [{ op: 'set', path: ['toolResult', 'content'], value: parts }]
  },
  idPath: (block) => [...block.tail, block.kind === 'tool-result' ? 'toolResult' : 'toolUse', 'toolUseId'],
  namePath: (block) => [...block.tail, 'toolUse', 'name'],
  inputPath: (block) => [...block.tail, 'toolUse', 'input'],

  carry: (role, messages) => ({
    role: apiRole(role),
    content: messages.flatMap((message) =>
      Array.from(message.get('content')?.items() ?? [], (item): Json => item.verbatim()),
    ),
  }),

  load(message, block) {
    const view = lookup(message, block.tail)
    return view ? loadBlock(view) : { kind: 'text', text: '' }
  },

  render: (role, contents) => [{ role: apiRole(role), content: contents.flatMap(renderBlock) }],
}

const apiRole = (role: Entry['role']): string => (role === 'assistant' || role === 'system' ? role : 'user')

function readBlock(view: JsonView, entry: Entry, tail: Path, ids: Ids): Block {
  const text = view.get('text')
  if (text) return new Block('text', entry, tail, { size: text.length, flags: textFlags(text) })
  const call = view.get('toolUse')
  if (call) {
    const flags = call.get('input')?.kind === 'object' ? 0 : Flag.inputNotObject
    return new Block('tool-call', entry, tail, {
      id: ids.of(call.get('toolUseId')),
      name: ids.of(call.get('name')),
      flags,
    })
  }
  const result = view.get('toolResult')
  if (result) return readResult(result, entry, tail, ids)
  for (const key of ['image', 'document'] as const) {
    const media = view.get(key)
    if (!media) continue
    const named = mediaType(key, media)
    const data = [key, 'source', 'bytes']
    return mediaBlock(view, entry, tail, ids, { data, named, document: key === 'document', orElse: 'array' })
  }
  const reasoning = view.get('reasoningContent')
  if (reasoning) {
    const redacted = reasoning.get('redactedContent')
    if (redacted) return new Block('thinking', entry, tail, { size: redacted.length })
    return new Block('thinking', entry, tail, signatureFacts(lookup(reasoning, ['reasoningText', 'signature'])))
  }
  const [first] = view.members()
  return new Block('opaque', entry, tail, { name: ids.add(first?.[0] ?? '') })
}

/** A result holds texts, JSON, images and documents; a text alone can be a placeholder. */
function readResult(result: JsonView, entry: Entry, tail: Path, ids: Ids): Block {
  const inner: Block[] = []
  const content = result.get('content')
  for (const item of content?.items() ?? []) {
    inner.push(readBlock(item, entry, [...tail, 'toolResult', 'content', inner.length], ids))
  }
  const isError = result.get('status')?.string() === 'error'
  const said = inner.length === 1 && content ? resultFlags(lookup(content, [0, 'text'])) : 0
  return new Block('tool-result', entry, tail, {
    id: ids.of(result.get('toolUseId')),
    size: inner.reduce((sum, block) => sum + block.size, 0),
    flags: said | (isError ? Flag.error : 0) | (inner.length === 0 ? Flag.empty : 0),
    content: inner,
  })
}

/** The type in full: Bedrock names the format alone, `png` or `pdf`. */
function mediaType(kind: 'image' | 'document', media: JsonView): string {
  const format = media.get('format')?.string() ?? ''
  if (format === '') return ''
  return kind === 'image' ? `image/${format}` : format === 'pdf' ? 'application/pdf' : `text/${format}`
}

function loadBlock(view: JsonView): Content {
  const text = view.get('text')?.string()
  if (text !== undefined) return { kind: 'text', text }
  const call = view.get('toolUse')
  if (call) {
    const input = call.get('input')?.verbatim() ?? {}
    return {
      kind: 'tool-call',
      id: call.get('toolUseId')?.string() ?? '',
      name: call.get('name')?.string() ?? '',
      input,
    }
  }
  const result = view.get('toolResult')
  if (result) {
    const error = result.get('status')?.string() === 'error'
    const content = Array.from(result.get('content')?.items() ?? [], loadInner)
    return { kind: 'tool-result', id: result.get('toolUseId')?.string() ?? '', name: '', error, content }
  }
  for (const key of ['image', 'document'] as const) {
    const media = view.get(key)
    const data = media && lookup(media, ['source', 'bytes'])?.string()
    if (media && data !== undefined) {
      return { kind: 'media', document: key === 'document', mediaType: mediaType(key, media), data }
    }
  }
  const said = lookup(view, ['reasoningContent', 'reasoningText', 'text'])?.string()
  if (said !== undefined) return { kind: 'thinking', text: said, stored: view.verbatim() }
  return { kind: 'opaque', dialect: 'bedrock-converse', stored: view.verbatim() }
}

/** JSON in a result is a text in other shapes. */
function loadInner(view: JsonView): Content {
  const json = view.get('json')
  return json ? { kind: 'text', text: JSON.stringify(json.value()) } : loadBlock(view)
}

function renderBlock(content: Content): Json[] {
  switch (content.kind) {
    case 'text':
      return content.text === '' ? [] : [{ text: content.text }]
    case 'tool-call':
      return [{ toolUse: { toolUseId: content.id, name: content.name, input: content.input } }]
    case 'tool-result': {
      const { id: toolUseId, error } = content
      return [
        {
          toolResult: { toolUseId, content: content.content.flatMap(renderBlock), status: error ? 'error' : undefined },
        },
      ]
    }
    case 'media': {
      const format = content.mediaType.replace(/^.*\//, '')
      // There are no addresses in Converse, and a document has a name.
      if (content.data === undefined) return []
      const source = { bytes: content.data }
      return [content.document ? { document: { format, name: 'document', source } } : { image: { format, source } }]
    }
    case 'opaque':
      return content.dialect === 'bedrock-converse' ? [content.stored] : []
    default:
      return []
  }
}
