import { Flag } from '../../model/blocks.ts'
import { checkpointsInsidePairs } from '../../model/chain.ts'
import type { CompactionFault, Entry, Message } from '../../model/document.ts'
import { type Id, NO_ID } from '../../text/ids.ts'
import { factsOf, has, Trait } from './records.ts'

/** What pi makes of the path from the first record to the leaf (1.6.0, `buildSessionProjection`). */
export interface Context {
  readonly messages: readonly Message[]
  /** The newest compaction on the path. */
  readonly compaction: Entry | undefined
  /** Older compactions that stand among what the newest one keeps, between a call and its result. */
  readonly faults: readonly CompactionFault[]
}

/**
 * The messages of a path. The newest compaction comes first and stands for all before the entry that it names as the first
 * kept one; older compactions say nothing. Edits take a message out or put other content into it. `keptAt` tells the place
 * of the first kept entry, which may be behind the end: then nothing is kept.
 */
export function contextOf(path: readonly Entry[], keptAt: (compaction: Entry, place: number) => number): Context {
  const place = path.findLastIndex((entry) => entry.kind === 'checkpoint')
  const compaction = place < 0 ? undefined : path[place]!
  const kept = compaction ? path.slice(Math.min(keptAt(compaction, place), place), place) : []
  const entries = compaction ? [compaction, ...kept, ...path.slice(place + 1)] : path
  const edits = new Map<Id, Entry>()
  for (const entry of entries) if (has(entry, Trait.edit)) edits.set(factsOf(entry).names?.target ?? NO_ID, entry)

  const messages: Message[] = []
  for (const entry of entries) {
    if (entry.kind !== 'message' && entry !== compaction) continue
    if (has(entry, Trait.failed)) continue
    const edit = entry.id === NO_ID ? undefined : edits.get(entry.id)
    const message = edit ? edited(entry, edit) : entry
    if (message) messages.push(message)
  }
  return { messages, compaction, faults: faultsIn(kept) }
}

/** A message as an edit leaves it. What a result says is not looked at again: it stays the answer of its call. */
function edited(entry: Entry, edit: Entry): Message | undefined {
  const instead = factsOf(edit).names?.instead
  if (!instead) return undefined
  if (entry.role === 'tool') return entry
  // What is blank is left out of every request.
  if (instead.blocks.every((block) => block.kind === 'text' && block.is(Flag.empty | Flag.blank))) return undefined
  return { role: entry.role, blocks: instead.blocks, entries: [entry] }
}

function faultsIn(kept: readonly Entry[]): CompactionFault[] {
  return checkpointsInsidePairs(kept).map(({ checkpoint }) => ({
    kind: 'compaction-inside-pair',
    entry: checkpoint,
    message: 'this older compaction stands between a call and its result, among what the newest one keeps',
    drop: true,
  }))
}
