import { Block, Flag, tailOf } from '../model/blocks.ts'
import type { Entry, Message } from '../model/document.ts'
import type { JsonChange } from '../text/edit.ts'
import type { Ids } from '../text/ids.ts'
import { type Json, type JsonView, lookup, type Path } from '../text/view.ts'
import { aiSdk, loadPlain, loadValue, readPlain, settled } from './ai-sdk.ts'
import type { Content, Dialect } from './dialect.ts'
import { resultFlags, roleNamed, textFlags } from './facts.ts'

/**
 * Messages of the Vercel AI SDK as the user interface keeps them (npm ai 7.0.173, `UIMessage`): a call and its result are one part,
 * whose state says how far it came. Version 4 has them in parts `tool-invocation`, before 4.2 in a list of their own beside a text.
 */
export const aiSdkUi: Dialect = {
  ...aiSdk,
  name: 'ai-sdk-ui',
  list: 'parts',

  read(message, entry, ids) {
    entry.role = roleNamed(message.get('role'))
    const parts = message.get('parts')
    if (parts?.kind !== 'array') {
      entry.blocks = readOldest(message, entry, ids)
      return
    }
    const blocks: Block[] = []
    let index = 0
    for (const part of parts.items()) blocks.push(...readPart(part, entry, tailOf('parts', index++), ids))
    entry.blocks = blocks
  },

  message: (role, blocks) => ({ id: `convfix-${role}`, role, parts: blocks }),
  appended: (into, from) => [
    {
      op: 'set',
      path: [outputKey(into)],
      value: `${textOf(into.get(outputKey(into)))}\n\n${textOf(from.get(outputKey(from)))}`,
    },
  ],
  idPath: (block) => [...block.tail, 'toolCallId'],
  inputPath: (block) => [...block.tail, isOld(block.tail) ? 'args' : 'input'],

  carry(role, messages) {
    const parts = messages.flatMap(partsOf)
    return { role: role === 'unknown' ? 'user' : role, parts }
  },

  load(message, block) {
    const tool = lookup(message, block.tail)
    if (!tool) return { kind: 'text', text: '' }
    if (tool.kind === 'string') return { kind: 'text', text: tool.string() ?? '' }
    if (block.kind !== 'tool-call' && block.kind !== 'tool-result') return loadPlain(tool)
    const named = { id: tool.get('toolCallId')?.string() ?? '', name: nameOf(tool) }
    if (block.kind === 'tool-call') {
      return { kind: 'tool-call', ...named, input: (tool.get('input') ?? tool.get('args'))?.verbatim() ?? {} }
    }
    const content: Content[] = loadValue(tool.get(outputKey(tool)))
    return { kind: 'tool-result', ...named, error: block.is(Flag.error), content }
  },
}

/**
 * The messages that the SDK makes of those of the user interface (`convertToModelMessages`): each step of the assistant is a message
 * with the calls, and one with their results behind it. Steps without a result between them are taken for one message here: to the
 * SDK they are several in a row, but nobody wrote them as such.
 */
export function stepsOf(entries: readonly Entry[], ids: Ids): readonly Message[] {
  const step = ids.add('step-start')
  const messages: Message[] = []
  for (const entry of entries) {
    if (entry.role !== 'assistant') {
      messages.push(entry)
      continue
    }
    let said: Block[] = []
    let results: Block[] = []
    const close = (): void => {
      if (said.length > 0) messages.push({ role: 'assistant', blocks: said, entries: [entry] })
      if (results.length > 0) messages.push({ role: 'tool', blocks: results, entries: [entry] })
      said = []
      results = []
    }
    for (const block of entry.blocks) {
      if (block.kind === 'opaque' && block.name === step) {
        if (results.length > 0) close()
      } else if (block.kind === 'tool-result') results.push(block)
      else said.push(block)
    }
    close()
  }
  return settled(messages)
}

/** How an open call is closed, in the part itself. */
export function answered(block: Block, text: string): readonly JsonChange[] {
  const fields = isOld(block.tail) ? { state: 'result', result: text } : { state: 'output-error', errorText: text }
  return Object.entries(fields).map(([key, value]) => ({ op: 'set', path: [...block.tail, key], value }))
}

