import { type BigIntStats, lstatSync, renameSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { backupNumbers, readRecord, removeBackup, removeRecord } from './backup.ts'
import { digest } from './digest.ts'
import { FileProblem, quote, requireRegular } from './errors.ts'
import { exchange } from './exchange.ts'
import { backupPath } from './names.ts'
import { replaceable } from './replace.ts'
import { removeStale } from './temp.ts'
import { syncFolder } from './write.ts'

/**
 * Puts the newest backup back: the very file, with its own permissions and times.
 *
 * The backup moves to the file's place, and the file that stood there becomes the newest backup under the next number. So the number of files
 * stays the same, a second `restore` undoes the first, and no name ever means two contents. Older backups are not reached by repeating; they
 * are ordinary files to copy.
 *
 * When the present file is missing, the backup simply takes its place.
 *
 * @param options.force restore although the present file is not what the repair wrote (it becomes a backup all the same)
 * @returns `restored`: the name that the backup had; `savedPresent`: where the file that stood there is now, null when there was none
 * @throws FileProblem `NO_BACKUP`, `NOT_OURS` when the present file was changed since the repair, `CHANGED` when it is being written to
 */
export async function restore(
  path: string,
  options: { readonly force?: boolean } = {},
): Promise<{ restored: string; savedPresent: string | null }> {
  try {
    const real = await resolve(path)
    const present = presentFile(real, path)
    await removeStale(real)
    const backup = newestBackup(real, path, present)
    requireRegular(lstatSync(backup), backup)
    if (present === undefined) {
      renameSync(backup, real)
      removeRecord(backup)
      syncFolder(dirname(real))
      return { restored: backup, savedPresent: null }
    }
    if (!options.force) await requireOurs(real, path, backup)
    const sha256 = await digest(backup)
    const savedPresent = await exchange({ path, real, incoming: backup, sha256, before: present, backup: true })
    removeRecord(backup)
    return { restored: backup, savedPresent }
  } catch (error) {
    throw FileProblem.wrap(error, path)
  }
}

/** The path without symbolic links, also when the file itself is gone. */
async function resolve(path: string): Promise<string> {
  if (lstatSync(path, { throwIfNoEntry: false })) return await realpath(path)
  return join(await realpath(dirname(path)), basename(path))
}

function presentFile(real: string, path: string): BigIntStats | undefined {
  return lstatSync(real, { throwIfNoEntry: false }) && replaceable(real, path)
}

function newestBackup(real: string, path: string, present: BigIntStats | undefined): string {
  for (const number of backupNumbers(real).reverse()) {
    const backup = backupPath(real, number)
    const stat = lstatSync(backup, { bigint: true })
    if (stat.dev !== present?.dev || stat.ino !== present.ino) return backup
    // Left by a run that was stopped between the backup and the exchange: another name of the present file.
    removeBackup(backup)
  }
  const looked = quote(backupPath(path, 1))
  throw new FileProblem('NO_BACKUP', path, `there is no backup of ${quote(path)} (looked for ${looked} and later ones)`)
}

async function requireOurs(real: string, path: string, backup: string): Promise<void> {
  const expected = readRecord(backup)
  if (expected !== undefined && expected === (await digest(real))) return
  const why =
    expected === undefined
      ? `nothing beside the backup tells whether ${quote(path)} was changed since the repair`
      : `${quote(path)} was changed since the repair, and the backup lacks those changes`
  throw new FileProblem(
    'NOT_OURS',
    path,
    `${why}; use --force to restore it all the same (the present file is kept as a backup)`,
  )
}
