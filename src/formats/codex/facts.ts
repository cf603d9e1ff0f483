import type { Entry } from '../../model/document.ts'

/**
 * What a line is to the history that Codex builds: the header; an item; a compaction that brings its own history (`replaced`)
 * or only a summary (`summary`), and the items of such a history (`kept`); turns that were taken back; a
 * reference to another rollout that is put in its place; anything else.
 */
export type Line = 'header' | 'item' | 'replaced' | 'summary' | 'kept' | 'rolled-back' | 'reference' | 'other' | 'torn'

/** What only this format reads of an entry. */
export interface Facts {
  readonly line: Line
  /** Number of the record; undefined where it has none. */
  readonly ordinal?: number | undefined
  /** An item that Codex does not send. */
  readonly isUnsent?: boolean
  /** A message that the user typed, not one that Codex wrote in the user's name; or one of another agent: where a turn begins. */
  readonly isPrompt?: boolean
  /** Turns that are taken back. */
  readonly turns?: number
  /** Model of the turn. */
  readonly model?: string | undefined
  /** The header says that its records are numbered. */
  readonly isPaginated?: boolean
  /** Items of a compaction's history, and of the metadata that has to be as long; undefined without metadata. */
  readonly lengths?: readonly [items: number, metadata: number] | undefined
  /** What a torn line still says. */
  readonly fields?: ReadonlyMap<string, string | number | boolean | null>
}

const OTHER: Facts = Object.freeze({ line: 'other' })

export function factsOf(entry: Entry): Facts {
  return (entry.more as Facts | undefined) ?? OTHER
}

/** Whether an entry is one item of the history that a compaction brought along. */
export function isKept(entry: Entry): boolean {
  return factsOf(entry).line === 'kept'
}
