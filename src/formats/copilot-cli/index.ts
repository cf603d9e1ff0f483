import type { Document } from '../../model/document.ts'
import type { JsonView } from '../../text/view.ts'
import type { Format } from '../format.ts'
import { resumeBy } from '../resume.ts'
import { assemble } from './assemble.ts'
import { copilot } from './dialect.ts'
import { CopilotEditor } from './editor.ts'
import { factsOf, readEvent, readTorn } from './records.ts'

/**
 * Sessions of GitHub Copilot CLI, `~/.copilot/session-state/<session>/events.jsonl`: events `{type, data, id, timestamp, parentId}`
 * (github/copilot-sdk, `nodejs/src/generated/session-events.ts`, 2026; transcripts of Copilot Chat in VS Code have the same ones).
 */
export const copilotCli: Format = {
  name: 'copilot-cli',
  title: 'GitHub Copilot CLI session',
  shape: 'lines',
  use: 'session',
  folds: true,
  dialect: copilot,
  target: 'anthropic',
  root: 'messages',
  detect: (sample) => sample.some(isKnown) && sample.filter(isEvent).length * 2 > sample.length,
  read: readEvent,
  readTorn,
  assemble,
  editor: (document) => new CopilotEditor(document),
  resume: (document) => resumeBy('copilot --resume=', sessionOf(document)),
  heals: {
    'orphan-tool-call':
      'in part: Copilot CLI completes the calls that are open at the end, not earlier ones (github/copilot-cli#3183, 1.0.39)',
    'torn-record': 'not: Copilot CLI says that the session file is corrupted and refuses it (github/copilot-cli#1864)',
    'glued-records': 'not: Copilot CLI refuses the file (github/copilot-cli#4098)',
    'split-record': 'not: Copilot CLI refuses the file (github/copilot-cli#2649)',
    'nul-bytes': 'not: Copilot CLI does not find the session (github/copilot-cli#2217)',
  },
}

const KNOWN = /^(?:session\.start|user\.message|assistant\.(?:message|turn_start)|tool\.execution_(?:start|complete))$/

function isEvent(line: JsonView): boolean {
  return line.get('type')?.kind === 'string' && line.get('data')?.kind === 'object' && line.get('id')?.kind === 'string'
}

function isKnown(line: JsonView): boolean {
  return isEvent(line) && line.get('parentId') !== undefined && KNOWN.test(line.get('type')?.string() ?? '')
}

function sessionOf(document: Document): string | undefined {
  for (const entry of document.entries()) {
    if (factsOf(entry).type !== 'session.start') continue
    const session = document.records.view(entry.record)?.get('data')?.get('sessionId')?.string()
    return session
  }
  return undefined
}
