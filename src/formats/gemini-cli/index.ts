import { gemini } from '../../dialects/gemini.ts'
import { nameUnnamed } from '../../dialects/unnamed.ts'
import type { Assembly, Document, HeaderFault } from '../../model/document.ts'
import { NO_ID } from '../../text/ids.ts'
import type { Json, JsonView } from '../../text/view.ts'
import type { Format, Skeleton } from '../format.ts'
import { messageList } from '../message-list.ts'
import { isGeminiItem, isGeminiMessage } from '../message-shapes.ts'
import { resumeBy } from '../resume.ts'
import { geminiCliDialect } from './dialect.ts'
import { GeminiCliEditor } from './editor.ts'
import { factsOf, modelOf } from './facts.ts'
import { isHeader, readLine, readSession, readTorn, TYPES } from './records.ts'
import { fold, replay } from './replay.ts'

const HEALS = {
  'orphan-tool-call': 'not: Gemini CLI sends the call without a result (0.61.0)',
  'orphan-tool-result': 'not: Gemini CLI sends the result without its call (0.61.0)',
  'misordered-tool-result': 'not: Gemini CLI sends it where it stands (0.61.0)',
  'duplicate-tool-result': 'not: Gemini CLI sends both (0.61.0, google-gemini/gemini-cli#29365)',
  'duplicate-tool-call': 'not: Gemini CLI sends both (0.61.0)',
  'tool-input-not-object': 'not: Gemini CLI sends it as it is (0.61.0)',
  'lone-surrogate': 'not: Gemini CLI sends it as it is (0.61.0)',
  'invalid-utf8': 'fully: Gemini CLI reads it with replacement characters (0.61.0)',
  'torn-record': 'with loss: Gemini CLI skips the line (0.61.0)',
  'glued-records': 'with loss: Gemini CLI skips the line with all that is on it (0.61.0)',
  'nul-bytes': 'in part: Gemini CLI skips lines of NULs; a record behind NULs on one line is lost (0.61.0)',
  'missing-header': 'not: Gemini CLI does not find the session (`loadConversationRecord`, 0.61.0)',
} as const

const SHARED = {
  use: 'session',
  folds: true,
  target: 'gemini',
  root: 'contents',
  heals: HEALS,
} as const

const SESSION = {
  ...SHARED,
  dialect: geminiCliDialect,
  assemble,
  editor: (document: Document) => new GeminiCliEditor(document),
  resume: (document: Document) => resumeBy('gemini --resume ', sessionOf(document)),
}

/** Sessions of Gemini CLI since 0.40, `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl` (`chatRecordingService.ts`, 0.61.0). */
export const geminiCli: Format = {
  ...SESSION,
  name: 'gemini-cli',
  title: 'Gemini CLI session',
  shape: 'lines',
  detect: (sample) => !sample.some(denies) && (sample.some(isHeader) || sample.some(isAnswer)) && sample.every(isLine),
  read: readLine,
  readTorn,
  snapshot: {
    is: (entry) => factsOf(entry).line === 'replaced',
    outlives: (entry) => factsOf(entry).line === 'header' || factsOf(entry).line === 'torn',
  },
}

/** Sessions of Gemini CLI up to 0.36, `session-<time>-<id>.json`: one object, which current versions still read. */
export const geminiCliDocument: Format = {
  ...SESSION,
  name: 'gemini-cli-document',
  title: 'Gemini CLI session (JSON)',
  shape: 'document',
  detect([view]) {
    return view?.get('messages')?.kind === 'array' && isHeader(view) && hasOwnMessages(view)
  },
  read: readSession,
}

/**
 * What `/chat save` writes, `checkpoint-<tag>.json`, and what is kept before a tool changes a file (`checkpoints/`): messages as the
 * API has them, beside what is needed to go back to them. A checkpoint that is a bare array is one of Gemini's.
 */
export const geminiCheckpoint: Format = {
  ...messageList(
    {
      name: 'gemini-checkpoint',
      title: 'Gemini CLI',
      target: 'gemini',
      dialect: gemini,
      paths: [['clientHistory'], ['history']],
      isItem: isGeminiItem,
    },
    'body',
    isGeminiMessage,
    (body) => body.get('contents') === undefined && body.get('messages') === undefined,
  ),
  ...SHARED,
  name: 'gemini-checkpoint',
  title: 'Gemini CLI checkpoint',
}

/** A line of Qwen Code up to 0.1, or of a format whose records have identities of their own. */
function denies(view: JsonView): boolean {
  return view.get('uuid') !== undefined || view.get('type')?.string() === 'qwen' || !hasOwnMessages(view)
}

/** Whether the messages of a session in one object, if it has any, are of types that Gemini CLI knows. */
function hasOwnMessages(view: JsonView): boolean {
  for (const message of view.get('messages')?.items() ?? []) {
    if (!TYPES.has(message.get('type')?.string() ?? '')) return false
  }
  return true
}

function isAnswer(view: JsonView): boolean {
  return view.get('type')?.string() === 'gemini' && isMessage(view)
}

function isMessage(view: JsonView): boolean {
  return view.get('id')?.kind === 'string' && view.get('timestamp') !== undefined
}

function isLine(view: JsonView): boolean {
  return isHeader(view) || isMessage(view) || view.get('$set') !== undefined || view.get('$rewindTo') !== undefined
}

function assemble(document: Skeleton): Assembly {
  const live = replay(document)
  const entries = [...live.values()].flatMap((each) => each.entries)
  nameUnnamed(entries, document.ids)
  const messages = fold(live)
  const model = modelOf(entries)
  const isSubagent = Array.from(document.entries()).some((entry) => factsOf(entry).isSubagent)
  return {
    conversations: [
      {
        label: 'session',
        role: isSubagent ? 'subagent' : 'main',
        root: SHARED.root,
        messages,
        model: model === NO_ID ? undefined : document.ids.text(model),
      },
    ],
    header: headerFault(document),
  }
}

/** A session without a header is not found. Who it was is written nowhere else, unless the torn line still says it. */
function headerFault(document: Skeleton): HeaderFault | undefined {
  let value: Json | undefined
  for (const entry of document.entries()) {
    const { line, fields } = factsOf(entry)
    if (line === 'header') return undefined
    if (fields?.has('sessionId') && fields.has('projectHash')) value ??= Object.fromEntries(fields)
  }
  return { value, unsaid: 'the id of the session and the hash of its project' }
}

function sessionOf(document: Document): string | undefined {
  for (const entry of document.entries()) {
    const { line, names = NO_ID, isSubagent } = factsOf(entry)
    if (line !== 'header' || names === NO_ID) continue
    const session = document.ids.text(names)
    return isSubagent ? undefined : session
  }
  return undefined
}
