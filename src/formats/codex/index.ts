import type { Assembly, Document } from '../../model/document.ts'
import type { JsonView } from '../../text/view.ts'
import type { Format, Skeleton } from '../format.ts'
import { messageList } from '../message-list.ts'
import { isResponsesItem, showsResponses } from '../message-shapes.ts'
import { resumeBy } from '../resume.ts'
import { compactionFaults } from './compaction.ts'
import { codexItems } from './dialect.ts'
import { CodexEditor } from './editor.ts'
import { factsOf } from './facts.ts'
import { headerFault } from './header.ts'
import { numberFaults } from './numbering.ts'
import { readBareLine, readLine, readTorn } from './read.ts'
import { replay } from './replay.ts'

/** Types of lines that tell a rollout from other files whose lines have a type and a payload. */
const LINES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted'])

const SHARED = {
  use: 'session',
  folds: true,
  dialect: codexItems,
  target: 'openai-responses',
  root: 'input',
} as const

const HEALS = {
  'orphan-tool-call': 'fully: Codex sends the output "aborted" (0.171.0); the file stays as it is',
  'orphan-tool-result': 'with loss: Codex leaves the output out of the request (0.171.0)',
  'misordered-tool-result': 'not: Codex sends the output before its call (0.171.0)',
  'duplicate-tool-call': 'not: Codex sends both (0.171.0)',
  'duplicate-tool-result': 'not: Codex sends both (0.171.0)',
  'invalid-item-id': 'not: Codex sends the ids as they are (0.171.0)',
  'dangling-reasoning': 'not: Codex sends it as it is (0.171.0)',
  'reasoning-not-portable': 'not: Codex sends it as it is (0.171.0)',
  'torn-record': 'with loss: Codex skips the line (0.171.0)',
  'glued-records': 'with loss: Codex skips the line with all that is on it (0.171.0)',
  'nul-bytes': 'in part: Codex skips lines of NULs; a record behind NULs on one line is lost (0.171.0)',
  'lone-surrogate': 'with loss: Codex skips the line (0.171.0)',
  'invalid-utf8': 'not: Codex refuses the whole session (0.171.0)',
  'invalid-ordinal':
    'in part: Codex refuses a session whose last record has no number, and takes repeated ones (0.171.0)',
  'missing-header': 'not: Codex refuses the session (`recorder.rs`)',
} as const

/** Sessions of the Codex CLI, `~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`, as versions since autumn 2025 write them. */
export const codex: Format = {
  ...SHARED,
  name: 'codex',
  title: 'Codex session',
  shape: 'lines',
  detect: (sample) =>
    sample.some((view) => typeOf(view) === 'session_meta') ||
    (isMostly(sample, (view) => LINES.has(typeOf(view) ?? '')) &&
      sample.some((view) => typeOf(view) === 'response_item')),
  read: readLine,
  readTorn,
  assemble: (document) => ({
    ...assembled(document),
    numbering: numberFaults(document),
    header: headerFault(document),
    chain: compactionFaults(document),
  }),
  editor: (document) => new CodexEditor(document),
  resume: (document) => resumeBy('codex resume ', sessionOf(document)),
  heals: HEALS,
}

/** Rollouts of about spring to August 2025: a header, then bare items. Current versions cannot use them (openai/codex#38341). */
export const codexBare: Format = {
  ...SHARED,
  name: 'codex-bare',
  title: 'Codex session of mid-2025',
  shape: 'lines',
  detect: ([head, ...rest]) => head !== undefined && isBareHeader(head) && rest.some(showsResponses),
  read: readBareLine,
  assemble: assembled,
  editor: (document) => new CodexEditor(document),
}

/** Sessions of the first Codex CLI, written in TypeScript: one object, `{session, items}`. */
export const codexDocument: Format = {
  ...messageList(
    { ...SHARED, name: 'codex', title: 'Codex', paths: [['items']], isItem: isResponsesItem },
    'body',
    isResponsesItem,
    (body) => body.get('session')?.get('id') !== undefined,
  ),
  ...SHARED,
  name: 'codex-document',
  title: 'Codex session of early 2025',
}

function typeOf(view: JsonView): string | undefined {
  return view.get('payload')?.kind === 'object' ? view.get('type')?.string() : undefined
}

function isMostly(sample: readonly JsonView[], test: (view: JsonView) => boolean): boolean {
  return sample.filter(test).length * 2 > sample.length
}

function isBareHeader(view: JsonView): boolean {
  return (
    view.get('id')?.kind === 'string' &&
    view.get('timestamp')?.kind === 'string' &&
    view.get('type') === undefined &&
    view.get('payload') === undefined
  )
}

function assembled(document: Skeleton): Assembly {
  const messages = replay(document)
  let model: string | undefined
  let isContinued = false
  for (const entry of document.entries()) {
    const facts = factsOf(entry)
    model = facts.model ?? model
    isContinued ||= facts.line === 'reference'
  }
  // Codex sends `store: false`, so the provider keeps nothing.
  const items = { isItems: true, isStored: false, isContinued }
  return { conversations: [{ label: 'session', role: 'main', root: SHARED.root, messages, model, ...items }] }
}

/** The first header names the thread; a fork carries those of its parents behind it. */
function sessionOf(document: Document): string | undefined {
  for (const entry of document.entries()) {
    if (factsOf(entry).line === 'header' && entry.id !== 0) return document.ids.text(entry.id)
  }
  return undefined
}
