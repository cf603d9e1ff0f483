import type { Shape } from './generate/specimen.ts'
import { MARK } from './generate/words.ts'
import { loadClaudeCode } from './judge/claude-code.ts'
import { faultsOf } from './judge/pairing.ts'
import { loadQwenCode } from './judge/qwen-code.ts'
import { asString, isObject, type Loaded, type Node, type Part, type Said, sha256 } from './judge/said.ts'
import { inside, readMessage } from './judge/shapes.ts'
import { spansOf } from './judge/spans.ts'

export interface Judgement {
  /** What the provider or the client would stumble over. */
  readonly faults: readonly string[]
  /** How often each mark stands in a text or a real result of what is loaded. */
  readonly marks: ReadonlyMap<string, number>
  readonly parts: readonly Part[]
  /** For each mark of a call on the path: the text of the result that the provider takes for its answer. */
  readonly answers: ReadonlyMap<string, string>
  /** The mark of the one result with the id of a call, by the mark of the call; where the id leaves no doubt. */
  readonly pairs: ReadonlyMap<string, string>
}

/**
 * Judges what a client would load from a file, by the published rules of the provider and what was seen of the client. It reads
 * with `JSON.parse` alone, so that it cannot share a mistake with what it judges.
 */
export function judge(bytes: Uint8Array, format: string, maxMedia = 100): Judgement {
  const { conversations, faults } = load(bytes, format)
  const shape = shapeOf(format)
  const all = conversations.flatMap((messages) => [...faultsOf(messages, shape, maxMedia)])
  const parts = conversations.flat().flatMap((said) => said.parts)
  const marks = new Map<string, number>()
  for (const { kind, text } of parts) {
    if (kind !== 'text' && kind !== 'result') continue
    for (const [mark] of text.matchAll(MARK)) marks.set(mark, (marks.get(mark) ?? 0) + 1)
  }
  return { faults: [...faults, ...all], marks, parts, ...answersOf(conversations) }
}

/** Whether a report names the part, by its digest. */
export function isNamed(part: Part, digests: ReadonlySet<string>): boolean {
  return [part, ...part.inner].some(({ raw, whole }) => digests.has(sha256(raw)) || digests.has(sha256(whole)))
}

function shapeOf(format: string): Shape {
  if (format.startsWith('anthropic') || format === 'claude-code') return 'anthropic'
  return format === 'qwen-code' ? 'gemini' : 'openai'
}

function load(bytes: Uint8Array, format: string): Loaded {
  const faults: string[] = []
  const text = decode(bytes, faults)
  const isDocument = /^(anthropic|openai-chat)(-body)?$/.test(format)
  const nodes: Node[] = []
  const pieces = isDocument ? [text] : text.split('\n')
  pieces.forEach((piece, i) => {
    if (piece.trim() === '') return
    const where = `line ${i + 1}`
    try {
      const value = JSON.parse(piece) as unknown
      const span = spansOf(piece)
      if (Array.isArray(value)) nodes.push({ value: { messages: value }, span: listSpan(span), text: piece, where })
      else if (isObject(value)) nodes.push({ value, span, text: piece, where })
    } catch {
      faults.push(`${where}: does not parse`)
    }
  })
  const loaded = loadNodes(nodes, format)
  return { conversations: loaded.conversations, faults: [...faults, ...loaded.faults] }
}

const listSpan = (span: ReturnType<typeof spansOf>): ReturnType<typeof spansOf> => ({
  ...span,
  members: new Map([['messages', span]]),
})

function decode(bytes: Uint8Array, faults: string[]): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    faults.push('ill-formed UTF-8')
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  }
}

function loadNodes(nodes: readonly Node[], format: string): Loaded {
  if (format === 'claude-code') return loadClaudeCode(nodes)
  if (format === 'qwen-code') return loadQwenCode(nodes)
  const shape = shapeOf(format)
  const messages = (): Said[] =>
    nodes.filter(({ value }) => typeof value.role === 'string').map((node) => readMessage(node, shape))
  if (format === 'codeagent') return { conversations: [codeAgent(messages())], faults: [] }
  if (format.endsWith('-lines')) return { conversations: [messages()], faults: [] }
  const conversations = nodes.map((node) => {
    const list = node.value.messages
    if (!Array.isArray(list)) return []
    return list.flatMap((_, i): Said[] => {
      const message = inside(node, 'messages', i)
      return message ? [readMessage(message, shape)] : []
    })
  })
  return { conversations, faults: [] }
}

/** codeAgent starts at the last boundary of a compaction and builds its system message anew. */
function codeAgent(said: readonly Said[]): Said[] {
  const from = said.findLastIndex(
    ({ role, content }) => role === 'user' && asString(content).startsWith('[COMPACT_BOUNDARY]'),
  )
  return said.slice(Math.max(from, 0)).filter(({ role }) => role !== 'system')
}

function answersOf(conversations: readonly (readonly Said[])[]): Pick<Judgement, 'answers' | 'pairs'> {
  const answers = new Map<string, string>()
  const pairs = new Map<string, string>()
  for (const messages of conversations) {
    const parts = messages.flatMap((said) => said.parts)
    const open = new Map<string, string>()
    for (const part of parts) {
      if (part.kind === 'call') open.set(part.id, markOf(part))
      else if (part.kind === 'result') {
        const call = open.get(part.id) ?? ''
        // Where a call stands twice, one of the two is answered for real.
        if (answers.get(call)?.startsWith('[convfix]') ?? true) answers.set(call, part.text)
      }
    }
    for (const call of parts) {
      const same = parts.filter(({ id, kind }) => id === call.id && (kind === 'call' || kind === 'result'))
      const [result] = same.filter(({ kind }) => kind === 'result')
      if (call.kind === 'call' && call.id !== '' && same.length === 2 && result) pairs.set(markOf(call), markOf(result))
    }
  }
  // A call that stands in several places says nothing of its result.
  const calls = conversations.flat().flatMap(({ parts }) => parts.filter(({ kind }) => kind === 'call').map(markOf))
  for (const mark of pairs.keys()) if (calls.indexOf(mark) < calls.lastIndexOf(mark)) pairs.delete(mark)
  answers.delete('')
  pairs.delete('')
  return { answers, pairs }
}

const markOf = (part: Part): string => part.text.match(MARK)?.[0] ?? ''
