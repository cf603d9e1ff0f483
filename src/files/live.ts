import { realpathSync } from 'node:fs'
import { claim, type LeaseOptions } from './lease.ts'
import type { FindWriter } from './writers.ts'

/** Milliseconds since its last change during which a session counts as in use. */
const RECENT = 15_000

export interface LiveOptions extends LeaseOptions {
  /** The present moment, in milliseconds since 1970. */
  readonly now: number
  /** Who has a file open: `procWriters(…)`, made once for many questions. Without it nobody is asked. */
  readonly findWriter?: FindWriter
}

/**
 * Why an agent's session file must be taken for one that is in use, as one sentence; undefined when nothing says so. Nothing should be
 * written into such a file. Only meant for session files: arrays, request bodies and exports have no agent behind them.
 *
 * Looked at in turn: a process that has the file open for writing, a note of the agent itself whose process is alive, and a change
 * within the last 15 seconds (agents that open the file for each record leave no other trace).
 *
 * @param stat of the file: `dev` and `ino` as the system gives them, `mtimeMs` in milliseconds since 1970
 */
export function liveReason(
  path: string,
  stat: { readonly dev: bigint; readonly ino: bigint; readonly mtimeMs: number | bigint },
  options: LiveOptions,
): string | undefined {
  const real = withoutLinks(path)
  const writer = options.findWriter?.(real, stat)
  if (writer) return `${writer.program || 'a program'} (process ${writer.pid}) has the file open for writing`
  const holder = claim(real, options)
  if (holder) return `${holder.agent} (process ${holder.pid}) says that it is using this session`
  const age = options.now - Number(stat.mtimeMs)
  // A clock that is a little ahead, as on network drives, must not make a fresh file look old.
  if (Math.abs(age) < RECENT) return `the file changed ${seconds(age)} ago, so an agent may be writing to it`
  return undefined
}

function seconds(age: number): string {
  const count = Math.max(0, Math.round(age / 1000))
  return count === 1 ? '1 second' : `${count} seconds`
}

function withoutLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
