import { gemini } from '../../dialects/gemini.ts'
import type { JsonView } from '../../text/view.ts'
import type { Format } from '../format.ts'
import { resumeBy } from '../resume.ts'
import { assemble, sessionOf } from './assemble.ts'
import { QwenEditor } from './editor.ts'
import { isRecord, readRecord, readTorn } from './records.ts'

/**
 * Sessions of Qwen Code, `~/.qwen/projects/<slug>/chats/<sessionId>.jsonl`, as version 0.24.4 reads and writes them. Messages are
 * kept in Gemini's shape and sent in that of Chat Completions.
 */
export const qwenCode: Format = {
  name: 'qwen-code',
  title: 'Qwen Code session',
  shape: 'lines',
  use: 'session',
  folds: true,
  dialect: gemini,
  target: 'qwen',
  root: 'messages',
  detect: (sample) => sample.some(shows) && !sample.some(denies),
  read: readRecord,
  readTorn,
  assemble,
  editor: (document) => new QwenEditor(document),
  resume: (document) => resumeBy('qwen --resume ', sessionOf(document)),
  heals: {
    'orphan-tool-call': 'fully: Qwen Code answers it with an error when it resumes (0.24.4; not before 0.21)',
    'orphan-tool-result': 'with loss: Qwen Code leaves the result out of the request (0.24.4)',
    'misordered-tool-result':
      'in part: Qwen Code moves the result of a later user turn to its call; one before its call or behind another answer is lost (0.24.4)',
    'tool-result-not-first': 'fully: Qwen Code sends results before the text beside them (0.24.4)',
    'duplicate-tool-result': 'fully: Qwen Code keeps the first result (0.24.4)',
    'duplicate-tool-call': 'with loss: Qwen Code leaves the later call out, and its result with it (0.24.4)',
    'missing-parent': 'not: Qwen Code leaves out all that stands before the break (0.24.4, QwenLM/qwen-code#6501)',
    'parent-cycle': 'in part: Qwen Code stops at the ring and leaves out what it did not reach (0.24.4)',
    'torn-record':
      'not: Qwen Code skips the record and all before it, and glues the next record to a torn last line (0.24.4)',
    'nul-bytes':
      'in part: Qwen Code finds a record behind NUL bytes; one under them is lost with all before it (0.24.4)',
    'mixed-sessions': 'not: Qwen Code refuses the whole file (0.24.4, mixed_session_ids)',
    'broken-compaction': 'not: Qwen Code fails to load the session (0.24.4)',
    'lone-surrogate': 'not: Qwen Code sends it as it is (0.24.4)',
  },
  harms: {
    // An id that comes back: the later call is left out, and its result with it (`cleanOrphanedToolCalls`, 0.24.4).
    'duplicate-tool-call': { severity: 'warning' },
    // A model content with an empty part is left out as a whole, calls and all, with those beside it (`extractCuratedHistory`, 0.24.4).
    'empty-text': { severity: 'warning', role: 'assistant' },
  },
}

/** A record that only Qwen Code writes: its identity fields, and a message with parts or a payload of the system's. */
function shows(view: JsonView): boolean {
  if (!isRecord(view)) return false
  const message = view.get('message')
  return message === undefined
    ? view.get('type')?.string() === 'system' && view.get('systemPayload')?.kind === 'object'
    : message.get('parts')?.kind === 'array'
}

/** A record of Claude Code, which has the same identity fields but messages with `content`. */
function denies(view: JsonView): boolean {
  const message = view.get('message')
  return view.get('uuid') !== undefined && message?.get('content') !== undefined && message.get('parts') === undefined
}
