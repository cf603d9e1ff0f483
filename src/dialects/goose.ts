import { Block, Flag, tailOf } from '../model/blocks.ts'
import type { Entry } from '../model/document.ts'
import type { Ids } from '../text/ids.ts'
import type { Json, JsonView, Path } from '../text/view.ts'
import { lookup } from '../text/view.ts'
import type { Content, Dialect } from './dialect.ts'
import { resultFlags, roleNamed, textFlags } from './facts.ts'
import { mediaBlock } from './media.ts'

/**
 * Messages as goose keeps them: typed blocks in camel case, calls and results each wrapped in `{status, value | error}`
 * (block/goose, `crates/goose/src/conversation/message.rs`, read in 2026).
 */
export const goose: Dialect = {
  name: 'goose',
  results: 'in-user-messages',
  resultsApart: true,
  list: 'content',

  read(message, entry, ids) {
    entry.role = roleNamed(message.get('role'))
    const content = message.get('content')
    if (content?.kind !== 'array') return
    const blocks: Block[] = []
    for (const item of content.items()) blocks.push(readBlock(item, entry, tailOf('content', blocks.length), ids))
    entry.blocks = blocks
  },

  text: (text) => ({ type: 'text', text }),
  message: (role, blocks) => ({ role, content: blocks }),
  result: (call, text) => ({
    type: 'toolResponse',
    id: call.id,
    toolResult: { status: 'success', value: { content: [{ type: 'text', text }], isError: true } },
  }),
  appended(into, from) {
    const { path, items } = outputOf(into)
    const added = itemsOf(from)
    if (path === undefined) {
      const value = { content: [...itemsOf(into), ...added], isError: true }
      return [{ op: 'set', path: ['toolResult'], value: { status: 'success', value } }]
    }
    return added.map((value) => ({ op: 'insert', path, index: items!.size, value }))
  },
  idPath: (block) => [...block.tail, 'id'],
  namePath: (block) => [...block.tail, 'toolCall', 'value', 'name'],
  inputPath: (block) => [...block.tail, 'toolCall', 'value', 'arguments'],

  carry(role, messages) {
    const content = messages.flatMap((message) =>
      Array.from(message.get('content')?.items() ?? [], (item) => item.verbatim()),
    )
    return { role, content }
  },

  load(message, block) {
    const view = lookup(message, block.tail)
    return view ? loadBlock(view) : { kind: 'text', text: '' }
  },

  render: (role, contents) => [{ role, content: contents.flatMap(renderBlock) }],
}

function readBlock(view: JsonView, entry: Entry, tail: Path, ids: Ids): Block {
  const type = view.get('type')
  switch (type?.string()) {
    case 'text': {
      const text = view.get('text')
      return new Block('text', entry, tail, { size: text?.length ?? 0, flags: textFlags(text) })
    }
    case 'image':
      return mediaBlock(view, entry, tail, ids, { type: ['mimeType'], data: ['data'], document: false })
    case 'toolRequest':
    case 'frontendToolRequest': {
      // A call that could not be read is stored as an error; it has neither a name nor an input.
      const value = lookup(view, ['toolCall', 'value'])
      const input = value?.get('arguments')
      const isOther = input !== undefined && input.kind !== 'object' && input.kind !== 'null'
      const flags = isOther ? Flag.inputNotObject : 0
      return new Block('tool-call', entry, tail, {
        id: ids.of(view.get('id')),
        name: ids.of(value?.get('name')),
        flags,
      })
    }
    case 'toolResponse':
      return readResult(view, entry, tail, ids)
    case 'thinking':
      return new Block('thinking', entry, tail, { size: view.get('signature')?.length ?? 0 })
    case 'redactedThinking':
      return new Block('thinking', entry, tail, { size: view.get('data')?.length ?? 0 })
    default:
      return new Block('opaque', entry, tail, { name: ids.of(type) })
  }
}

function readResult(view: JsonView, entry: Entry, tail: Path, ids: Ids): Block {
  const { path, items } = outputOf(view)
  const inner: Block[] = []
  for (const item of items?.items() ?? []) {
    inner.push(readBlock(item, entry, [...tail, ...(path ?? []), inner.length], ids))
  }
  const error = lookup(view, ['toolResult', 'error'])
  const text = error ?? (items?.size === 1 ? items.at(0)?.get('text') : undefined)
  const isError = error !== undefined || lookup(view, ['toolResult', 'value', 'isError'])?.boolean()
  return new Block('tool-result', entry, tail, {
    id: ids.of(view.get('id')),
    size: error?.length ?? inner.reduce((sum, block) => sum + block.size, 0),
    // An empty list is an answer like any other: goose sends it as an empty text.
    flags: (isError ? Flag.error : 0) | resultFlags(text),
    content: inner,
  })
}

/** Where a result keeps what the tool said: newer versions in `value.content`, older ones in `value` itself. */
function outputOf(result: JsonView): { readonly path?: Path; readonly items?: JsonView } {
  for (const path of [
    ['toolResult', 'value', 'content'],
    ['toolResult', 'value'],
  ]) {
    const items = lookup(result, path)
    if (items?.kind === 'array') return { path, items }
  }
  return {}
}

function itemsOf(result: JsonView): Json[] {
  const { items } = outputOf(result)
  if (items) return Array.from(items.items(), (item) => item.verbatim())
  const error = lookup(result, ['toolResult', 'error'])
  if (error) return [{ type: 'text', text: error.verbatim() }]
  return []
}

function loadBlock(view: JsonView): Content {
  const id = view.get('id')?.string() ?? ''
  switch (view.get('type')?.string()) {
    case 'text':
      return { kind: 'text', text: view.get('text')?.string() ?? '' }
    case 'image':
      return {
        kind: 'media',
        document: false,
        mediaType: view.get('mimeType')?.string() ?? '',
        data: view.get('data')?.string() ?? '',
      }
    case 'toolRequest':
    case 'frontendToolRequest': {
      const value = lookup(view, ['toolCall', 'value'])
      const input = value?.get('arguments')
      const name = value?.get('name')?.string() ?? ''
      return { kind: 'tool-call', id, name, input: input && input.kind !== 'null' ? input.verbatim() : {} }
    }
    case 'toolResponse': {
      const error = lookup(view, ['toolResult', 'error'])?.string()
      const content: Content[] =
        error === undefined
          ? Array.from(outputOf(view).items?.items() ?? [], loadBlock)
          : [{ kind: 'text', text: error }]
      const isError = error !== undefined || lookup(view, ['toolResult', 'value', 'isError'])?.boolean() === true
      return { kind: 'tool-result', id, name: '', error: isError, content }
    }
    case 'thinking':
    case 'redactedThinking':
      return { kind: 'thinking', text: view.get('thinking')?.string() ?? '', stored: view.verbatim() }
    default:
      return { kind: 'opaque', dialect: 'goose', stored: view.verbatim() }
  }
}

function renderBlock(content: Content): Json[] {
  switch (content.kind) {
    case 'text':
      return [{ type: 'text', text: content.text }]
    case 'tool-call': {
      const value = { name: content.name, arguments: content.input }
      return [{ type: 'toolRequest', id: content.id, toolCall: { status: 'success', value } }]
    }
    case 'tool-result': {
      const value = { content: content.content.flatMap(renderBlock), isError: content.error }
      return [{ type: 'toolResponse', id: content.id, toolResult: { status: 'success', value } }]
    }
    case 'media':
      return content.data === undefined ? [] : [{ type: 'image', data: content.data, mimeType: content.mediaType }]
    case 'opaque':
      return content.dialect === 'goose' ? [content.stored] : []
    default:
      return []
  }
}
