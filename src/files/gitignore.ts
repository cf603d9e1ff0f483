import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import ignoring, { type Ignore as Rules } from 'ignore'
import type { Ignore } from './walk.ts'

/** Stars between two slashes above which a line is left out: with each the time to see that it does not match is multiplied. */
const STARS = 4

/**
 * Whether `.gitignore` files leave a path out: those of its own folder and of all above, up to the root of the repository; the nearest one that
 * says anything counts. Outside of a repository those below the named folders count.
 * @param named absolute paths of the folders that were asked for: what leaves out such a folder itself does not leave out what is in it
 */
export function gitIgnore(named: readonly string[]): Ignore {
  const rules = new Map<string, Rules | undefined>()
  const tops = new Map<string, string>()
  const starts = named.map((folder) => ({ folder, top: startOf(folder) }))
  return (absolute, isFolder) => {
    const start = starts.find(({ folder }) => absolute.startsWith(folder.endsWith(sep) ? folder : folder + sep))
    return isIgnored(absolute, isFolder, start?.top ?? topOf(dirname(absolute)))
  }

  /** The folder whose `.gitignore` is the highest that counts. */
  function startOf(folder: string): string {
    const top = topOf(folder)
    return top !== folder && isIgnored(folder, true, top) ? folder : top
  }

  function topOf(folder: string): string {
    const known = tops.get(folder)
    if (known !== undefined) return known
    let here = folder
    while (!existsSync(join(here, '.git')) && dirname(here) !== here) here = dirname(here)
    const top = existsSync(join(here, '.git')) ? here : folder
    tops.set(folder, top)
    return top
  }

  function isIgnored(absolute: string, isFolder: boolean, top: string): boolean {
    for (let here = dirname(absolute); ; here = dirname(here)) {
      const found = rulesOf(here)
      if (found) {
        const path = relative(here, absolute).split(sep).join('/')
        const { ignored, unignored } = found.test(isFolder ? `${path}/` : path)
        if (ignored || unignored) return ignored
      }
      if (here === top || dirname(here) === here) return false
    }
  }

  function rulesOf(folder: string): Rules | undefined {
    if (!rules.has(folder)) rules.set(folder, read(join(folder, '.gitignore')))
    return rules.get(folder)
  }
}

function read(path: string): Rules | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    // None is there, or none that can be read: nothing is left out, as with git.
    return undefined
  }
  return ignoring().add(text.split(/\r?\n/).filter((line) => line.split('/').every((part) => starsIn(part) <= STARS)))
}

const starsIn = (part: string): number => part.match(/\*+/g)?.length ?? 0
