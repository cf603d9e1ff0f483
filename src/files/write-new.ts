import { lstatSync, statSync } from 'node:fs'
import { mkdir, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { moveToFreeName } from './backup.ts'
import { errorCode, FileProblem, quote, requireRegular } from './errors.ts'
import type { Produce } from './replace.ts'
import { letGo, removeStale } from './temp.ts'
import { renameOver, syncFolder, TempFile } from './write.ts'

export interface WriteNewOptions {
  /** Whether a file of this name may be replaced. */
  readonly overwrite: boolean
  /** A file whose permissions, owner and times the new one gets: a private session must not become a public copy. */
  readonly like?: string
  /** Looks at the finished temporary file; a sentence stops the writing. */
  readonly verify?: (tempPath: string) => Promise<string | undefined>
}

/**
 * Writes a file of its own, such as a repaired copy in another folder: whole or not at all. Makes the folders that are missing.
 *
 * @throws FileProblem `EEXIST` when the file exists and may not be overwritten, and for every other failure of
 * the system; or what `produce` threw. No temporary file is left
 */
export async function writeNew(path: string, produce: Produce, options: WriteNewOptions): Promise<void> {
  let temp: TempFile | undefined
  try {
    await makeFolder(dirname(path))
    const target = await place(path, options.overwrite)
    await removeStale(target)
    temp = new TempFile(target, options.like === undefined ? 0o666 : 0o600)
    const file = temp
    await produce((bytes) => file.write(bytes))
    file.finish(options.like === undefined ? undefined : statSync(options.like, { bigint: true }))
    const fault = await options.verify?.(file.path)
    if (fault !== undefined) throw new FileProblem('VERIFY', path, fault)
    if (options.overwrite) {
      renameOver(file.path, target)
      letGo(file.path)
    } else {
      // Somebody may have made the file since the first look.
      moveToFreeName(file.path, target)
    }
    syncFolder(dirname(target))
  } catch (error) {
    throw FileProblem.wrap(error, path)
  } finally {
    temp?.discard()
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    // The system says of a file in the folder's place that it exists, which would be read as the new file's own fault.
    if (errorCode(error) !== 'EEXIST') throw error
    throw new FileProblem('ENOTDIR', folder, `${quote(folder)} is a file, not a folder`, error)
  }
}

/** Where the file goes: through symbolic links when it may be overwritten, else to a name that is free. */
async function place(path: string, overwrite: boolean): Promise<string> {
  try {
    requireRegularOrLink(path)
    if (!overwrite) throw Object.assign(new Error('exists'), { code: 'EEXIST' })
    return await realpath(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && !isLink(path)) return path
    throw error
  }
}

function requireRegularOrLink(path: string): void {
  const stat = lstatSync(path)
  requireRegular(stat.isSymbolicLink() ? statSync(path) : stat, path)
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}