/** Whether a call stands as version 4 has it: below its part, or in a list of its own. */
const isOld = (tail: Path): boolean => tail.at(-1) === INVOCATION || tail[0] === INVOCATIONS

const INVOCATION = 'toolInvocation'
const INVOCATIONS = 'toolInvocations'

/** A message of version 4 before 4.2: its text, and the calls of the turn beside it. */
function readOldest(message: JsonView, entry: Entry, ids: Ids): Block[] {
  const blocks: Block[] = []
  const content = message.get('content')
  if (content?.kind === 'string' && content.length > 0)
    blocks.push(
      new Block('text', entry, CONTENT, { size: content.length, flags: Flag.wholeContent | textFlags(content) }),
    )
  let index = 0
  for (const tool of message.get(INVOCATIONS)?.items() ?? [])
    blocks.push(...readTool(tool, entry, tailOf(INVOCATIONS, index++), ids))
  return blocks
}

const CONTENT: Path = Object.freeze(['content'])

/** The parts of a message, or what stands for them in an older one. */
function partsOf(message: JsonView): Json[] {
  const parts = message.get('parts')
  if (parts?.kind === 'array') return Array.from(parts.items(), (part) => part.verbatim())
  const text = message.get('content')?.string()
  return [
    ...(text ? [{ type: 'text', text }] : []),
    ...Array.from(
      message.get(INVOCATIONS)?.items() ?? [],
      (tool): Json => ({
        type: 'tool-invocation',
        toolInvocation: tool.verbatim(),
      }),
    ),
  ]
}

const outputKey = (tool: JsonView): string =>
  ['result', 'output'].find((key) => tool.get(key) !== undefined) ?? 'errorText'

const textOf = (view: JsonView | undefined): string => view?.string() ?? JSON.stringify(view?.value() ?? null)

/** The tool's name, which is part of the type where the tool is known beforehand. */
function nameOf(tool: JsonView): string {
  return tool.get('toolName')?.string() ?? (tool.get('type')?.string() ?? '').replace(/^tool-/, '')
}

/** A call whose input still streams is left out by the SDK; one that waits for approval is open like any, unless it is the last. */
const OPEN = new Set(['input-available', 'approval-requested', 'approval-responded', 'call'])
const DONE = new Set(['output-available', 'output-error', 'output-denied', 'result'])

function readPart(part: JsonView, entry: Entry, tail: Path, ids: Ids): Block[] {
  const type = part.get('type')?.string() ?? ''
  if (type === 'text' || type === 'reasoning' || type === 'file') return [readPlain(part, type, entry, tail, ids)]
  const tool = type === 'tool-invocation' ? part.get(INVOCATION) : part
  if (!tool || !(type.startsWith('tool-') || type === 'dynamic-tool'))
    return [new Block('opaque', entry, tail, { name: ids.add(type) })]
  return readTool(tool, entry, tool === part ? tail : [...tail, INVOCATION], ids)
}

/** A call, and its result where there is one: they are one part. */
function readTool(tool: JsonView, entry: Entry, at: Path, ids: Ids): Block[] {
  const state = tool.get('state')?.string() ?? ''
  const isHosted = tool.get('providerExecuted')?.boolean() ?? false
  if (isHosted || !(OPEN.has(state) || DONE.has(state)))
    return [new Block('opaque', entry, at, { name: ids.of(tool.get('type')) })]
  const named = { id: ids.of(tool.get('toolCallId')), name: ids.add(nameOf(tool)) }
  const call = new Block('tool-call', entry, at, named)
  if (OPEN.has(state)) return state.startsWith('approval') ? [call, new Block('opaque', entry, at, named)] : [call]
  const output = tool.get(outputKey(tool))
  const flags = resultFlags(output) | (state === 'output-error' || state === 'output-denied' ? Flag.error : 0)
  return [call, new Block('tool-result', entry, at, { ...named, size: output?.length ?? 0, flags })]
}
