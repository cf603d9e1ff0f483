import type { Entry, Message } from '../../model/document.ts'
import { type Id, NO_ID } from '../../text/ids.ts'
import { isSentNote } from './sent.ts'

/** A message on its way to being put together. */
interface Unit {
  readonly role: 'user' | 'assistant'
  readonly entries: Entry[]
  /** Results that hang on it off the path. */
  readonly results: Entry[]
}

/** Records that the client loads although they are off the path, by the message that they belong to. */
export interface SideRecords {
  readonly parts: ReadonlyMap<Id, readonly Entry[]>
  readonly results: ReadonlyMap<Id, readonly Entry[]>
}

/**
 * Puts the records that are sent together to messages, as the client does: records of one `message.id` are one assistant
 * message, even when others stand between them; consecutive user records are one user message (observed with 2.1.332).
 * `position` tells the order of the file.
 */
export function foldMessages(sent: Iterable<Entry>, sides: SideRecords, position: (entry: Entry) => number): Message[] {
  const units: Unit[] = []
  const byGroup = new Map<Id, Unit>()
  const inOrder = (a: Entry, b: Entry): number => position(a) - position(b)
  for (const entry of sent) {
    if (entry.role !== 'assistant') {
      const last = units.at(-1)
      if (last?.role === 'user') last.entries.push(entry)
      else units.push({ role: 'user', entries: [entry], results: [] })
      continue
    }
    const known = entry.group === NO_ID ? undefined : byGroup.get(entry.group)
    if (known) {
      if (known === units.at(-1)) known.entries.push(entry)
      else insertLate(known.entries, entry)
      continue
    }
    const unit: Unit = { role: 'assistant', entries: [entry], results: [] }
    units.push(unit)
    if (entry.group === NO_ID) continue
    byGroup.set(entry.group, unit)
    const parts = sides.parts.get(entry.group)
    if (parts) unit.entries.push(...parts)
    unit.results.push(...(sides.results.get(entry.group) ?? []))
  }
  for (const [group, unit] of byGroup) if (sides.parts.has(group)) unit.entries.sort(inOrder)
  return toMessages(units, inOrder)
}

/** A part that was written late comes before the calls of its message (observed with 2.1.332), a call behind them. */
function insertLate(entries: Entry[], late: Entry): void {
  const isCall = (entry: Entry): boolean => entry.blocks.some((block) => block.kind === 'tool-call')
  const call = entries.findIndex(isCall)
  if (isCall(late) || call < 0) entries.push(late)
  else entries.splice(call, 0, late)
}

function toMessages(units: readonly Unit[], inOrder: (a: Entry, b: Entry) => number): Message[] {
  const messages: Message[] = []
  let user: Entry[] = []
  const closeUser = (): void => {
    if (user.length > 0) messages.push(messageOf('user', notesLast(user)))
    user = []
  }
  for (let i = 0; i < units.length; i++) {
    const unit = units[i]!
    if (unit.role === 'user') {
      user.push(...unit.entries)
      continue
    }
    closeUser()
    messages.push(messageOf('assistant', unit.entries))
    if (unit.results.length === 0) continue
    const next = units[i + 1]
    const run: Entry[] = []
    // Results on and off the path lie in the order in which they were written.
    while (next?.role === 'user' && next.entries[0] && holdsResults(next.entries[0])) run.push(next.entries.shift()!)
    user.push(...[...unit.results, ...run].sort(inOrder))
  }
  closeUser()
  return messages
}

function holdsResults(entry: Entry): boolean {
  return entry.blocks[0]?.kind === 'tool-result'
}

function notesLast(entries: Entry[]): Entry[] {
  if (!entries.some(isSentNote)) return entries
  return [...entries.filter((entry) => !isSentNote(entry)), ...entries.filter(isSentNote)]
}

function messageOf(role: 'user' | 'assistant', entries: readonly Entry[]): Message {
  return { role, entries, blocks: entries.length === 1 ? entries[0]!.blocks : entries.flatMap((each) => each.blocks) }
}
