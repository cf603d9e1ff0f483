import { type Block, Flag } from '../../model/blocks.ts'
import type { Conversation, Document, Message } from '../../model/document.ts'
import type { Repair } from '../../model/finding.ts'
import type { Target } from '../../targets/target.ts'

/** Wire shapes whose thinking is signed by Anthropic's models and comes to the provider as it is stored. */
const SIGNED = new Set(['anthropic', 'bedrock-converse', 'pi'])

/** What is known of the signatures in a conversation. */
export interface Signatures {
  /** Signatures that are whole by their own measure. */
  readonly whole: number
  /** Those that are not. */
  readonly cut: number
  /** Length of the shortest whole one. */
  readonly shortest: number
}

/** The thinking of a conversation that the provider looks at, each with its message. */
export function* signedThinking(
  { messages, model }: Conversation,
  document: Document,
): Generator<{ readonly at: Block; readonly message: Message }> {
  if (!SIGNED.has(document.dialect) || !isSigner(document.model ?? model)) return
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const at of message.blocks) {
      if (at.kind === 'thinking' && !at.is(Flag.foreign)) yield { at, message }
    }
  }
}

/** Whether the provider refuses a rule's fault at all. */
export function refuses({ verdicts }: Target, rule: string): boolean {
  return verdicts[rule]?.verdict === 'error'
}

/** Whether a model can be one of Anthropic's: others that speak its API sign nothing, or in their way. */
function isSigner(model: string | undefined): boolean {
  return model === undefined || /claude|opus|sonnet|haiku|fable|mythos/.test(model)
}

export function signaturesOf(conversation: Conversation, document: Document): Signatures {
  let whole = 0
  let cut = 0
  let shortest = Number.POSITIVE_INFINITY
  for (const { at } of signedThinking(conversation, document)) {
    if (at.is(Flag.unsigned | Flag.badSignature)) continue
    if (at.is(Flag.cutSignature)) cut++
    else {
      whole++
      shortest = Math.min(shortest, at.size)
    }
  }
  return { whole, cut, shortest }
}

/** Takes a thinking block out; those beside it stay as they are. */
export function withoutThinking(block: Block): Repair {
  return {
    title: 'remove the thinking',
    safety: 'safe',
    loses: ['reasoning'],
    operations: [{ do: 'remove-block', block }],
  }
}
