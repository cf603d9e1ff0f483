import type { JsonView } from '../text/view.ts'
import type { Format } from './format.ts'

/**
 * A file that a client keeps beside its conversations and that is none itself: an index, a history of prompts, a log of what was
 * shown. Only what is certain is named here; anything else that is no transcript is told of as unknown.
 */
export interface Bystander {
  /** What it is, as a part of a sentence. */
  readonly what: string
  readonly shape: Format['shape']
  detect(sample: readonly JsonView[]): boolean
}

type Kind = JsonView['kind']
/** Keys that an object has, each with the kind of its value. */
type Shape = Readonly<Record<string, Kind>>

function has(view: JsonView | undefined, shape: Shape): boolean {
  return view?.kind === 'object' && Object.entries(shape).every(([key, kind]) => view.get(key)?.kind === kind)
}

/** A JSONL file each of whose lines has the shape. */
function lines(what: string, shape: Shape, more: (view: JsonView) => boolean = () => true): Bystander {
  return {
    what,
    shape: 'lines',
    detect: (sample) => sample.length > 0 && sample.every((line) => has(line, shape) && more(line)),
  }
}

/** Items of a list that are looked at. */
const LOOKED_AT = 20

/** A JSON document that is a list of things of one shape. */
function list(what: string, shape: Shape, more: (view: JsonView) => boolean = () => true): Bystander {
  return {
    what,
    shape: 'document',
    detect([view]) {
      if (view?.kind !== 'array' || view.size === 0) return false
      for (let i = 0; i < Math.min(view.size, LOOKED_AT); i++) {
        const item = view.at(i)
        if (!item || !has(item, shape) || !more(item)) return false
      }
      return true
    },
  }
}

/** A JSON document that is one object. */
function object(what: string, shape: Shape, more: (view: JsonView) => boolean = () => true): Bystander {
  return { what, shape: 'document', detect: ([view]) => view !== undefined && has(view, shape) && more(view) }
}

const isOneOf =
  (key: string, ...values: string[]) =>
  (view: JsonView): boolean =>
    values.includes(view.get(key)?.string() ?? '')

const BYSTANDERS: readonly Bystander[] = [
  // `~/.claude/history.jsonl` (https://code.claude.com/docs/en/claude-directory).
  lines('Claude Code’s history of prompts', { display: 'string', timestamp: 'number', project: 'string' }),
  // `~/.codex/history.jsonl`, `session_index.jsonl` (openai/codex, `codex-rs/core/src/message_history.rs`, 2026).
  lines('Codex’s history of prompts', { session_id: 'string', ts: 'number', text: 'string' }),
  lines('Codex’s index of sessions', { id: 'string', thread_name: 'string', updated_at: 'string' }),
  // `~/.gemini/tmp/<project>/logs.json` (google-gemini/gemini-cli, `packages/core/src/core/logger.ts`, 2026).
  list('Gemini CLI’s log of prompts', {
    sessionId: 'string',
    messageId: 'number',
    type: 'string',
    message: 'string',
    timestamp: 'string',
  }),
  // `tasks/<id>/ui_messages.json`, `task_metadata.json`, `history_item.json`, `taskHistory.json`
  // (cline/cline, RooCodeInc/Roo-Code, `src/shared/globalFileNames.ts`, 2026).
  list('what Cline or Roo Code showed of a task', { ts: 'number', type: 'string' }, isOneOf('type', 'ask', 'say')),
  object('what Cline or Roo Code notes of a task’s files', { files_in_context: 'array' }),
  list('Cline’s or Roo Code’s index of tasks', { id: 'string', ts: 'number', task: 'string' }),
  object('Roo Code’s entry of a task in its index', { id: 'string', ts: 'number', task: 'string', tokensIn: 'number' }),
  // `~/.cline/data/sessions/<id>/<id>.json` (cline/cline, `sdk/packages/core/fixtures/session`, 2026).
  object('what Cline notes of a session (its messages are in NAME.messages.json)', {
    version: 'number',
    session_id: 'string',
    source: 'string',
    started_at: 'string',
  }),
  // `~/.openclaw/agents/<agent>/sessions/sessions.json` (openclaw/openclaw, `docs/reference/session-management-compaction.md`, 2026).
  {
    what: 'OpenClaw’s index of sessions',
    shape: 'document',
    detect([view]) {
      if (view?.kind !== 'object' || view.size === 0) return false
      for (const [key, value] of view.members()) {
        if (!key.includes(':') || !has(value, { sessionId: 'string', updatedAt: 'number' })) return false
      }
      return true
    },
  },
]

/** What a file is that is no transcript, where that is known. */
export function bystander(shape: Format['shape'], sample: readonly JsonView[]): string | undefined {
  return BYSTANDERS.find((each) => each.shape === shape && each.detect(sample))?.what
}
