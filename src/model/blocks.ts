import type { Id } from '../text/ids.ts'
import { NO_ID } from '../text/ids.ts'
import type { Path } from '../text/view.ts'
import type { Entry } from './document.ts'

/**
 * The parts of a message, whatever the wire shape calls them. `server-tool` is a call or a result that the provider handled
 * itself (the result stands in the assistant's own turn); `opaque` is everything that convfix carries along without judging it.
 */
export type BlockKind =
  | 'text'
  | 'tool-call'
  | 'tool-result'
  | 'media'
  | 'thinking'
  | 'server-call'
  | 'server-result'
  | 'opaque'

/** What was seen of a block while its bytes were in memory; see {@link Block.flags}. */
export const Flag = {
  /** A text, thinking text or tool result without a single character. */
  empty: 1,
  /** A text of nothing but white space. */
  blank: 2,
  /** A tool result that is marked as an error. */
  error: 4,
  /** A tool result that a client or convfix wrote in the place of one that was lost. */
  synthetic: 8,
  /** A tool call whose input is no object (where the wire shape wants an object), or that has none. */
  inputNotObject: 16,
  /** A tool call whose arguments should be the text of an object, and are null or a text that does not parse as JSON. */
  argumentsNotJson: 32,
  /** A tool call that says of itself that it was cut off while it was streamed. */
  partial: 64,
  /** A thinking block without a signature; in Gemini's shape a tool call without one, too. */
  unsigned: 128,
  /** Media that is a document (PDF or text) rather than an image. */
  document: 256,
  /** The whole content of the message is one string, which this block stands for. */
  wholeContent: 512,
  /** The stored message itself is the block (a message of the role `tool`). */
  wholeMessage: 1024,
  /** Carries a cache marker. */
  cacheMarker: 2048,
  /** A tool call or result that is stored without an id; the one that it has here was made up for pairing and is never written. */
  unnamed: 4096,
  /** Thinking whose signature (or encrypted content) cannot be one. */
  badSignature: 8192,
  /** Lacks a field without which the provider does not take it. */
  incomplete: 16384,
  /** A tool call or text whose id the client writes anew when it sends it, since another model gave it: what it looks like is no fault. */
  renamedBySender: 32768,
  /** Thinking of a model of another provider: the client leaves it out, or the provider that gave it asks for no signature. */
  foreign: 1 << 20,
  /** Thinking whose signature is no whole one by its own measure; others of the conversation tell whether that means anything. */
  cutSignature: 1 << 21,
  /** Has fields that the wire shape of its kind does not know. */
  extraField: 1 << 16,
  /** A text in which the client stored the error of a request, as if the assistant had said it. */
  apiError: 1 << 17,
  /** Media that is a sound or a film rather than an image. */
  recording: 1 << 19,
  /** A call of a tool that takes a text of any kind instead of an object (`custom` of Chat Completions). */
  freeInput: 1 << 18,
} as const

/** Flags above this bit are the {@link toolKind} of a tool call or result. */
const KIND_SHIFT = 26

/**
 * Which kind of tool a call or a result is of, where a request can hold several and only a result of its own kind answers a call
 * (Responses: functions, custom tools, patches …). 0 where there is but one.
 */
export function toolKind(block: Block): number {
  return block.flags >>> KIND_SHIFT
}

/** The flags of a tool call or result of a kind. */
export function ofToolKind(kind: number): number {
  return kind << KIND_SHIFT
}

/**
 * One block of a message: where it stands, and the facts that rules need. Its content stays in the file.
 * All blocks have the same fields, so that millions of them stay cheap; what a field means depends on `kind`.
 */
export class Block {
  readonly kind: BlockKind
  /** The stored message that holds it. */
  readonly entry: Entry
  /** From the stored message to the block: `['content', 2]`, `['tool_calls', 0]`, `[]` for the message itself. */
  readonly tail: Path
  /** Tool calls and results: the call's id. Text and thinking: that of the item that it is sent as, where a message holds several (pi). */
  readonly id: Id
  /** Tool calls and results: the tool's name. Media: the declared type. Opaque and server tools: the block's own type. */
  readonly name: Id
  /** Text: its length. Media: characters of base64. Thinking: length of the signature. Tool result: length of its text. */
  readonly size: number
  /** Bits of {@link Flag}. */
  readonly flags: number
  /** The blocks inside a tool result. */
  readonly content: readonly Block[]
  /** Other ids under which a result may name this call (`fc_…` beside `call_…`). */
  readonly aliases: readonly Id[]

  constructor(
    kind: BlockKind,
    entry: Entry,
    tail: Path,
    facts: {
      id?: Id
      name?: Id
      size?: number
      flags?: number
      content?: readonly Block[]
      aliases?: readonly Id[]
    } = {},
  ) {
    this.kind = kind
    this.entry = entry
    this.tail = tail
    this.id = facts.id ?? NO_ID
    this.name = facts.name ?? NO_ID
    this.size = facts.size ?? 0
    this.flags = facts.flags ?? 0
    this.content = facts.content && facts.content.length > 0 ? exact(facts.content) : NONE
    this.aliases = facts.aliases ?? NONE
  }

  /** Whether any of the given flags is set. */
  is(flags: number): boolean {
    return (this.flags & flags) !== 0
  }

  /** Where it stands in its record. */
  get path(): Path {
    return this.entry.path.concat(this.tail)
  }
}

/** The same block with more flags. */
export function flagged(block: Block, more: number): Block {
  const { kind, entry, tail, id, name, size, flags, content, aliases } = block
  return new Block(kind, entry, tail, { id, name, size, flags: flags | more, content, aliases })
}

const NONE: readonly never[] = Object.freeze([])

/** A list that takes no more room than it needs: one that grew item by item has room for sixteen more. */
export function exact<T>(list: readonly T[]): readonly T[] {
  return list.slice()
}

const tails = new Map<string, Path[]>()

/** The path `[key, index]`, shared between all blocks that stand at the same index. */
export function tailOf(key: string, index: number): Path {
  let known = tails.get(key)
  if (!known) tails.set(key, (known = []))
  if (index >= 256) return [key, index]
  return (known[index] ??= Object.freeze([key, index]) as Path)
}

/** Every block of a message, with those inside tool results behind the result that holds them. */
export function* deep(blocks: Iterable<Block>): Generator<Block> {
  for (const block of blocks) {
    yield block
    if (block.content.length > 0) yield* block.content
  }
}
