import { Block, Flag, tailOf } from '../model/blocks.ts'
import type { Entry } from '../model/document.ts'
import type { Ids } from '../text/ids.ts'
import type { Json, JsonView, Path } from '../text/view.ts'
import { lookup } from '../text/view.ts'
import type { Content, Dialect } from './dialect.ts'
import { resultFlags, roleNamed, textFlags } from './facts.ts'
import { mediaBlock } from './media.ts'

/**
 * Messages as opencode keeps them: `{info, parts}`, a call and its result in one part, whose `state` says how far it came
 * (anomalyco/opencode, `packages/opencode/src/session/message-v2.ts`, read in 2026). Such a part is read as a call and, once
 * it has come to an end, as a result at the same place.
 */
export const opencode: Dialect = {
  name: 'opencode',
  results: 'in-user-messages',
  list: 'parts',

  read(message, entry, ids) {
    entry.role = roleNamed(lookup(message, ['info', 'role']))
    const parts = message.get('parts')
    if (parts?.kind !== 'array') return
    const blocks: Block[] = []
    let index = 0
    for (const part of parts.items()) blocks.push(...readPart(part, entry, tailOf('parts', index++), ids))
    entry.blocks = blocks
  },

  text: (text) => ({ type: 'text', text }),
  message: (role, parts) => ({ info: { role }, parts }),
  result: (_, text) => ({ status: 'error', error: text }),
  idPath: (block) => [...block.tail, 'callID'],
  namePath: (block) => [...block.tail, 'tool'],
  inputPath: (block) => [...block.tail, 'state', 'input'],

  carry(role, messages) {
    const parts = messages.flatMap((message) =>
      Array.from(message.get('parts')?.items() ?? [], (part) => part.verbatim()),
    )
    return { role, parts }
  },

  load(message, block) {
    const view = lookup(message, block.tail)
    return view ? loadPart(view, block) : { kind: 'text', text: '' }
  },

  render: (role, contents) => [{ info: { role }, parts: contents.flatMap(renderPart) }],
}

/** States of a part whose tool did not come to its end. */
const OPEN = new Set(['pending', 'running'])

function readPart(view: JsonView, entry: Entry, tail: Path, ids: Ids): Block[] {
  const type = view.get('type')
  switch (type?.string()) {
    case 'text': {
      const text = view.get('text')
      // opencode sends neither what is marked so nor empty texts.
      if (view.get('ignored')?.boolean() || text?.length === 0) break
      return [new Block('text', entry, tail, { size: text?.length ?? 0, flags: textFlags(text) })]
    }
    case 'file': {
      const document = !view.get('mime')?.startsWith('image/')
      return [mediaBlock(view, entry, tail, ids, { type: ['mime'], data: ['url'], document, takesUrl: true })]
    }
    case 'reasoning':
      return [new Block('thinking', entry, tail, { size: view.get('text')?.length ?? 0 })]
    case 'tool':
      return readTool(view, entry, tail, ids)
  }
  return [new Block('opaque', entry, tail, { name: ids.of(type) })]
}

function readTool(view: JsonView, entry: Entry, tail: Path, ids: Ids): Block[] {
  const state = view.get('state')
  const input = state?.get('input')
  const status = state?.get('status')?.string()
  const named = { id: ids.of(view.get('callID')), name: ids.of(view.get('tool')) }
  const isOther = input !== undefined && input.kind !== 'object'
  const call = new Block('tool-call', entry, tail, { ...named, flags: isOther ? Flag.inputNotObject : 0 })
  if (status === undefined || OPEN.has(status)) return [call]
  const said = state?.get(status === 'error' ? 'error' : 'output')
  const flags = (status === 'error' ? Flag.error : 0) | resultFlags(said)
  return [call, new Block('tool-result', entry, tail, { ...named, size: said?.length ?? 0, flags })]
}

function loadPart(view: JsonView, { kind }: Block): Content {
  const state = view.get('state')
  const id = view.get('callID')?.string() ?? ''
  const name = view.get('tool')?.string() ?? ''
  switch (kind) {
    case 'text':
      return { kind: 'text', text: view.get('text')?.string() ?? '' }
    case 'tool-call':
      return { kind: 'tool-call', id, name, input: state?.get('input')?.verbatim() ?? {} }
    case 'tool-result': {
      const error = state?.get('status')?.string() === 'error'
      const compacted = lookup(view, ['state', 'time', 'compacted']) !== undefined
      const said = compacted ? CLEARED : (state?.get(error ? 'error' : 'output')?.string() ?? '')
      return { kind: 'tool-result', id, name, error, content: [{ kind: 'text', text: said }] }
    }
    case 'media': {
      const mediaType = view.get('mime')?.string() ?? ''
      const document = !mediaType.startsWith('image/')
      const url = view.get('url')?.string() ?? ''
      const inline = /^data:[^,]*;base64,/.exec(url)
      return inline
        ? { kind: 'media', document, mediaType, data: url.slice(inline[0].length) }
        : { kind: 'media', document, mediaType, url }
    }
    case 'thinking':
      return { kind: 'thinking', text: view.get('text')?.string() ?? '', stored: view.verbatim() }
    default:
      return { kind: 'opaque', dialect: 'opencode', stored: view.verbatim() }
  }
}

/** What opencode sends in the place of an output that it cleared to save context. */
const CLEARED = '[Old tool result content cleared]'

function renderPart(content: Content): Json[] {
  if (content.kind === 'text') return [{ type: 'text', text: content.text }]
  return content.kind === 'opaque' && content.dialect === 'opencode' ? [content.stored] : []
}
