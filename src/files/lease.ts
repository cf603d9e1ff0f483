import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { beganAfter, isAlive } from './process.ts'

/** An agent's own statement that a process of it uses a session. */
export interface Claim {
  readonly agent: string
  readonly pid: number
}

export interface LeaseOptions {
  /** The environment, for `CLAUDE_CONFIG_DIR`. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The user's home folder. */
  readonly home: string
  /** Whether a process exists; the system is asked unless told otherwise. */
  readonly isAlive?: (pid: number) => boolean
}

/** Bounds: notes are a few hundred bytes, and there is one for each running process. */
const MAX_BYTES = 65_536
const MAX_NOTES = 2_000

/**
 * Finds the running process that by its agent's own note uses a session file. Notes that stay behind after a crash name a process that is
 * gone, or one that began later than the note, and count for nothing.
 *
 * @param path of the session file, free of symbolic links
 */
export function claim(path: string, options: LeaseOptions): Claim | undefined {
  return claudeCode(path, options) ?? qwenCode(path, options) ?? lockBeside(path, options)
}

/** Claude Code notes each running process in `sessions/<pid>.json`: `pid`, `sessionId`, `cwd`, `startedAt` in milliseconds. */
function claudeCode(path: string, options: LeaseOptions): Claim | undefined {
  const root = real(options.env.CLAUDE_CONFIG_DIR || join(options.home, '.claude'))
  // A copy elsewhere has the session's name but no process behind it.
  if (root === undefined || !path.startsWith(join(root, 'projects') + sep)) return undefined
  const session = claudeSession(path)
  for (const name of names(join(root, 'sessions')).slice(0, MAX_NOTES)) {
    if (!/^\d+\.json$/.test(name)) continue
    const note = read(join(root, 'sessions', name))
    if (note?.sessionId !== session) continue
    const pid = holder(note.pid ?? Number.parseInt(name, 10), note.startedAt, options)
    if (pid !== undefined) return { agent: 'Claude Code', pid }
  }
  return undefined
}

/** The session is the file's name; the files of its subagents stand in `<session>/subagents/`. */
function claudeSession(path: string): string {
  const folder = dirname(path)
  return basename(folder) === 'subagents' ? basename(dirname(folder)) : basename(path, '.jsonl')
}

/**
 * Qwen Code writes `<session>.runtime.json` beside the session (`pid`, `session_id`, `started_at` in seconds) and, in newer versions, holds
 * `tmp/session-writer-locks/<session>.lock` below the folder that `projects/<project>/chats/` stands in.
 */
function qwenCode(path: string, options: LeaseOptions): Claim | undefined {
  const chats = dirname(path)
  if (basename(chats) !== 'chats') return undefined
  const session = basename(path, '.jsonl')
  const lock = join(chats, '../../..', 'tmp/session-writer-locks', `${encodeURIComponent(session)}.lock`)
  for (const file of [join(chats, `${session}.runtime.json`), lock]) {
    const note = read(file)
    if (note?.session_id !== session || note.state === 'sealed') continue
    const started = typeof note.started_at === 'number' ? note.started_at * 1000 : note.acquired_at
    const pid = holder(note.pid, started, options)
    if (pid !== undefined) return { agent: 'Qwen Code', pid }
  }
  return undefined
}

/** OpenClaw and other agents of its kind hold `<file>.lock` with `pid` and `createdAt` while they write. */
function lockBeside(path: string, options: LeaseOptions): Claim | undefined {
  const note = read(`${path}.lock`)
  const pid = note && holder(note.pid, note.createdAt, options)
  return pid === undefined ? undefined : { agent: 'the agent', pid }
}

/** The noted process, if it runs and can have made the note. @param noted milliseconds since 1970 or an ISO date, when known */
function holder(pid: unknown, noted: unknown, options: LeaseOptions): number | undefined {
  if (typeof pid !== 'number' || !(options.isAlive ?? isAlive)(pid)) return undefined
  const moment = typeof noted === 'string' ? Date.parse(noted) : noted
  return typeof moment === 'number' && beganAfter(pid, moment) ? undefined : pid
}

function read(path: string): Record<string, unknown> | undefined {
  try {
    // Mostly there is none, and an exception costs more than the question.
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat?.isFile() || stat.size > MAX_BYTES) return undefined
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
