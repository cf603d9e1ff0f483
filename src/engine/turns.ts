import { type Block, Flag } from '../model/blocks.ts'
import type { Conversation, Message } from '../model/document.ts'
import type { ReportedFinding } from '../model/report.ts'
import type { Turn, TurnBlock, Turns } from '../model/timeline.ts'
import { type JsonView, Keys, lookup } from '../text/view.ts'
import type { Locator } from './locate.ts'
import type { Transcript } from './transcript.ts'

/** Characters of a text, a result or a call's input that are taken: more than is shown, so that a secret at the edge is seen whole. */
export const EXCERPT = 240
/** Turns of a file up to which all of them get excerpts; beyond it only those near a finding, since each is read again. */
const WHOLE = 20_000
/** Turns on each side of a finding that get excerpts in a bigger file. */
const NEAR = 4
/** Characters of a string in a structured result: what is longer may be data. */
const SHORT = 80
/** How deep the words of a block are looked for. */
const DEPTH = 5

/** The conversations of a transcript as they stand now. Nothing is changed; texts near the findings are read again. */
export function turnsOf(
  transcript: Transcript,
  locator: Locator,
  findings: readonly ReportedFinding[],
): readonly Turns[] {
  const near = isLong(transcript) ? nearOf(findings) : undefined
  return transcript.conversations.map(({ label, role, messages }: Conversation, conversation) => ({
    label,
    role,
    turns: messages.map((message, i) =>
      turnOf(message, transcript, locator, !near || near.has(`${conversation} ${i}`)),
    ),
  }))
}

/** Whether only the turns near a finding are quoted. */
export function isLong({ conversations }: Transcript): boolean {
  return conversations.reduce((sum, { messages }) => sum + messages.length, 0) > WHOLE
}

function nearOf(findings: readonly ReportedFinding[]): ReadonlySet<string> {
  const near = new Set<string>()
  for (const { turn } of findings) {
    if (!turn) continue
    for (const at of [turn.turn, ...turn.related]) {
      if (at === undefined) continue
      for (let i = at - NEAR; i <= at + NEAR; i++) near.add(`${turn.conversation} ${i}`)
    }
  }
  return near
}

function turnOf(message: Message, transcript: Transcript, locator: Locator, excerpts: boolean): Turn {
  return {
    line: locator.lineOf(message.entries[0]!),
    role: message.role,
    blocks: message.blocks.map((block) => blockOf(block, transcript, excerpts)),
  }
}

function blockOf(block: Block, transcript: Transcript, excerpts: boolean): TurnBlock {
  const { ids } = transcript
  return {
    kind: block.kind,
    id: ids.text(block.id),
    name: ids.text(block.name),
    size: block.size,
    isError: block.kind === 'tool-result' && block.is(Flag.error),
    isSynthetic: block.kind === 'tool-result' && block.is(Flag.synthetic),
    isDocument: block.kind === 'media' && block.is(Flag.document),
    excerpt: excerpts ? excerptOf(block, transcript) : undefined,
    content: block.content.map((inner) => blockOf(inner, transcript, excerpts)),
  }
}

function excerptOf(block: Block, transcript: Transcript): string | undefined {
  const { records } = transcript
  const { kind, content } = block
  // Media of a result are shown as such: what is quoted is its text, where it has any.
  if (kind === 'tool-result' && content.some((each) => each.kind === 'media')) {
    const text = content.find((each) => each.kind === 'text')
    return text && excerptOf(text, transcript)
  }
  if (kind === 'media' || kind === 'opaque') return undefined
  const record = records.view(block.entry.record)
  const view = record && lookup(record, block.path)
  return view && words(view, kind === 'tool-call' || kind === 'server-call' ? INPUT : TEXT, DEPTH)
}

/** Where the dialects keep what a call is given. */
const INPUT = new Keys(
  'input',
  'arguments',
  'args',
  'parameters',
  'function',
  'functionCall',
  'toolUse',
  'function_call',
  'toolCall',
  'value',
  'state',
)
/** Where they keep what a text, a thought or a result says. Never a signature, never data. */
const TEXT = new Keys(
  'text',
  'thinking',
  'reasoning',
  'content',
  'output',
  'result',
  'response',
  'summary',
  'parts',
  'toolResult',
  'functionResponse',
  'reasoningContent',
  'reasoningText',
  'value',
  'stdout',
  'json',
  'description',
  'error',
  'state',
)

/** The first words of a value: those of a string, else of the first member or item that has any. */
function words(view: JsonView, keys: Keys, depth: number): string | undefined {
  if (view.kind === 'string') return view.peek(EXCERPT)
  if (depth === 0) return undefined
  if (view.kind === 'array') {
    for (const item of view.items()) {
      const found = words(item, keys, depth - 1)
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const [i, member] of view.pick(keys).entries()) {
    // A state that is no more than a name says nothing.
    if (!member || (keys.names[i] === 'state' && member.kind !== 'object')) continue
    const found = words(member, keys, depth - 1)
    if (found !== undefined) return found
  }
  return depth < DEPTH ? brief(view, keys === INPUT ? EXCERPT : SHORT) : undefined
}

/** The members of an input or a result, as they are written in code; of longer strings than `longest` nothing is told. */
function brief(view: JsonView, longest: number): string | undefined {
  if (view.kind !== 'object') return undefined
  let text = ''
  for (const [key, value] of view.members()) {
    if (text.length > EXCERPT) break
    const said = value.kind === 'string' ? stringOf(value, longest) : scalar(value)
    text += `${text === '' ? '' : ', '}${key}: ${said}`
  }
  return text.slice(0, EXCERPT)
}

function stringOf(value: JsonView, longest: number): string {
  // The input of a call is told as far as it goes: it is what somebody looks for.
  return longest === SHORT && value.length > SHORT ? '"…"' : JSON.stringify(value.peek(longest))
}

function scalar(value: JsonView): string {
  if (value.kind === 'object') return value.size === 0 ? '{}' : '{…}'
  if (value.kind === 'array') return value.size === 0 ? '[]' : '[…]'
  return String(value.value())
}
