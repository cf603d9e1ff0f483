import { accessSync, type BigIntStats, constants, lstatSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { FileProblem, quote, requireRegular } from './errors.ts'
import { exchange } from './exchange.ts'
import { removeStale } from './temp.ts'
import { TempFile, type Write } from './write.ts'

/** Writes the whole new content, front to back. */
export type Produce = (write: Write) => Promise<void>

export interface ReplaceOptions {
  /** Whether the old file stays as `NAME.convfix.bak`, `NAME.convfix.2.bak`, …, with a record of what replaced it. */
  readonly backup: boolean
  /** A sentence when the file is no longer what was read (or may not be replaced for another reason). Asked directly before the exchange. */
  readonly unchanged: () => string | undefined
  /**
   * Looks at the finished temporary file; a sentence stops the exchange. Also the last moment to close one's own handles of the old file,
   * which Windows asks for.
   */
  readonly verify?: (tempPath: string) => Promise<string | undefined>
}

/**
 * Replaces a file by new content so that at every moment, also when the process is killed or the disk fills up,
 * the name leads to the whole old or the whole new file.
 *
 * The new content goes to a hidden temporary file beside the old one, which gets the old one's permissions, times (to the microsecond)
 * and, where permitted, owner and group; access lists and extended attributes are not taken over. It is brought to the disk, verified, and renamed
 * over the old file, which stays under a backup's name. Symbolic links are followed: the file they lead to is replaced, the backup stands beside it.
 * Of a file with several names (hard links) only this name leads to the new content; the other names keep the old one.
 * A file whose permissions forbid writing is not replaced, although its folder would permit it.
 *
 * @returns the backup's path, or null without one
 * @throws FileProblem for every failure of the system, or what `produce` threw; the old file then stands untouched and no temporary file is left
 */
export async function replaceFile(
  path: string,
  produce: Produce,
  options: ReplaceOptions,
): Promise<{ backup: string | null }> {
  let temp: TempFile | undefined
  try {
    const real = await realpath(path)
    const before = replaceable(real, path)
    await removeStale(real)
    temp = new TempFile(real)
    const file = temp
    await produce((bytes) => file.write(bytes))
    const sha256 = file.finish(before)
    const fault = await options.verify?.(file.path)
    if (fault !== undefined) throw new FileProblem('VERIFY', path, fault)
    const change = options.unchanged()
    if (change !== undefined) throw new FileProblem('CHANGED', path, change)
    const job = { path, real, incoming: file.path, sha256, before, backup: options.backup }
    return { backup: await exchange(job) }
  } catch (error) {
    throw FileProblem.wrap(error, path)
  } finally {
    temp?.discard()
  }
}

/** What the system says of a file that may be replaced. */
export function replaceable(real: string, path: string): BigIntStats {
  const stat = lstatSync(real, { bigint: true })
  requireRegular(stat, path)
  try {
    accessSync(real, constants.W_OK)
  } catch (error) {
    const problem = FileProblem.from(error, path)
    if (problem.code !== 'EACCES' && problem.code !== 'EPERM') throw problem
    throw new FileProblem(problem.code, path, `${quote(path)} is read-only`, error)
  }
  return stat
}
