import type { LostBranch } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'
import { at, chainSeverity, lineOf } from './chain.ts'

interface Lost extends Match {
  readonly branch: LostBranch
}

export const lostBranch = rule<Lost>({
  name: 'lost-branch',
  family: 'chain',
  phase: 'bytes',
  scope: 'document',
  severity: 'error',
  summary: 'A side of a fork is left out although nobody rewound the conversation',
  since: '0.1.0',
  errors: [],
  docs: {
    finds:
      'A fork in the chain whose side that is left out holds a message but no prompt of the user’s own, while the side that is loaded begins with a note (system, attachment, progress, label) or with a result that the other side has as well. Any other fork is a rewind and not accused; results of parallel calls beside the path are healthy.',
    why: 'A note that was written late hung on an old record, and what followed went on from there. The client resumes without the answers on the other side, and says nothing.',
    example:
      '{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"hi"}}\n{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"role":"assistant","content":"hello"}}\n{"type":"system","subtype":"stop_hook_summary","uuid":"s1","parentUuid":"u1"}\n{"type":"user","uuid":"u2","parentUuid":"s1","message":{"role":"user","content":"and?"}}',
    repair: 'The first record of the loaded side is linked to the last one of the side that was left out.',
    safety:
      'Safe: no record goes. What was left out stands in the conversation again, in the order in which it was written.',
    sources: [
      'anthropics/claude-code#88597',
      'anthropics/claude-code#37437',
      'anthropics/claude-code#62301',
      'anthropics/claude-code#35024',
      'observed with Claude Code 2.1.332',
    ],
  },
  *detect(document) {
    for (const branch of document.chain?.lost ?? []) {
      yield {
        at: at(branch.tip),
        branch,
        severity: chainSeverity(document, 'error'),
        ids: [document.ids.text(branch.tip.id)],
        related: [
          { at: at(branch.live), message: 'the side that is loaded begins here' },
          { at: at(branch.fork), message: 'both sides hang on this record' },
        ],
      }
    }
  },
  words: ({ branch: { fork, live } }, { document }) =>
    `what follows ${lineOf(document, fork)} up to here is not loaded: ${lineOf(document, live)} hangs on the same record and is loaded instead`,
  repair: ({ branch: { live, tip } }, { document }) => ({
    title: `link ${lineOf(document, live)} to ${lineOf(document, tip)}`,
    safety: 'safe',
    loses: [],
    operations: [{ do: 'relink', entry: live, parent: tip }],
  }),
})
