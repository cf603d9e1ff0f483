import type { Chain, CompactionFault } from '../../model/document.ts'
import type { Skeleton } from '../format.ts'
import { factsOf } from './facts.ts'
import { HISTORY_METADATA } from './read.ts'

/**
 * Compactions whose history and metadata are of different lengths: Codex does not parse such a line, and with it the whole
 * checkpoint is lost (`rollout_payload.rs`). Undefined where there is none: records of a rollout have no links.
 */
export function compactionFaults(document: Skeleton): Chain | undefined {
  const compactions: CompactionFault[] = []
  for (const entry of document.entries()) {
    const [items, metadata] = factsOf(entry).lengths ?? []
    if (items === metadata) continue
    compactions.push({
      kind: 'broken-compaction',
      entry,
      message: `the compaction has ${items} items but metadata for ${metadata}`,
      changes: [{ op: 'remove', path: HISTORY_METADATA }],
    })
  }
  if (compactions.length === 0) return undefined
  return { leaf: undefined, path: [], breaks: [], lost: [], shared: [], compactions, foreign: [] }
}
