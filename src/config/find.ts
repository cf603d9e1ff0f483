import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Names that a configuration may have; the first one that a folder holds counts. */
export const CONFIG_NAMES = [
  'convfix.config.json',
  'convfix.config.jsonc',
  '.convfixrc.json',
  '.convfixrc.jsonc',
] as const

/** The key of a package.json that may hold a configuration as well. */
export const PACKAGE_KEY = 'convfix'

/**
 * Finds the configuration of a folder: the nearest one upwards, up to the root of the repository, or the home folder. Only names (and the keys of a package.json) are looked at
 *, so that runs without a configuration pay next to nothing.
 */
export class ConfigFinder {
  readonly #home: string | undefined
  readonly #known = new Map<string, string | undefined>()

  constructor(home: string | undefined) {
    this.#home = home
  }

  /** Absolute path of the configuration that applies in an absolute folder. */
  find(folder: string): string | undefined {
    const passed: string[] = []
    let found: string | undefined
    for (let here = folder; ; here = dirname(here)) {
      if (this.#known.has(here)) {
        found = this.#known.get(here)
        break
      }
      passed.push(here)
      found = inFolder(here)
      if (found !== undefined || here === this.#home || dirname(here) === here || existsSync(join(here, '.git'))) break
    }
    for (const each of passed) this.#known.set(each, found)
    return found
  }
}

function inFolder(folder: string): string | undefined {
  for (const name of CONFIG_NAMES) {
    const path = join(folder, name)
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) return path
  }
  const manifest = join(folder, 'package.json')
  return existsSync(manifest) && holdsKey(manifest) ? manifest : undefined
}

function holdsKey(manifest: string): boolean {
  try {
    const value: unknown = JSON.parse(readFileSync(manifest, 'utf8'))
    return typeof value === 'object' && value !== null && Object.hasOwn(value, PACKAGE_KEY)
  } catch {
    // A package.json that is none is for others to complain of.
    return false
  }
}
