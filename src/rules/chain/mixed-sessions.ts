import type { Entry } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'
import { at } from './chain.ts'

interface Foreign extends Match {
  readonly entry: Entry
  /** Whether the whole path is of the other session: the file is then resumed as that one, and nothing in it may go unasked. */
  readonly isForeignThroughout: boolean
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
    repair:
      'Records of the other session that are linked into this conversation get its name. Others are removed, and what hung on them is linked to what stood before them.',
    safety:
      'Safe: the links say that the records belong together, and what is no part of the conversation stays in the backup. Unsafe where the whole path is of the other session.',
    sources: ['measured with Qwen Code 0.24.4', 'anthropics/claude-code#30802'],
  },
  *detect({ chain, ids }) {
    const foreign = new Set(chain?.foreign)
    const isForeignThroughout = chain?.path.every((entry) => foreign.has(entry)) ?? false
    for (const entry of foreign) yield { at: at(entry), entry, isForeignThroughout, ids: [ids.text(entry.id)] }
  },
  words: ({ entry }) => `a record of another session stands ${entry.onPath ? 'on the path of' : 'beside'} this one`,
  repair: ({ entry, isForeignThroughout }) => {
    if (entry.onPath && !isForeignThroughout) {
      const operations = [{ do: 'adopt', entry }] as const
      return { title: "give the record the file's own session id", safety: 'safe', loses: [], operations }
    }
    return {
      title: 'remove the record of the other session',
      safety: isForeignThroughout ? 'unsafe' : 'safe',
      loses: entry.kind === 'message' || entry.kind === 'checkpoint' ? ['text'] : [],
      operations: [{ do: 'drop-entry', entry }],
    }
  },
})
