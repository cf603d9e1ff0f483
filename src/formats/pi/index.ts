import { pi as dialect } from '../../dialects/pi.ts'
import type { JsonView } from '../../text/view.ts'
import type { Format } from '../format.ts'
import { assemble } from './assemble.ts'
import { PiEditor } from './editor.ts'
import { HEALS } from './heals.ts'
import { readRecord, readTorn } from './records.ts'

/**
 * Sessions of the pi coding agent (`~/.pi/agent/sessions/--<folder>--/<time>_<id>.jsonl`; versions 1 to 3 of the file, as pi 1.6.0
 * reads them) and, in the same grammar, of OpenClaw before it kept them in SQLite (`~/.openclaw/agents/<agent>/sessions`).
 */
export const pi: Format = {
  name: 'pi',
  title: 'pi session',
  shape: 'lines',
  use: 'session',
  folds: true,
  dialect,
  // Where no answer says which API gave it.
  target: 'openai-chat',
  root: 'messages',
  detect: (sample) =>
    sample.some((line) => isHeader(line) || isMessage(line)) && sample.every((line) => isHeader(line) || isEntry(line)),
  read: readRecord,
  readTorn,
  assemble,
  editor: (document) => new PiEditor(document),
  resume: ({ path }) =>
    path === undefined || path === '-' || /[/\\]\.?openclaw[/\\]/i.test(path)
      ? undefined
      : `pi --session ${quoted(path)}`,
  // It makes images smaller when it takes them in, to stay below this (1.6.0, `image-resize-core.ts`); a larger one came from elsewhere.
  imageSizes: { anthropic: 5_242_880 },
  heals: HEALS,
}

/** The first line: the only one of its type. Copilot's `session.start` and Claude Code's records have other types. */
function isHeader(line: JsonView): boolean {
  return line.get('type')?.string() === 'session' && line.get('id')?.kind === 'string'
}

/** A message with an id of its own, as only pi writes it: the header of a file may be lost. */
function isMessage(line: JsonView): boolean {
  return (
    line.get('type')?.string() === 'message' &&
    line.get('id')?.kind === 'string' &&
    line.get('message')?.get('role')?.kind === 'string'
  )
}

/** Any other line has a type, and what it is about: types that came later are no reason to doubt. */
function isEntry(line: JsonView): boolean {
  return line.get('type')?.kind === 'string' && line.get('uuid') === undefined && line.get('payload')?.kind !== 'array'
}

/** As a shell takes it for one word. */
function quoted(path: string): string {
  return /^[\w@%+=:,./~-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
