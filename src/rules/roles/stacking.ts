import { Flag } from '../../model/blocks.ts'
import type { Message } from '../../model/document.ts'
import type { Repair } from '../../model/finding.ts'
import type { Target } from '../../targets/target.ts'

/** Whether two neighbours are one turn cut in two. Results are a role of their own: text behind them is no second turn. */
export function stacks(earlier: Message, later: Message): boolean {
  if (earlier.role !== later.role || (later.role !== 'user' && later.role !== 'assistant')) return false
  return !isOnlyResults(earlier) && !isOnlyResults(later)
}

function isOnlyResults({ blocks }: Message): boolean {
  return blocks.length > 0 && blocks.every((block) => block.kind === 'tool-result')
}

/** Whether a message of the user or the assistant says nothing at all. */
export function isEmpty({ role, blocks }: Message): boolean {
  if (role !== 'user' && role !== 'assistant') return false
  return blocks.every((block) => block.kind === 'text' && block.is(Flag.empty | Flag.blank))
}

/**
 * Whether the provider refuses an empty message in this form. Anthropic takes an assistant's `""` and `[]`, but no empty text
 * block; in the other shapes a string may be empty, a missing content may not.
 */
export function isRefused({ role, blocks }: Message, target: Target): boolean {
  if (target.dialect !== 'anthropic') return blocks.length === 0
  return role === 'user' || blocks.some((block) => !(block.is(Flag.empty) && block.is(Flag.wholeContent)))
}

/** Takes an empty message out. */
export function removal(message: Message): Repair {
  return {
    title: 'remove the message',
    safety: 'safe',
    loses: [],
    operations: [{ do: 'remove-message', message }],
  }
}
