import { Block, Flag, tailOf } from '../model/blocks.ts'
import type { Entry, Role } from '../model/document.ts'
import type { Id, Ids } from '../text/ids.ts'
import type { Json, JsonView, Path } from '../text/view.ts'
import { lookup } from '../text/view.ts'
import type { Content, Dialect } from './dialect.ts'
import { resultFlags, signatureFacts, textFlags } from './facts.ts'
import { mediaBlock } from './media.ts'

const ROLES: Readonly<Record<string, Role>> = {
  user: 'user',
  assistant: 'assistant',
  toolResult: 'tool',
  // What pi itself sends as the user's words; `hookMessage` is what version 2 of the file calls `custom`.
  custom: 'user',
  hookMessage: 'user',
  bashExecution: 'user',
  branchSummary: 'user',
  compactionSummary: 'user',
  system: 'system',
}

/** How calls are named: by pi, and by what OpenClaw's transcripts hold beside that (`session-transcript-repair.ts`). */
const CALLS = new Set(['toolCall', 'toolUse', 'functionCall', 'tool_use', 'tool_call', 'function_call'])

/**
 * Messages as pi stores them for whatever provider: `{role, content}`, calls as `toolCall` blocks of assistant messages, each
 * result a message of the role `toolResult` (pi 1.6.0, `docs/message-types.md`).
 */
export const pi: Dialect = {
  name: 'pi',
  results: 'own-messages',
  list: 'content',

  read(message, entry, ids) {
    const role = message.get('role')?.string() ?? ''
    entry.role = Object.hasOwn(ROLES, role) ? ROLES[role]! : 'unknown'
    if (role === 'toolResult') entry.blocks = [readResult(message, entry, ids)]
    else if (role === 'bashExecution') entry.blocks = [readCommand(message, entry)]
    else if (role === 'branchSummary' || role === 'compactionSummary') readText(message.get('summary'), SUMMARY, entry)
    else readContent(message, entry, ids)
  },

  text: (text) => ({ type: 'text', text }),
  message: (role, blocks) => ({ role, content: blocks }),
  result: (call, text) => ({
    role: 'toolResult',
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: 'text', text }],
    isError: true,
  }),
  withoutItemId(message, block) {
    const path = [...block.tail, block.kind === 'thinking' ? 'thinkingSignature' : 'textSignature']
    const stored = lookup(message, path)?.string()
    if (stored === undefined) return []
    // pi numbers a text whose item has no id by itself. Reasoning that is nothing but its id can only be left out.
    if (block.kind === 'text' || !stored.includes('"encrypted_content":"')) return [{ op: 'remove', path }]
    return [{ op: 'set', path, value: stored.replace(REASONING_ITEM, '{$1') }]
  },
  idPath: (block) => [...block.tail, block.kind === 'tool-result' ? 'toolCallId' : 'id'],
  namePath: (block) => [...block.tail, block.kind === 'tool-result' ? 'toolName' : 'name'],
  inputPath: (block) => [...block.tail, 'arguments'],

  carry(role, messages) {
    const content: Json[] = []
    for (const message of messages) {
      const each = message.get('content')
      if (each?.kind === 'string') content.push({ type: 'text', text: each.verbatim() })
      else for (const item of each?.items() ?? []) content.push(item.verbatim())
    }
    return { role: piRole(role), content }
  },

  load(message, block) {
    if (block.kind === 'tool-result') return loadResult(message)
    if (block.tail.length === 0) return { kind: 'text', text: commandText(message) }
    const view = lookup(message, block.tail)
    return view ? loadBlock(view) : { kind: 'text', text: '' }
  },

  render(role, contents) {
    const results = contents.filter((content) => content.kind === 'tool-result').map(renderResult)
    const blocks = contents.flatMap(renderBlock)
    return blocks.length > 0 || results.length === 0
      ? [...results, { role: piRole(role), content: blocks }]
      : [...results]
  },
}

const WHOLE: Path = Object.freeze(['content'])
const SUMMARY: Path = Object.freeze(['summary'])
const MESSAGE: Path = Object.freeze([])

const piRole = (role: Role): string => (role === 'assistant' || role === 'system' ? role : 'user')

/** Reads the content of what is sent: a string or a list of blocks; null and none are no blocks at all. */
export function readContent(view: JsonView, entry: Entry, ids: Ids): void {
  const content = view.get('content')
  if (content?.kind === 'string') readText(content, WHOLE, entry)
  else if (content?.kind === 'array') {
    const blocks: Block[] = []
    for (const item of content.items()) blocks.push(readBlock(item, entry, tailOf('content', blocks.length), ids))
    entry.blocks = blocks
  }
}

/** The summary of what was left out: sent as a text of the user's. */
export function readSummary(record: JsonView, entry: Entry): void {
  entry.role = 'user'
  readText(record.get('summary'), SUMMARY, entry)
}

function readText(text: JsonView | undefined, tail: Path, entry: Entry): void {
  if (text?.kind !== 'string') return
  const flags = textFlags(text) | Flag.wholeContent
  entry.blocks = [new Block('text', entry, tail, { size: text.length, flags })]
}

/** A command that the user ran: pi sends it and its output as one text. */
function readCommand(message: JsonView, entry: Entry): Block {
  const size = (message.get('command')?.length ?? 0) + (message.get('output')?.length ?? 0)
  return new Block('text', entry, MESSAGE, { size: size + 1 })
}

