import type { Block } from '../../model/blocks.ts'
import { Flag } from '../../model/blocks.ts'
import type { Conversation, Entry, Message } from '../../model/document.ts'
import type { Operation } from '../../model/finding.ts'
import { NO_ID } from '../../text/ids.ts'

/** The reasoning that a message is, where it is an item of its own. */
export function reasoningOf({ blocks }: Message): Block | undefined {
  const [only] = blocks
  return only?.kind === 'thinking' && only.is(Flag.wholeMessage) ? only : undefined
}

/** The entry of an item, which is a message of one stored message. */
export function itemOf(message: Message): Entry {
  return message.entries[0]!
}

/** The items that reasoning led to: what the model said or called right behind it. */
export function* ledTo({ messages }: Conversation, index: number): Generator<Message> {
  for (let i = index + 1; i < messages.length; i++) {
    const message = messages[i]!
    if (reasoningOf(message)) continue
    if (message.role !== 'assistant') return
    yield message
    if (messages[i + 1] && reasoningOf(messages[i + 1]!)) return
  }
}

/** Whether an item has an id that it can do without; what is stored under its id alone needs it. */
export function hasSpareId(message: Message): boolean {
  if (itemOf(message).id === NO_ID) return false
  return !message.blocks.some((block) => block.kind === 'opaque' || block.is(Flag.unnamed))
}

/** Takes the id of an item away: an item without one is bound to no reasoning, and its content stands there in full. */
export function dropId(message: Message): Operation[] {
  if (!hasSpareId(message)) return []
  return [{ do: 'change-entry', entry: itemOf(message), changes: [{ op: 'remove', path: ['id'] }] }]
}
