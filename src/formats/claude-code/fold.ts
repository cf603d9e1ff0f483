import type { Block } from '../../model/blocks.ts'
import type { Entry, Message } from '../../model/document.ts'
import { type Id, NO_ID } from '../../text/ids.ts'
import { isSent, isSentNote } from './sent.ts'

/** Records that the client loads although they are off the path, by the message that they belong to. */
export interface SideRecords {
  readonly parts: ReadonlyMap<Id, readonly Entry[]>
  readonly results: ReadonlyMap<Id, readonly Entry[]>
}

/** A message on its way to being put together. */
interface Unit {
  readonly role: 'user' | 'assistant'
  readonly entries: Entry[]
  /** Parts that were written behind other messages. */
  late?: Entry[]
}

/**
 * Puts the records of a path to messages, as the client does: records of one `message.id` are one assistant message, even
 * when others stand between them; consecutive user records are one user message (observed with 2.1.332). `ids` is how many
 * ids there are; `position` tells the order of the file.
 */
export function foldMessages(
  path: Iterable<Entry>,
  sides: SideRecords,
  ids: number,
  position: (entry: Entry) => number,
): Message[] {
  const inOrder = (a: Entry, b: Entry): number => position(a) - position(b)
  const units: Unit[] = []
  /** The unit of each group, plus one. */
  const byGroup = new Int32Array(ids)
  const broken: Unit[] = []
  for (const entry of path) {
    if (!isSent(entry)) continue
    const last = units.at(-1)
    if (entry.role !== 'assistant') {
      if (last?.role === 'user') last.entries.push(entry)
      else units.push({ role: 'user', entries: [entry] })
      continue
    }
    const known = byGroup[entry.group]! === 0 ? undefined : units[byGroup[entry.group]! - 1]
    if (known === undefined || entry.group === NO_ID) {
      units.push({ role: 'assistant', entries: [entry] })
      byGroup[entry.group] = units.length
    } else if (known === last) last.entries.push(entry)
    else if (known.late) known.late.push(entry)
    else {
      known.late = [entry]
      broken.push(known)
    }
  }
  for (const unit of broken) addLate(unit.entries, unit.late!)
  if (sides.parts.size + sides.results.size > 0) addSides(units, sides, inOrder)
  return toMessages(units)
}

/** Parts that were written late come before the calls of their message (observed with 2.1.332), calls behind them. */
function addLate(entries: Entry[], late: readonly Entry[]): void {
  const isCall = (entry: Entry): boolean => entry.blocks.some((block) => block.kind === 'tool-call')
  const first = entries.findIndex(isCall)
  const calls = entries.splice(first < 0 ? entries.length : first)
  for (const entry of late) (isCall(entry) ? calls : entries).push(entry)
  for (const entry of calls) entries.push(entry)
}

/** Adds what is loaded from beside the path; results on and off it lie in the order in which they were written. */
function addSides(units: Unit[], sides: SideRecords, inOrder: (a: Entry, b: Entry) => number): void {
  const whole = units.splice(0)
  for (let i = 0; i < whole.length; i++) {
    const unit = whole[i]!
    units.push(unit)
    if (unit.role === 'user') continue
    const group = unit.entries[0]!.group
    const parts = group === NO_ID ? undefined : sides.parts.get(group)
    if (parts) {
      for (const part of parts) unit.entries.push(part)
      unit.entries.sort(inOrder)
    }
    const results = group === NO_ID ? undefined : sides.results.get(group)
    if (!results) continue
    const next = whole[i + 1]?.role === 'user' ? whole[++i]!.entries : []
    const rest = next.findIndex((entry) => entry.blocks[0]?.kind !== 'tool-result')
    const run = rest < 0 ? next : next.slice(0, rest)
    units.push({ role: 'user', entries: [...[...results, ...run].sort(inOrder), ...next.slice(run.length)] })
  }
}

function toMessages(units: readonly Unit[]): Message[] {
  const messages: Message[] = []
  let user: Entry[] | undefined
  for (const { role, entries } of units) {
    if (role === 'assistant') {
      if (user) messages.push(messageOf('user', notesLast(user)))
      user = undefined
      messages.push(messageOf('assistant', entries))
    } else if (user) for (const entry of entries) user.push(entry)
    else user = entries
  }
  if (user) messages.push(messageOf('user', notesLast(user)))
  return messages
}

function notesLast(entries: Entry[]): Entry[] {
  if (!entries.some(isSentNote)) return entries
  return [...entries.filter((entry) => !isSentNote(entry)), ...entries.filter(isSentNote)]
}

function messageOf(role: 'user' | 'assistant', entries: readonly Entry[]): Message {
  const [only] = entries
  // An entry of the same role is a message by itself.
  if (entries.length === 1 && only) return only.role === role ? only : { role, entries, blocks: only.blocks }
  const blocks: Block[] = []
  for (const entry of entries) for (const block of entry.blocks) blocks.push(block)
  // Copies take no more room than they need, lists that grew do.
  return { role, entries: entries.slice(), blocks: blocks.slice() }
}
