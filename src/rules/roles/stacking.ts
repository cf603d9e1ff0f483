import { Flag } from '../../model/blocks.ts'
import type { Document, Entry, Message } from '../../model/document.ts'
import type { Repair } from '../../model/finding.ts'
import type { Target } from '../../targets/target.ts'
import { lookup } from '../../text/view.ts'

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

/** Takes an empty message out, and names what else stands in it. */
export function removal(message: Message, document: Document): Repair {
  const fields = message.entries.flatMap((entry) => fieldsBeside(entry, document))
  return {
    title: `remove the message${fields.length > 0 ? `, and with it its ${fields.join(', ')}` : ''}`,
    safety: 'safe',
    loses: fields.length > 0 ? ['text'] : [],
    operations: [{ do: 'remove-message', message }],
  }
}

/** What a message has beside what it says, whoever wrote it: who said it, when and where, and how it came about. */
const ENVELOPE = new Set([
  ...['role', 'type', 'name', 'id', 'uuid', 'seq', 'turn_index'],
  ...['timestamp', 'ts', 'createdAt', 'created_at', 'api', 'provider', 'model', 'usage', 'status'],
  ...['stop_reason', 'stop_sequence', 'stopReason'],
])

/** The other fields of a stored message that hold something. */
function fieldsBeside({ record, path, blocks }: Entry, document: Document): string[] {
  const whole = document.records.view(record)
  const stored = whole && lookup(whole, path)
  return Array.from(stored?.members() ?? []).flatMap(([key, value]) => {
    const isNothing = value.kind === 'null' || value.boolean() === false || value.isBlank()
    const isHollow = (value.kind === 'array' || value.kind === 'object') && value.size === 0
    // The content itself was read where it is a list of what is known; as anything else nobody knows what it says.
    const isRead = value.kind === 'array' && value.size === blocks.length && (key === 'content' || key === 'parts')
    return ENVELOPE.has(key) || isNothing || isHollow || isRead ? [] : [key]
  })
}
