import type { Entry, Message } from '../../model/document.ts'
import type { Id } from '../../text/ids.ts'
import type { Skeleton } from '../format.ts'
import { factsOf } from './facts.ts'

/** A message as it came out in the end, and where it is written. */
export interface Live {
  /** The newest version: the message, and the turn made of the results inside it. */
  entries: Entry[]
  /** Older versions since the message is there: without the newest one they would count again. */
  readonly older: Entry[]
}

/**
 * The messages that Gemini CLI 0.61.0 loads (`loadConversationRecord`): the same id again replaces a message and keeps its
 * place; a snapshot takes the place of all before it; a rewind takes a message back and all behind it, and everything where
 * there is no such message.
 */
export function replay(document: Skeleton): Map<Id, Live> {
  const live = new Map<Id, Live>()
  const order: Id[] = []
  for (const entry of document.entries()) {
    entry.onPath = false
    const { line, names } = factsOf(entry)
    if (line === 'replaced') {
      live.clear()
      order.length = 0
    } else if (line === 'rewind') rewind(live, order, names!)
    else if (line === 'results') live.get(entry.id)?.entries.push(entry)
    else if (line === 'message') {
      const known = live.get(entry.id)
      if (known) {
        known.older.push(known.entries[0]!)
        known.entries = [entry]
      } else {
        live.set(entry.id, { entries: [entry], older: [] })
        order.push(entry.id)
      }
    }
  }
  return live
}

/** @param order the ids of the live messages in their order, so that each is looked at once for each time it is taken back */
function rewind(live: Map<Id, Live>, order: Id[], id: Id): void {
  if (!live.has(id)) {
    live.clear()
    order.length = 0
  }
  for (let last = order.pop(); last !== undefined; last = order.pop()) {
    live.delete(last)
    if (last === id) return
  }
}

/**
 * What is sent of the messages. Neighbours of one role are joined before that; here those of the model stay apart, since the
 * results of each are sent right behind that very message.
 */
export function fold(live: ReadonlyMap<Id, Live>): Message[] {
  const messages: Message[] = []
  let run: Entry[] = []
  const close = (): void => {
    const [first, ...others] = run
    if (first && others.length === 0) messages.push(first)
    else if (first) messages.push({ role: first.role, blocks: run.flatMap((entry) => [...entry.blocks]), entries: run })
    run = []
  }
  for (const { entries } of live.values()) {
    for (const entry of entries) {
      if (entry.kind !== 'message') continue
      entry.onPath = true
      if (entry.role === 'assistant' || run[0]?.role === 'assistant') close()
      run.push(entry)
    }
  }
  close()
  return messages
}
