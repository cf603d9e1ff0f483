import { type BigIntStats, copyFileSync, fstatSync, linkSync, lstatSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { backupNumbers, publishBackup, removeBackup, writeRecord } from './backup.ts'
import { FileProblem, quote } from './errors.ts'
import { type Hold, holdOn, look, release } from './hold.ts'
import { backupPath } from './names.ts'
import { letGo } from './temp.ts'
import { renameOver, syncFolder, TempFile } from './write.ts'

/** One file that takes the place of another one in the same folder. */
export interface Exchange {
  /** The path as the user knows it, for messages. */
  readonly path: string
  /** The same without symbolic links. */
  readonly real: string
  /** The file that takes the place, complete and on the disk. */
  readonly incoming: string
  /** Its SHA-256, noted beside the backup. */
  readonly sha256: string
  /** What the file to be replaced was when it was read. */
  readonly before: BigIntStats
  /** Whether the replaced file stays under a backup's name. */
  readonly backup: boolean
}

/**
 * Puts one file in the place of another one. All that counts happens in one go without giving way: a signal handler runs before or after it.
 *
 * A program that still has the old file open writes into the backup from now on. When it did so at once, the old file is put back
 * and nothing of what it wrote is lost. Not covered is a program that renames a file of its own to this path in the moment between
 * the last look and the renaming: no portable call compares and exchanges.
 *
 * @returns the backup's path, or null
 * @throws FileProblem `CHANGED`, or the system's failure; the old file then stands under its name
 */
export async function exchange(job: Exchange): Promise<string | null> {
  const hold = await holdOn(job.real, job.path, job.before)
  try {
    requireSame(job, lstatSync(job.real, { bigint: true }))
    const held = look(hold)
    if (held) requireSame(job, held)
    return swap(job, hold)
  } finally {
    release(hold)
  }
}

function swap(job: Exchange, hold: Hold): string | null {
  const backup = job.backup ? nameBackup(job, hold.hidden) : null
  let placed: BigIntStats
  try {
    if (backup !== null) writeRecord(backup, job.real, job.sha256)
    placed = lstatSync(job.incoming, { bigint: true })
    renameOver(job.incoming, job.real)
  } catch (error) {
    if (backup !== null) removeBackup(backup)
    throw error
  }
  letGo(job.incoming)
  syncFolder(dirname(job.real))
  const held = look(hold)
  if (held === undefined || same(job.before, held)) return backup
  const untouched = retreat(job, hold, placed, backup)
  if (backup !== null) removeBackup(backup)
  const stray = untouched ? '' : keepStray(job)
  const what = 'was written to by another program while it was replaced, so it stands as that program left it'
  throw FileProblem.changed(job.path, `${what}${stray}`)
}

function retreat(job: Exchange, hold: Hold, placed: BigIntStats, backup: string | null): boolean {
  try {
    return putBack(job, hold, placed)
  } catch (error) {
    // The new file stands, and the old one must not go with its hidden name.
    const kept = backup ?? publishBackup(hold.hidden, job.real)
    const what = `was written to by another program while it was replaced and could not be put back; the old file is ${quote(kept)}`
    throw new FileProblem('CHANGED', job.path, `${quote(job.path)} ${what}`, error)
  }
}

/** A backup that an interrupted run left behind is this very file already. */
function nameBackup(job: Exchange, hidden: string): string {
  const newest = backupNumbers(job.real).at(-1)
  if (newest !== undefined) {
    const path = backupPath(job.real, newest)
    const stat = lstatSync(path, { bigint: true })
    if (stat.dev === job.before.dev && stat.ino === job.before.ino) return path
  }
  return publishBackup(hidden, job.real)
}

/**
 * The old file gets its name back; the new one gets back the name it came from, since somebody may have appended to it meanwhile.
 *
 * @returns whether the new file is as it was when it took the place
 */
function putBack(job: Exchange, hold: Hold, placed: BigIntStats): boolean {
  let untouched = same(placed, lstatSync(job.real, { bigint: true }))
  let linked = true
  try {
    linkSync(job.real, job.incoming)
  } catch {
    copyFileSync(job.real, job.incoming)
    linked = false
  }
  if (hold.linked) {
    renameOver(hold.hidden, job.real)
    letGo(hold.hidden)
  } else if (hold.fd !== undefined) {
    const again = new TempFile(job.real)
    try {
      const buffer = Buffer.allocUnsafe(1 << 20)
      for (let position = 0, got = 0; ; position += got) {
        got = readSync(hold.fd, buffer, 0, buffer.length, position)
        if (got === 0) break
        again.write(buffer.subarray(0, got))
      }
      again.finish(fstatSync(hold.fd, { bigint: true }))
      renameOver(again.path, job.real)
      letGo(again.path)
    } finally {
      again.discard()
    }
  }
  syncFolder(dirname(job.real))
  if (linked) untouched = same(placed, lstatSync(job.incoming, { bigint: true }))
  return untouched
}

/** What was written to the new file in the moment in which it stood under the name is kept. */
function keepStray(job: Exchange): string {
  const kept = job.incoming.endsWith('.bak') ? job.incoming : publishBackup(job.incoming, job.real)
  return `; what was written to the new file meanwhile is in ${quote(kept)}`
}

function requireSame(job: Exchange, now: BigIntStats): void {
  if (same(job.before, now)) return
  throw FileProblem.changed(job.path, 'was changed by another program since it was read, so it is left alone')
}

function same(a: BigIntStats, b: BigIntStats): boolean {
  // Not the change time: a second name alone changes it.
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs
}
