import type { Document, Entry } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'
import { at } from './chain.ts'

interface Foreign extends Match {
  readonly entry: Entry
}

export const mixedSessions = rule<Foreign>({
  name: 'mixed-sessions',
  family: 'chain',
  phase: 'bytes',
  scope: 'document',
  severity: 'error',
  summary: 'The file holds records of another session',
  since: '0.1.0',
  errors: [{ text: 'mixed_session_ids' }],
  docs: {
    finds:
      'Records that name another session than the rest of the file, in formats whose client refuses such a file. Claude Code does not look at the names, so its files are never accused.',
    why: 'Qwen Code refuses the whole file, and the session cannot be resumed.',
    example:
      '{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s1","message":{"role":"user","parts":[{"text":"hi"}]}}\n{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s1","message":{"role":"model","parts":[{"text":"hello"}]}}\n{"type":"user","uuid":"x1","parentUuid":null,"sessionId":"s2","message":{"role":"user","parts":[{"text":"elsewhere"}]}}',
    repair: 'The records of the other session are removed, and what hung on them is linked to what stood before them.',
    safety:
      'Safe where the other session’s records are no part of this conversation: they stay in the backup. Unsafe where they stand on its path, for then turns of the conversation go with them.',
    sources: ['measured with Qwen Code 0.24.4', 'anthropics/claude-code#30802'],
  },
  *detect(document) {
    for (const entry of document.chain?.foreign ?? []) {
      yield { at: at(entry), entry, ids: [document.ids.text(entry.id)] }
    }
  },
  words: ({ entry }) => `a record of another session stands ${entry.onPath ? 'on the path of' : 'beside'} this one`,
  repair: ({ entry }, { document }) => ({
    title: 'remove the record of the other session',
    safety: isApart(entry, document) ? 'safe' : 'unsafe',
    loses: entry.kind === 'message' ? ['text'] : [],
    operations: [{ do: 'drop-entry', entry }],
  }),
})

/** Whether a record is no part of the conversation that the file is resumed as. */
function isApart(entry: Entry, { chain }: Document): boolean {
  // A file whose path is foreign throughout is resumed as the other session: nothing in it may go unasked.
  return !entry.onPath && chain !== undefined && !chain.foreign.includes(chain.leaf!)
}
