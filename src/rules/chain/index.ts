import { brokenCompaction } from './broken-compaction.ts'
import { compactionInsidePair } from './compaction-inside-pair.ts'
import { duplicateRecordId } from './duplicate-record-id.ts'
import { invalidOrdinal } from './invalid-ordinal.ts'
import { lostBranch } from './lost-branch.ts'
import { missingHeader } from './missing-header.ts'
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
  invalidOrdinal,
  missingHeader,
  mixedSessions,
]
