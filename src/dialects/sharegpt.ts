import { Block, Flag } from '../model/blocks.ts'
import type { Role } from '../model/document.ts'
import type { JsonView, Path } from '../text/view.ts'
import { lookup } from '../text/view.ts'
import type { Content, Dialect } from './dialect.ts'
import { resultFlags, textFlags } from './facts.ts'
import { openaiChat } from './openai-chat.ts'

const ROLES: ReadonlyMap<string | undefined, Role> = new Map<string, Role>([
  ['system', 'system'],
  ['human', 'user'],
  ['user', 'user'],
  ['gpt', 'assistant'],
  ['chatgpt', 'assistant'],
  ['assistant', 'assistant'],
  ['function_call', 'assistant'],
  ['observation', 'tool'],
  ['tool', 'tool'],
])

/**
 * Turns of ShareGPT data sets, `{from, value}` (LLaMA-Factory's `data/README.md`, read in 2026): a call is JSON text, calls and
 * observations have no ids and pair by their order.
 */
export const sharegpt: Dialect = {
  ...openaiChat,
  name: 'sharegpt',
  list: 'value',
  pairsByName: true,

  read(message, entry) {
    const from = message.get('from')?.string()
    const value = message.get('value')
    entry.role = ROLES.get(from) ?? 'unknown'
    if (value?.kind !== 'string') return
    const size = value.length
    if (from === 'function_call') entry.blocks = [new Block('tool-call', entry, WHOLE, { size, flags: Flag.unnamed })]
    else if (entry.role === 'tool') {
      const flags = Flag.unnamed | Flag.wholeMessage | resultFlags(value)
      entry.blocks = [new Block('tool-result', entry, MESSAGE, { size, flags })]
    } else entry.blocks = [new Block('text', entry, WHOLE, { size, flags: Flag.wholeContent | textFlags(value) })]
  },

  load(message, block): Content {
    const text = message.get('value')?.string() ?? ''
    if (block.kind === 'tool-result') {
      return { kind: 'tool-result', id: '', name: '', error: false, content: [{ kind: 'text', text }] }
    }
    return { kind: 'text', text }
  },
}

const WHOLE: Path = Object.freeze(['value'])
const MESSAGE: Path = Object.freeze([])

/** Messages of ChatGPT's export, `{author, content: {content_type, parts}}`. What its own tools do is carried along unjudged. */
export const chatgpt: Dialect = {
  ...openaiChat,
  name: 'chatgpt',
  list: 'parts',

  read(message, entry, ids) {
    entry.role = AUTHORS.get(lookup(message, ['author', 'role'])?.string()) ?? 'unknown'
    const parts = lookup(message, ['content', 'parts'])
    const blocks: Block[] = []
    if (parts?.kind === 'array') {
      for (const part of parts.items()) {
        const isText = part.kind === 'string' && part.length > 0 && entry.role !== 'tool'
        const tail: Path = ['content', 'parts', blocks.length]
        blocks.push(new Block(isText ? 'text' : 'opaque', entry, tail, isText ? { size: part.length } : {}))
      }
    } else
      blocks.push(
        new Block('opaque', entry, ['content'], { name: ids.of(lookup(message, ['content', 'content_type'])) }),
      )
    entry.blocks = blocks
  },

  load(message, block): Content {
    const view: JsonView | undefined = lookup(message, block.tail)
    return block.kind === 'text'
      ? { kind: 'text', text: view?.string() ?? '' }
      : { kind: 'opaque', dialect: 'chatgpt', stored: view?.verbatim() ?? null }
  },
}

const AUTHORS: ReadonlyMap<string | undefined, Role> = new Map<string, Role>([
  ['system', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
])
