import { anthropic } from '../../dialects/anthropic.ts'
import type { Document } from '../../model/document.ts'
import type { Format } from '../format.ts'
import { resumeBy } from '../resume.ts'
import { assemble } from './assemble.ts'
import { detectSession } from './detect.ts'
import { editClaudeCode } from './editor.ts'
import { HEALS } from './heals.ts'
import { readRecord, readTornRecord } from './read.ts'

/**
 * Sessions of Claude Code: JSONL, one record a line, each linked to the one before by `parentUuid`
 * (`~/.claude/projects/<project>/<session>.jsonl`; the vendor calls the format internal, so what is unknown stays as it is).
 */
export const claudeCode: Format = {
  name: 'claude-code',
  title: 'Claude Code session',
  shape: 'lines',
  use: 'session',
  folds: true,
  // Fields that the API does not know reach it (anthropics/claude-code#19513).
  sendsAsStored: true,
  dialect: anthropic,
  target: 'anthropic',
  root: 'messages',
  detect: detectSession,
  read: readRecord,
  readTorn: readTornRecord,
  assemble,
  editor: editClaudeCode,
  resume: (document) => resumeBy('claude --resume ', sessionOf(document)),
  // It refuses a larger one itself (measured with 2.1.332).
  imageSizes: { anthropic: 5_242_880 },
  heals: HEALS,
}

/** The session as the client finds it: by the name of the file, else by what its newest record says. */
function sessionOf({ chain, records, conversations, path }: Document): string | undefined {
  if (!chain?.leaf || conversations[0]?.role !== 'main') return undefined
  const named = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(path ?? '')
  return named?.[1] ?? records.view(chain.leaf.record)?.get('sessionId')?.string()
}
