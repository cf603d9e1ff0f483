import { linkSync, openSync, rmSync } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pid, uptime } from 'node:process'
import { errorCode } from './errors.ts'
import { isAlive } from './process.ts'

/** Files and folders that this process made and has not put to their use yet. */
const unfinished = new Set<string>()
let counter = 0

/** Registers something that has to go when this process is stopped early. */
export function keepTrack(path: string): void {
  unfinished.add(path)
}

/** The file got its final name or is gone: it is no longer to be removed. */
export function letGo(path: string): void {
  unfinished.delete(path)
}

/** Removes a temporary file; one that is already gone is fine. */
export function discard(path: string): void {
  try {
    rmSync(path, { force: true, recursive: true })
    unfinished.delete(path)
  } catch {
    // It stays registered, and the next repair of the same file removes it.
  }
}

/** Removes every temporary file of this process, synchronously: for signal handlers. Calling it at any moment leaves every original whole. */
export function cleanUp(): void {
  for (const path of [...unfinished]) discard(path)
}

/** Opens a new temporary file beside `target`, readable for its owner only until it is finished. */
export function openTemp(target: string, mode: number): { path: string; fd: number } {
  let fd = -1
  const path = claim(target, (candidate) => {
    fd = openSync(candidate, 'wx', mode)
  })
  return { path, fd }
}

/** Gives `target` a second, hidden name beside it (a hard link). */
export function linkTemp(target: string): string {
  return claim(target, (candidate) => linkSync(target, candidate))
}

/** Finds a name nobody has. All synchronous, so that no signal handler can run between the making and the registering. */
function claim(target: string, make: (candidate: string) => void): string {
  for (;;) {
    counter++
    const candidate = join(dirname(target), `.${basename(target)}.convfix-${pid}-${counter}.tmp`)
    try {
      make(candidate)
      unfinished.add(candidate)
      return candidate
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
  }
}

/** Folders that were looked through already: what is left there later is this process's own, or that of one that is still alive. */
const swept = new Set<string>()

/**
 * Removes what killed processes left in the folder of `target`: temporary files that bear the id of a process that is gone. Once for
 * each folder. In containers a new process often has the id of the old one: a file that is older than this process is not its own.
 */
export async function removeStale(target: string): Promise<void> {
  const folder = dirname(target)
  if (swept.has(folder)) return
  swept.add(folder)
  const started = Date.now() - uptime() * 1000
  let names: string[]
  try {
    names = await readdir(folder)
  } catch {
    return
  }
  for (const name of names) {
    const owner = /^\..+\.convfix-(\d+)-\d+\.tmp$/.exec(name)?.[1]
    if (owner === undefined) continue
    const path = join(folder, name)
    if (unfinished.has(path)) continue
    try {
      const mine = Number(owner) === pid
      const stale = mine ? (await lstat(path)).ctimeMs < started - 100 : !isAlive(Number(owner))
      if (stale) await rm(path, { force: true })
    } catch {
      // Gone meanwhile, or not ours to remove: no reason to refuse the repair.
    }
  }
}
