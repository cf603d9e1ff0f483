import type { Entry } from '../../model/document.ts'
import { has, Trait } from './nature.ts'

/*
 * What of a session's records goes into the request (observed with Claude Code 2.1.332): user and assistant records, those
 * marked isMeta, isVisibleInTranscriptOnly, isApiErrorMessage or isCompactSummary included; local commands as a text of the
 * user's; prompts that were queued while the model worked. Other attachments become reminders of the client's own making;
 * other system records, progress and bookkeeping are never sent.
 */

/** Whether the client sends something of the record. */
export function isSent(entry: Entry): boolean {
  return entry.kind === 'message' || has(entry, Trait.note)
}

/** A note that is sent: it never comes between a call and its results, wherever its record stands. */
export function isSentNote(entry: Entry): boolean {
  return has(entry, Trait.note)
}

/** A record of the user's that holds results and nothing else. */
export function isResults(entry: Entry): boolean {
  return entry.role === 'user' && entry.blocks.length > 0 && entry.blocks.every((block) => block.kind === 'tool-result')
}

/** A prompt that the user typed, as opposed to results, summaries and what the client writes in the user's name. */
export function isPrompt(entry: Entry): boolean {
  if (entry.kind !== 'message' || entry.role !== 'user' || has(entry, Trait.meta | Trait.summary)) return false
  return entry.blocks.some((block) => block.kind !== 'tool-result')
}
