import type { Entry, Message } from '../../model/document.ts'
import type { Id } from '../../text/ids.ts'
import { NO_ID } from '../../text/ids.ts'
import { factsOf } from './records.ts'

/**
 * What Roo Code sends of a stored history (`getEffectiveApiHistory`, `src/core/condense/index.ts`, 2025-12 to 2026-05): a message
 * is hidden as long as the summary or the mark that it names is there. A summary in the user's name stands for all before it;
 * one in the assistant's, which older versions wrote, follows the first message. Results whose call is hidden go with it.
 */
export function effective(entries: readonly Entry[]): Message[] {
  const present = new Set<Id>()
  let newest = -1
  entries.forEach((entry, i) => {
    const { summary, marker } = factsOf(entry)
    for (const id of [summary, marker]) if (id !== undefined && id !== NO_ID) present.add(id)
    if (summary !== undefined) newest = i
  })
  const isWhole = newest < 0 && present.size === 0
  if (isWhole) return [...entries]
  const from = newest >= 0 && entries[newest]!.role === 'user' ? newest : 0
  const shown: Entry[] = []
  const hiddenCalls = new Set<Id>()
  entries.forEach((entry, i) => {
    if (i >= from && (i === newest || !factsOf(entry).hiddenBy.some((id) => present.has(id)))) shown.push(entry)
    else for (const { kind, id } of entry.blocks) if (kind === 'tool-call') hiddenCalls.add(id)
  })
  for (const { blocks } of shown) for (const { kind, id } of blocks) if (kind === 'tool-call') hiddenCalls.delete(id)
  return shown.flatMap((entry) => withoutResultsOf(entry, hiddenCalls))
}

function withoutResultsOf(entry: Entry, calls: ReadonlySet<Id>): Message | [] {
  const blocks = entry.blocks.filter(({ kind, id }) => kind !== 'tool-result' || !calls.has(id))
  if (blocks.length === entry.blocks.length) return entry
  return blocks.length === 0 ? [] : { role: entry.role, blocks, entries: [entry] }
}
