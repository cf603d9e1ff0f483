import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import { platform } from 'node:process'
import { linksFail } from './backup.ts'
import { FileProblem } from './errors.ts'
import { discard, linkTemp } from './temp.ts'
import { TempFile } from './write.ts'

/** The replaced file under a second, hidden name: the file itself or, where the file system has no links, a copy and the file held open. */
export type Hold =
  | { readonly linked: true; readonly hidden: string }
  | { readonly linked: false; readonly hidden: string; readonly fd?: number }

/**
 * Takes hold of a file that is about to be replaced.
 *
 * @param real its path without symbolic links
 * @param path its path as the user knows it
 * @param before what it was when it was read
 * @throws FileProblem `CHANGED` when it is no longer of that size, or the system's failure
 */
export async function holdOn(real: string, path: string, before: BigIntStats): Promise<Hold> {
  try {
    return { linked: true, hidden: linkTemp(real) }
  } catch (error) {
    if (!linksFail(error)) throw error
  }
  // On Windows a file cannot be replaced while it is open, so there a late writer goes unseen without links.
  const fd = platform === 'win32' ? undefined : openSync(real, constants.O_RDONLY | constants.O_NONBLOCK)
  const open = fd === undefined ? {} : { fd }
  const copy = new TempFile(real)
  try {
    const source = fd ?? openSync(real, 'r')
    const copied = await pour(source, copy).finally(() => fd === undefined && closeSync(source))
    if (BigInt(copied) !== before.size) throw FileProblem.changed(path, 'changed while it was copied to its backup')
    copy.finish(before)
    return { linked: false, hidden: copy.path, ...open }
  } catch (error) {
    copy.discard()
    if (fd !== undefined) closeSync(fd)
    throw error
  }
}

/** Copies an open file from its beginning, giving way between the pieces. @returns the bytes copied */
async function pour(fd: number, into: TempFile): Promise<number> {
  const buffer = Buffer.allocUnsafe(1 << 20)
  let position = 0
  for (;;) {
    const got = readSync(fd, buffer, 0, buffer.length, position)
    if (got === 0) return position
    into.write(buffer.subarray(0, got))
    position += got
    await new Promise(setImmediate)
  }
}

/** What the replaced file is now; undefined where that cannot be told (Windows without links). */
export function look(hold: Hold): BigIntStats | undefined {
  if (hold.linked) return lstatSync(hold.hidden, { bigint: true })
  return hold.fd === undefined ? undefined : fstatSync(hold.fd, { bigint: true })
}

/** Lets go: the hidden name goes, and with it the file, unless it has another name by now. */
export function release(hold: Hold): void {
  discard(hold.hidden)
  if (!hold.linked && hold.fd !== undefined) closeSync(hold.fd)
}
