import { closeSync, linkSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { errorCode } from './errors.ts'
import { backupPath } from './names.ts'
import { letGo } from './temp.ts'
import { syncFolder, writeSmall } from './write.ts'

const RECORD = '.sha256'

/** The numbers of the backups of a file, lowest first. The highest is the newest: numbers are never given twice while a later one stands. */
export function backupNumbers(path: string): number[] {
  const prefix = `${basename(path)}.convfix.`
  const numbers: number[] = []
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(prefix)) continue
    const match = /^(?:(\d+)\.)?bak$/.exec(name.slice(prefix.length))
    if (match) numbers.push(match[1] === undefined ? 1 : Number(match[1]))
  }
  return numbers.sort((a, b) => a - b)
}

/**
 * Gives a hidden file beside `path` the name of the next backup. Never overwrites: a name that somebody takes in between is passed over.
 * The hidden name may still stand afterwards and is the caller's to remove.
 *
 * @returns the backup's path
 */
export function publishBackup(hidden: string, path: string): string {
  let number = (backupNumbers(path).at(-1) ?? 0) + 1
  for (;;) {
    const backup = backupPath(path, number)
    try {
      moveToFreeName(hidden, backup)
      return backup
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
      number++
    }
  }
}

/**
 * Gives a temporary file a name that must be free. The hidden name may still stand afterwards and is the caller's to remove.
 *
 * @throws the system's `EEXIST` when the name is taken
 */
export function moveToFreeName(hidden: string, path: string): void {
  try {
    linkSync(hidden, path)
  } catch (error) {
    if (!linksFail(error)) throw error
    // Renaming would overwrite silently, so the name is taken first by an empty file, which only one process can make.
    closeSync(openSync(path, 'wx'))
    renameSync(hidden, path)
    letGo(hidden)
  }
}

/** Whether a failed link only means that this file system, or this file, cannot have another name. */
export function linksFail(error: unknown): boolean {
  return [
    'EPERM',
    'EACCES',
    'EMLINK',
    'ENOSYS',
    'ENOTSUP',
    'EOPNOTSUPP',
    'EXDEV',
    'EINVAL',
    'EISDIR',
    'UNKNOWN',
  ].includes(errorCode(error))
}

/**
 * Notes beside a backup what was put in the file's place, so that `restore` can tell whether the file was edited since:
 * `NAME.convfix.bak.sha256`, one line as `sha256sum` writes and checks it.
 */
export function writeRecord(backup: string, path: string, sha256: string): void {
  writeSmall(backup + RECORD, `${sha256}  ${basename(path)}\n`)
}

/** The SHA-256 noted beside a backup; undefined where there is no readable note. */
export function readRecord(backup: string): string | undefined {
  try {
    return /^[0-9a-f]{64}/.exec(readFileSync(backup + RECORD, 'latin1'))?.[0]
  } catch {
    return undefined
  }
}

/** Removes the note beside a backup. */
export function removeRecord(backup: string): void {
  rmSync(backup + RECORD, { force: true })
}

/** Removes a backup that turned out not to be needed, and its note. */
export function removeBackup(backup: string): void {
  removeRecord(backup)
  rmSync(backup, { force: true })
  syncFolder(dirname(backup))
}
