import type { Entry } from '../../model/document.ts'
import type { Id } from '../../text/ids.ts'

/** Begins the user message that stands for everything before it (`_truncate_at_last_compact_boundary`). */
export const BOUNDARY = '[COMPACT_BOUNDARY]'
/** Begins the mark that codeAgent sets before it compacts; left alone it means that it did not get to the end. */
export const STARTED = '[COMPACT_START]'
/** How the summaries of older turns begin (`_cleanup_redundant_summaries`). */
export const SUMMARIES: readonly string[] = [BOUNDARY, '[之前的对话已自动总结]', '[紧急上下文压缩']

/** What only this format reads of a record. */
export interface Facts {
  readonly id: Id
  readonly isBoundary: boolean
  readonly isStarted: boolean
  readonly isSummary: boolean
}

export function factsOf(entry: Entry): Facts {
  return entry.more as Facts
}
