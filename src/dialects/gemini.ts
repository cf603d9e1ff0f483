import { Block, exact, Flag, tailOf } from '../model/blocks.ts'
import type { Entry } from '../model/document.ts'
import type { JsonChange } from '../text/edit.ts'
import type { Ids } from '../text/ids.ts'
import type { Json, JsonView, Path } from '../text/view.ts'
import { lookup } from '../text/view.ts'
import type { Content, Dialect } from './dialect.ts'
import { resultFlags, roleNamed, textFlags } from './facts.ts'
import { mediaBlock } from './media.ts'
import { storedId } from './unnamed.ts'

/**
 * Messages as the Gemini API has them: `{role, parts}`, the roles `user` and `model`, each part named by the one key that it
 * has, calls and results with or without an id (https://ai.google.dev/api/caching#Content). Qwen Code 0.24.4 and Gemini CLI
 * 0.61.0 keep their sessions in it. The older role `function` of results counts as `user`.
 */
export const gemini: Dialect = {
  name: 'gemini',
  results: 'in-user-messages',
  list: 'parts',
  pairsByName: true,
  answersAtOnce: true,

  read(message, entry, ids) {
    const role = roleNamed(message.get('role'))
    entry.role = role === 'tool' ? 'user' : role
    const parts = message.get('parts')
    if (parts?.kind !== 'array') return
    const blocks: Block[] = []
    for (const part of parts.items()) blocks.push(readPart(part, entry, tailOf('parts', blocks.length), ids))
    entry.blocks = exact(blocks)
  },

  text: (text) => ({ text }),
  message: (role, blocks) => ({ role: apiRole(role), parts: blocks }),
  result: (call, text) => ({
    functionResponse: { id: storedId(call.id), name: call.name, response: { error: text } },
  }),
  appended,
  idPath: (block) => [...block.tail, block.kind === 'tool-result' ? 'functionResponse' : 'functionCall', 'id'],
  namePath: (block) => [...block.tail, block.kind === 'tool-call' ? 'functionCall' : 'functionResponse', 'name'],
  inputPath: (block) => [...block.tail, 'functionCall', 'args'],

  carry(role, messages) {
    const parts: Json[] = []
    for (const message of messages) {
      for (const part of message.get('parts')?.items() ?? []) {
        parts.push(part.kind === 'string' ? { text: part.verbatim() } : part.verbatim())
      }
    }
    return { role: apiRole(role), parts }
  },

  load(message, block) {
    const view = lookup(message, block.tail)
    const content: Content = view ? loadPart(view) : { kind: 'text', text: '' }
    // In another shape a call needs an id of its own, and its result the same one.
    return 'id' in content && content.id === '' ? { ...content, id: `call_${block.id}` } : content
  },

  render(role, contents) {
    // The system prompt stands outside `contents`.
    if (role === 'system') return []
    return [{ role: apiRole(role), parts: contents.flatMap(renderPart) }]
  },
}

/** The texts of both responses in one, under `error` only where both failed, and the parts of both. */
function appended(into: JsonView, from: JsonView): JsonChange[] {
  const results = [into, from].flatMap((part) => part.get('functionResponse') ?? [])
  const contents = results.map(loadResponse)
  const texts = contents.map((content) => textOf(content)).filter((text) => text !== '')
  const failed = contents.every((content) => content.kind === 'tool-result' && content.error)
  const response = { [failed ? 'error' : 'output']: texts.join('\n\n') }
  const changes: JsonChange[] = [{ op: 'set', path: ['functionResponse', 'response'], value: response }]
  const parts = results.flatMap((each) => Array.from(each.get('parts')?.items() ?? [], (part) => part.verbatim()))
  if (parts.length > 0) changes.push({ op: 'set', path: ['functionResponse', 'parts'], value: parts })
  return changes
}

function textOf(result: Content): string {
  if (result.kind !== 'tool-result') return ''
  return result.content.flatMap((inner) => (inner.kind === 'text' ? [inner.text] : [])).join('\n')
}

const apiRole = (role: Entry['role']): string => (role === 'assistant' ? 'model' : 'user')

/** Reads one part; a bare string, which the SDKs of Google take for a part, is a text. */
export function readPart(part: JsonView, entry: Entry, tail: Path, ids: Ids): Block {
  if (part.kind === 'string') return new Block('text', entry, tail, { size: part.length, flags: textFlags(part) })
  const call = part.get('functionCall')
  if (call?.kind === 'object') return readCall(part, call, entry, tail, ids)
  const response = part.get('functionResponse')
  if (response?.kind === 'object') return readResponse(response, entry, tail, ids)
  const media = readMedia(part, entry, tail, ids)
  if (media) return media
  const text = part.get('text')
  if (text?.kind === 'string') {
    const signature = part.get('thoughtSignature')
    if (part.get('thought')?.boolean()) {
      const flags = textFlags(text) | (signature ? 0 : Flag.unsigned)
      return new Block('thinking', entry, tail, { size: signature?.length ?? 0, flags })
    }
    // A signature may travel on an empty text: it is then no text that could go (google-gemini/gemini-cli#25808).
    if (signature && text.length === 0) return new Block('opaque', entry, tail, { name: ids.add('thoughtSignature') })
    return new Block('text', entry, tail, { size: text.length, flags: textFlags(text) })
  }
  return new Block('opaque', entry, tail, { name: ids.add(nameOf(part)) })
}

/** The key that says what a part is: `executableCode`, `codeExecutionResult`, …. */
function nameOf(part: JsonView): string {
  for (const [key] of part.members()) if (key !== 'thought' && key !== 'thoughtSignature') return key
  return ''
}

