import type { Entry } from '../../model/document.ts'
import type { Id, Ids } from '../../text/ids.ts'

/** Bits of {@link Nature.flags}. */
export const Trait = {
  /** `isSidechain`: a record of a subagent's conversation. */
  sidechain: 1,
  /** `isMeta`: written by the client, not typed by the user; it is sent all the same. */
  meta: 2,
  /** `isCompactSummary`: stands for what a compaction took away. */
  summary: 4,
  /** Has a `parentUuid`, be it null. A file in which no record has one is read in the order of its lines. */
  linked: 8,
  /** May be the last record of the conversation: user, assistant, system and attachment, never progress (observed with 2.1.332). */
  leaf: 16,
  /** A note whose text the client sends: a local command, a prompt that was queued. */
  note: 32,
} as const

/** What a record is to Claude Code, beside its links and blocks. Most records of a session share a few of these. */
export interface Nature {
  readonly flags: number
  /** `message.model` of an assistant record. */
  readonly model: Id
  /** `agentId` of a subagent's record. */
  readonly agent: Id
  /** What a compaction boundary, or a record that names a leaf, says beyond that. */
  readonly names?: Names | undefined
}

/** Other records that a record names. */
export interface Names {
  /** `last-prompt.leafUuid`, `summary.leafUuid`. */
  readonly leaf?: Id
  /** Whether the leaf steers which branch is resumed: `last-prompt` does, `summary` is only a title. */
  readonly steers?: boolean
  /** `logicalParentUuid`: the last record before a compaction. */
  readonly logical?: Id
  readonly kept?: Kept | undefined
}

/** What a compaction keeps word for word: `preservedMessages` lists the records, the older `preservedSegment` names both ends. */
export type Kept =
  | { readonly by: 'list'; readonly anchor: Id; readonly ids: readonly Id[] }
  | { readonly by: 'ends'; readonly anchor: Id; readonly head: Id; readonly tail: Id }

const shared = new WeakMap<Ids, Map<Id, Map<number, Nature>>>()

/** The nature with these traits; equal ones are one object, for there are as many as records. */
export function natureOf(ids: Ids, flags: number, model: Id, agent: Id): Nature {
  let ofModels = shared.get(ids)
  if (!ofModels) shared.set(ids, (ofModels = new Map()))
  let known = ofModels.get(model)
  if (!known) ofModels.set(model, (known = new Map()))
  const key = agent * FLAGS + flags
  let nature = known.get(key)
  if (!nature) known.set(key, (nature = { flags, model, agent }))
  return nature
}

/** More than all {@link Trait}s together. */
const FLAGS = 64

/** Whether an entry has a trait. */
export function has(entry: Entry, trait: number): boolean {
  return (nature(entry).flags & trait) !== 0
}

export function nature(entry: Entry): Nature {
  return entry.more as Nature
}
