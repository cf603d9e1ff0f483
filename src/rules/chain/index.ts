import { brokenCompaction } from './broken-compaction.ts'
import { compactionInsidePair } from './compaction-inside-pair.ts'
import { duplicateRecordId } from './duplicate-record-id.ts'
import { lostBranch } from './lost-branch.ts'
import { missingParent } from './missing-parent.ts'
import { mixedSessions } from './mixed-sessions.ts'
import { parentCycle } from './parent-cycle.ts'

export const CHAIN_RULES = [
  missingParent,
  parentCycle,
  duplicateRecordId,
  lostBranch,
  compactionInsidePair,
  brokenCompaction,
  mixedSessions,
]
