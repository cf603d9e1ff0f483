import type { Entry } from '../../model/document.ts'
import { type Id, NO_ID } from '../../text/ids.ts'

/**
 * What a line is to the history that Gemini CLI rebuilds: the header; a message, and the results that are stored inside one and
 * sent as a turn of their own (`results`); a list that takes the place of all messages before it (`replaced`); messages that
 * are taken back; anything else.
 */
export type Line = 'header' | 'message' | 'results' | 'replaced' | 'rewind' | 'torn' | 'other'

/** What only this format reads of an entry. */
export interface Facts {
  readonly line: Line
  /** Header: the session. Rewind: the message that goes, and all behind it. */
  readonly names?: Id
  readonly model?: Id
  readonly isSubagent?: boolean
  /** What a torn line still says. */
  readonly fields?: ReadonlyMap<string, string | number | boolean | null>
}

const OTHER: Facts = Object.freeze({ line: 'other' })

export function factsOf(entry: Entry): Facts {
  return (entry.more as Facts | undefined) ?? OTHER
}

/** The newest model that was recorded. */
export function modelOf(entries: readonly Entry[]): Id {
  return factsOf(entries.findLast((entry) => (factsOf(entry).model ?? NO_ID) !== NO_ID) ?? NOBODY).model ?? NO_ID
}

const NOBODY = { more: undefined } as Entry
