import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Whether a file or a whole folder is to be left out. Given the absolute path. */
export type Ignore = (absolute: string, isFolder: boolean) => boolean

export interface Walked {
  /** Sorted; `path` is relative to the folder walked, `real` is absolute and free of symbolic links. */
  readonly files: { readonly path: string; readonly real: string }[]
  /** Folders that could not be read, relative to the folder walked. */
  readonly problems: { readonly path: string; readonly error: unknown }[]
}

const CLOSED = new Set(['node_modules', '.git'])

/**
 * Lists every `*.json` and `*.jsonl` below a folder, hidden ones included. Links to folders are not followed, so there are no circles;
 * links to files are.
 */
export async function walk(folder: string, ignore?: Ignore): Promise<Walked> {
  const files: { path: string; real: string }[] = []
  const problems: { path: string; error: unknown }[] = []
  const root = await realpath(folder)
  const waiting = ['']
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    const here = join(root, inner)
    const entries = await readdir(here, { withFileTypes: true }).catch((error: unknown) => {
      problems.push({ path: inner, error })
      return []
    })
    for (const entry of entries) {
      const path = join(inner, entry.name)
      const isFolder = entry.isDirectory()
      if (isFolder ? CLOSED.has(entry.name) : !/\.jsonl?$/i.test(entry.name)) continue
      if (ignore?.(join(folder, path), isFolder)) continue
      if (isFolder) waiting.push(path)
      else if (entry.isFile()) files.push({ path, real: join(root, path) })
      else if (entry.isSymbolicLink()) await addLink(path)
    }
  }
  files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  return { files, problems }

  async function addLink(path: string): Promise<void> {
    const absolute = join(root, path)
    // A link that leads nowhere is nobody's transcript; only one that is named is worth a word.
    const target = await stat(absolute).catch(() => undefined)
    if (target?.isFile()) files.push({ path, real: await realpath(absolute) })
  }
}
