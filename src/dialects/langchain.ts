import { Block, Flag, flagged, tailOf } from '../model/blocks.ts'
import type { Entry, Role } from '../model/document.ts'
import type { Id, Ids } from '../text/ids.ts'
import type { JsonView, Path } from '../text/view.ts'
import { lookup } from '../text/view.ts'
import { loadBlock, readBlock } from './anthropic.ts'
import type { Content, Dialect } from './dialect.ts'
import { roleNamed, textFlags } from './facts.ts'
import { loadCall, loadPart, openaiChat, readCall, readPart, readResult } from './openai-chat.ts'

/**
 * Messages as LangChain and LangGraph store them (npm @langchain/core 1.4.0, `messages/`), in three envelopes: as a constructor
 * `{lc, type: "constructor", id, kwargs}`, stored `{type, data}`, and flat `{type, content, …}`. {@link Dialect.read} gets the
 * envelope, since the role is on it; everything else speaks of the message inside ({@link innerKey}).
 */
export const langchain: Dialect = {
  ...openaiChat,
  name: 'langchain',

  read(item, entry, ids) {
    const key = innerKey(item)
    const message = key === undefined ? item : item.get(key)!
    const name = kindOf(item)
    // An order to the reducer to take a message out; nothing that a model is told.
    if (name === 'remove') entry.kind = 'bookkeeping'
    entry.role = KINDS.get(name) ?? roleNamed(message.get('role'))
    if (entry.role === 'tool') {
      const result = readResult(message, entry, ids, readContent)
      entry.blocks = [message.get('status')?.string() === 'error' ? flagged(result, Flag.error) : result]
    } else entry.blocks = readBlocks(message, entry, ids)
  },

  message: (role, blocks) => {
    const { content } = openaiChat.message(role, blocks) as { content: string }
    return { type: role === 'user' ? 'human' : 'ai', content }
  },
  result: (call, text) => ({
    type: 'tool',
    content: text,
    tool_call_id: call.id,
    name: call.name === '' ? undefined : call.name,
    status: 'error',
  }),
  namePath: (block) => [...block.tail, ...(isRaw(block) ? ['function', 'name'] : ['name'])],
  inputPath: (block) => [...block.tail, ...(isRaw(block) ? ['function', 'arguments'] : [inputKey(block)])],

  carry: (role, messages) => ({ ...(openaiChat.carry(role, messages) as object), role: API_ROLES[role] }),

  load(message, block): Content {
    if (block.kind === 'tool-result') {
      const result = openaiChat.load(message, block)
      return result.kind === 'tool-result' ? { ...result, error: message.get('status')?.string() === 'error' } : result
    }
    const view = lookup(message, block.tail)
    if (!view) return { kind: 'text', text: '' }
    if (block.kind !== 'tool-call') return isAnthropic(view) ? loadBlock(view) : loadPart(view)
    if (isRaw(block)) return loadCall(view)
    const input = view.get(inputKey(block))
    return {
      kind: 'tool-call',
      id: view.get('id')?.string() ?? '',
      name: view.get('name')?.string() ?? '',
      input: input?.verbatim() ?? {},
    }
  },
}

const API_ROLES: Readonly<Record<Role, string>> = {
  user: 'user',
  assistant: 'assistant',
  system: 'system',
  tool: 'tool',
  unknown: 'user',
}

/** What a message is, by the name of its class or by its type; what is none of these names its role itself. */
const KINDS: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['system', 'system'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['remove', 'unknown'],
])

/** Types of messages: `generic` and `chat` name their role themselves. */
const TYPES = new Set([...KINDS.keys(), 'generic', 'chat'])

/** The key under which a message stands in its envelope; none where it stands there flat. */
export function innerKey(item: JsonView): 'kwargs' | 'data' | undefined {
  if (item.get('lc')?.kind === 'number') return item.get('kwargs')?.kind === 'object' ? 'kwargs' : undefined
  return item.get('data')?.kind === 'object' && item.get('content') === undefined ? 'data' : undefined
}