function readBlock(view: JsonView, entry: Entry, tail: Path, ids: Ids): Block {
  const type = view.get('type')?.string() ?? ''
  if (CALLS.has(type)) return readCall(view, entry, tail, ids)
  switch (type) {
    case 'text': {
      const text = view.get('text')
      const id = itemId(view.get('textSignature'), TEXT_ITEM, ids)
      return new Block('text', entry, tail, { id, size: text?.length ?? 0, flags: textFlags(text) })
    }
    case 'image':
      return mediaBlock(view, entry, tail, ids, { type: ['mimeType'], data: ['data'], document: false })
    case 'thinking': {
      const signature = view.get('thinkingSignature')
      const { size, flags } = signatureFacts(signature)
      const id = itemId(signature, REASONING_ITEM, ids)
      return new Block('thinking', entry, tail, { id, size, flags: flags | textFlags(view.get('thinking')) })
    }
    default:
      return new Block('opaque', entry, tail, { name: ids.of(view.get('type')) })
  }
}

/**
 * What the Responses API gave is stored for it to be sent again: reasoning as the text of the whole item, of a text the id of its
 * item (pi 1.6.0, `openai-responses-shared.ts`; older versions store that id alone).
 */
const REASONING_ITEM = /^\{("type":"reasoning",)?"id":"([\w-]+)",/
const TEXT_ITEM = /^(\{"v":1,"id":"|(?=msg_))([\w-]+)(?:"|$)/
const ITEM_HEAD = 128

function itemId(signature: JsonView | undefined, item: RegExp, ids: Ids): Id {
  const found = signature?.kind === 'string' ? item.exec(signature.peek(ITEM_HEAD) ?? '') : null
  return ids.add(found?.[2] ?? '')
}

function readCall(view: JsonView, entry: Entry, tail: Path, ids: Ids): Block {
  const input = view.get('arguments') ?? view.get('input')
  const flags =
    (input?.kind === 'object' ? 0 : Flag.inputNotObject) |
    (view.get('partialJson') === undefined ? 0 : Flag.partial) |
    (view.get('id')?.string()?.includes('|') ? Flag.renamedBySender : 0)
  return new Block('tool-call', entry, tail, { id: ids.of(view.get('id')), name: ids.of(view.get('name')), flags })
}

function readResult(message: JsonView, entry: Entry, ids: Ids): Block {
  const content = message.get('content')
  const inner: Block[] = []
  let flags = Flag.wholeMessage | (message.get('isError')?.boolean() ? Flag.error : 0)
  let size = content?.length ?? 0
  if (content?.kind === 'array') {
    for (const item of content.items()) inner.push(readBlock(item, entry, tailOf('content', inner.length), ids))
    size = inner.reduce((sum, block) => sum + block.size, 0)
    if (inner.length === 1 && inner[0]!.kind === 'text') flags |= resultFlags(lookup(content, [0, 'text']))
    else if (inner.length === 0) flags |= Flag.empty
  } else flags |= content?.kind === 'string' ? resultFlags(content) : Flag.empty
  const id = ids.of(message.get('toolCallId') ?? message.get('toolUseId'))
  return new Block('tool-result', entry, MESSAGE, {
    id,
    name: ids.of(message.get('toolName')),
    size,
    flags,
    content: inner,
  })
}

/** Ids of the Responses API are stored as `call_…|fc_…`: the id of the call, by which pi has it answered, and that of its item. */
function sentId(id: string): string {
  return id.replace(/\|.*/s, '')
}

function loadBlock(view: JsonView): Content {
  if (view.kind === 'string') return { kind: 'text', text: view.string()! }
  const type = view.get('type')?.string() ?? ''
  if (CALLS.has(type)) {
    const input = view.get('arguments') ?? view.get('input')
    return {
      kind: 'tool-call',
      id: sentId(view.get('id')?.string() ?? ''),
      name: view.get('name')?.string() ?? '',
      input: input?.verbatim() ?? {},
    }
  }
  switch (type) {
    case 'text':
      return { kind: 'text', text: view.get('text')?.string() ?? '' }
    case 'image':
      return {
        kind: 'media',
        document: false,
        mediaType: view.get('mimeType')?.string() ?? '',
        data: view.get('data')?.string() ?? '',
      }
    case 'thinking':
      return { kind: 'thinking', text: view.get('thinking')?.string() ?? '', stored: view.verbatim() }
    default:
      return { kind: 'opaque', dialect: 'pi', stored: view.verbatim() }
  }
}

function loadResult(message: JsonView): Content {
  const content = message.get('content')
  const inner = content?.kind === 'array' ? Array.from(content.items(), loadBlock) : content ? [loadBlock(content)] : []
  return {
    kind: 'tool-result',
    id: sentId(message.get('toolCallId')?.string() ?? ''),
    name: message.get('toolName')?.string() ?? '',
    error: message.get('isError')?.boolean() ?? false,
    content: inner,
  }
}

function commandText(message: JsonView): string {
  return `$ ${message.get('command')?.string() ?? ''}\n${message.get('output')?.string() ?? ''}`
}

function renderBlock(content: Content): Json[] {
  switch (content.kind) {
    case 'text':
      return [{ type: 'text', text: content.text }]
    case 'tool-call':
      return [{ type: 'toolCall', id: content.id, name: content.name, arguments: content.input }]
    case 'media':
      return content.data === undefined ? [] : [{ type: 'image', data: content.data, mimeType: content.mediaType }]
    case 'opaque':
      return content.dialect === 'pi' ? [content.stored] : []
    default:
      // Results are messages of their own; a signature of another provider means nothing here.
      return []
  }
}

function renderResult(content: Extract<Content, { kind: 'tool-result' }>): Json {
  return {
    role: 'toolResult',
    toolCallId: content.id,
    toolName: content.name,
    content: content.content.flatMap(renderBlock),
    isError: content.error,
  }
}
