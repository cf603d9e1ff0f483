import type { CompactionFault } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'
import { at, chainSeverity } from './chain.ts'

interface Broken extends Match {
  readonly fault: CompactionFault
}

export const brokenCompaction = rule<Broken>({
  name: 'broken-compaction',
  family: 'chain',
  phase: 'bytes',
  scope: 'document',
  severity: 'error',
  summary: 'A compaction names records that are not there, or was never finished',
  since: '0.1.0',
  errors: [],
  docs: {
    finds:
      'The newest compaction of a session where a record that it keeps word for word is missing, or where its summary was never written.',
    why: 'Claude Code then loads none of the kept records (readers that use its SDK may load everything before the compaction again); without a summary all that stood before is lost. Qwen Code cannot load the session at all.',
    example:
      '{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"hi"}}\n{"type":"system","subtype":"compact_boundary","uuid":"b1","parentUuid":null,"logicalParentUuid":"u1","compactMetadata":{"preservedMessages":{"anchorUuid":"s1","uuids":["gone","u1"]}}}\n{"type":"user","uuid":"s1","parentUuid":"b1","isCompactSummary":true,"message":{"role":"user","content":"So far: a greeting."}}',
    repair:
      'Records that are gone leave the list of those that are kept, and a missing anchor is named anew. A compaction without a summary goes, and what follows it hangs on what stood before it. Where nothing in the file says what was meant, the fault is only reported.',
    safety: 'Safe: no message goes, and history that was lost is loaded again.',
    sources: [
      'measured with Claude Code 2.1.332 and 2.1.197 and the SDK 0.3.332',
      'Claude Agent SDK, SDKCompactBoundaryMessage',
      'measured with Qwen Code 0.24.4',
    ],
  },
  *detect(document) {
    for (const fault of document.chain?.compactions ?? []) {
      if (fault.kind !== 'broken-compaction') continue
      yield { at: at(fault.entry), fault, severity: chainSeverity(document, 'error') }
    }
  },
  words: ({ fault }) => fault.message,
  repair: ({ fault }) => {
    const { entry, changes, drop } = fault
    if (changes) {
      const title = 'name only what is there'
      return { title, safety: 'safe', loses: [], operations: [{ do: 'change-entry', entry, changes }] }
    }
    if (!drop) return undefined
    const title = 'remove the unfinished compaction'
    return { title, safety: 'safe', loses: [], operations: [{ do: 'drop-entry', entry }] }
  },
})