/** The type of a message: `human`, `ai`, …; empty for what is no message of LangChain. */
export function kindOf(item: JsonView): string {
  if (item.get('lc')?.kind === 'number') {
    const path = Array.from(item.get('id')?.items() ?? [], (step) => step.string() ?? '')
    return /^(\w+?)Message(?:Chunk)?$/.exec(path.at(-1) ?? '')?.[1]?.toLowerCase() ?? ''
  }
  const type = item.get('type')?.string() ?? item.get('role')?.string() ?? ''
  // Chunks of a stream bear the name of their class.
  const chunk = /^(\w+)MessageChunk$/.exec(type)?.[1]?.toLowerCase()
  return chunk ?? (TYPES.has(type) ? type : '')
}

/**
 * The calls of a message stand in `tool_calls`, those whose arguments did not parse in `invalid_tool_calls`; both may stand again in
 * the content, as Anthropic has them, and in `additional_kwargs.tool_calls`, as OpenAI sent them. A copy is no call of its own,
 * but where the first is missing it is what goes to the provider (LibreChat-AI/agents#366).
 */
function readBlocks(message: JsonView, entry: Entry, ids: Ids): Block[] {
  const calls: Block[] = []
  const known = new Set<Id>()
  const add = (call: Block): void => {
    calls.push(call)
    known.add(call.id)
  }
  for (const key of ['tool_calls', 'invalid_tool_calls'] as const) {
    let index = 0
    for (const view of listAt(message, [key])) add(readOwnCall(view, entry, tailOf(key, index++), ids))
  }
  if (calls.length === 0) {
    let index = 0
    for (const view of listAt(message, RAW)) add(readCall(view, entry, [...RAW, index++], ids))
  }
  const blocks: Block[] = []
  const content = message.get('content')
  if (content?.kind === 'string') {
    // Beside calls an empty text says nothing, and is how LangChain writes that there is none.
    const flags = textFlags(content) | Flag.wholeContent
    blocks.push(new Block('text', entry, CONTENT, { size: content.length, flags }))
  } else if (content?.kind === 'array') {
    for (const item of content.items()) {
      const block = readContent(item, entry, tailOf('content', blocks.length), ids)
      const isCopy = block.kind === 'tool-call' && known.has(block.id)
      blocks.push(isCopy ? new Block('opaque', entry, block.tail, { name: ids.add('tool_use') }) : block)
    }
  }
  return [...blocks, ...calls]
}

function* listAt(message: JsonView, path: Path): Iterable<JsonView> {
  const list = lookup(message, path)
  if (list?.kind === 'array') yield* list.items()
}

const CONTENT: Path = Object.freeze(['content'])
/** Where the calls stand as the provider sent them. */
export const RAW: Path = Object.freeze(['additional_kwargs', 'tool_calls'])

const isRaw = ({ tail }: Block): boolean => tail[0] === RAW[0]

/** Calls of LangChain have `args`, those of Anthropic in the content `input`. */
const inputKey = ({ tail }: Block): string => (tail[0] === 'content' ? 'input' : 'args')

function readOwnCall(view: JsonView, entry: Entry, tail: Path, ids: Ids): Block {
  const args = view.get('args')
  const flags = tail[0] === 'tool_calls' && args?.kind !== 'object' ? Flag.inputNotObject : 0
  return new Block('tool-call', entry, tail, { id: ids.of(view.get('id')), name: ids.of(view.get('name')), flags })
}

/** Content is in the shape of whatever provider it came from: a text alone is the same in all of them. */
function readContent(view: JsonView, entry: Entry, tail: Path, ids: Ids): Block {
  if (view.kind === 'string') return new Block('text', entry, tail, { size: view.length, flags: textFlags(view) })
  return isAnthropic(view) ? readBlock(view, entry, tail, ids) : readPart(view, entry, tail, ids)
}

const ANTHROPIC = new Set(['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'document'])

function isAnthropic(view: JsonView): boolean {
  const type = view.get('type')?.string() ?? ''
  return ANTHROPIC.has(type) || (type === 'image' && view.get('source')?.kind === 'object')
}