function readCall(part: JsonView, call: JsonView, entry: Entry, tail: Path, ids: Ids): Block {
  const args = call.get('args')
  const isFit = args === undefined || args.kind === 'object' || args.kind === 'null'
  const flags =
    (isFit ? 0 : Flag.inputNotObject) |
    (part.get('thoughtSignature') ? 0 : Flag.unsigned) |
    (call.get('willContinue')?.boolean() ? Flag.partial : 0)
  return new Block('tool-call', entry, tail, { ...named(call, ids), flags: flags | unnamedFlag(call) })
}

/**
 * A response is an object of any shape; by convention the text of a success is under `output` and that of a failure under
 * `error` (https://ai.google.dev/api/caching#FunctionResponse).
 */
function readResponse(response: JsonView, entry: Entry, tail: Path, ids: Ids): Block {
  const body = response.get('response')
  const output = body?.get('output')
  const error = body?.get('error')
  const text = output?.kind === 'string' ? output : error
  const content: Block[] = []
  let index = 0
  for (const part of response.get('parts')?.items() ?? []) {
    content.push(readPart(part, entry, [...tail, 'functionResponse', 'parts', index++], ids))
  }
  const isEmpty = content.length === 0 && (body === undefined || body.size === 0)
  const flags =
    resultFlags(text) | (error && !output ? Flag.error : 0) | (isEmpty ? Flag.empty : 0) | unnamedFlag(response)
  return new Block('tool-result', entry, tail, { ...named(response, ids), size: text?.length ?? 0, flags, content })
}

const named = (view: JsonView, ids: Ids) => ({ id: ids.of(view.get('id')), name: ids.of(view.get('name')) })

const unnamedFlag = (view: JsonView): number => (view.get('id')?.length ? 0 : Flag.unnamed)

function readMedia(part: JsonView, entry: Entry, tail: Path, ids: Ids): Block | undefined {
  const inline = part.get('inlineData')
  const stored = inline ?? part.get('fileData')
  if (stored?.kind !== 'object') return undefined
  const key = inline ? 'inlineData' : 'fileData'
  const document = isDocument(stored.get('mimeType')?.string())
  return mediaBlock(part, entry, tail, ids, { type: [key, 'mimeType'], data: [key, 'data'], document })
}

const isDocument = (mimeType = ''): boolean => mimeType === 'application/pdf' || mimeType.startsWith('text/')

function loadPart(part: JsonView): Content {
  if (part.kind === 'string') return { kind: 'text', text: part.string()! }
  const call = part.get('functionCall')
  if (call?.kind === 'object') {
    const args = call.get('args')
    const input = args === undefined || args.kind === 'null' ? {} : args.verbatim()
    return { kind: 'tool-call', ...loadNames(call), input }
  }
  const response = part.get('functionResponse')
  if (response?.kind === 'object') return loadResponse(response)
  const stored = part.get('inlineData') ?? part.get('fileData')
  if (stored?.kind === 'object') {
    const mediaType = stored.get('mimeType')?.string() ?? ''
    const data = stored.get('data')?.string()
    const url = stored.get('fileUri')?.string()
    return {
      kind: 'media',
      document: isDocument(mediaType),
      mediaType,
      ...(data === undefined ? {} : { data }),
      ...(url === undefined ? {} : { url }),
    }
  }
  const text = part.get('text')?.string()
  if (text === undefined) return { kind: 'opaque', dialect: 'gemini', stored: part.verbatim() }
  return part.get('thought')?.boolean() ? { kind: 'thinking', text, stored: part.verbatim() } : { kind: 'text', text }
}

const loadNames = (view: JsonView) => ({
  id: view.get('id')?.string() ?? '',
  name: view.get('name')?.string() ?? '',
})

/** The text of a response is its `output`, else its `error`, else the whole as JSON (Qwen Code 0.24.4, `createToolMessage`). */
function loadResponse(response: JsonView): Content {
  const body = response.get('response')
  const output = body?.get('output')?.string()
  const error = body?.get('error')
  const text =
    output ?? error?.string() ?? (body && body.kind !== 'null' ? (body.string() ?? JSON.stringify(body.value())) : '')
  const content: Content[] = text === '' ? [] : [{ kind: 'text', text }]
  for (const part of response.get('parts')?.items() ?? []) content.push(loadPart(part))
  return { kind: 'tool-result', ...loadNames(response), error: output === undefined && error !== undefined, content }
}

function renderPart(content: Content): Json[] {
  switch (content.kind) {
    case 'text':
      return [{ text: content.text }]
    case 'tool-call':
      return [{ functionCall: { id: content.id || undefined, name: content.name, args: content.input } }]
    case 'tool-result': {
      const texts = content.content.flatMap((inner) => (inner.kind === 'text' ? [inner.text] : []))
      const media = content.content.filter((inner) => inner.kind === 'media').flatMap(renderPart)
      const text = texts.join('\n')
      return [
        {
          functionResponse: {
            id: content.id || undefined,
            name: content.name,
            response: content.error ? { error: text } : { output: text },
            parts: media.length > 0 ? media : undefined,
          },
        },
      ]
    }
    case 'media':
      return content.data === undefined
        ? [{ fileData: { mimeType: content.mediaType, fileUri: content.url ?? '' } }]
        : [{ inlineData: { mimeType: content.mediaType, data: content.data } }]
    case 'thinking':
      // A signature of another provider means nothing here, and a thought without one is not asked for.
      return []
    default:
      return content.dialect === 'gemini' ? [content.stored] : []
  }
}
