import type { Stats } from 'node:fs'
import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { platform } from 'node:process'
import { errorCode, plain, quote } from './errors.ts'
import { isOwnFile } from './names.ts'
import { type Ignore, walk } from './walk.ts'

export interface DiscoverOptions {
  /** The folder that relative arguments start from. */
  readonly cwd: string
  /** Whether an argument that does not exist is a pattern. Default: true. */
  readonly glob?: boolean
  /** Leaves files and whole folders out of walks and patterns (an argument that exists is never asked about). */
  readonly ignore?: Ignore
}

export interface FoundFile {
  /** As the user would write it: below a relative argument it is relative to `cwd`. */
  readonly path: string
  /** The same, absolute, for opening. */
  readonly absolute: string
  /** Asked for by name or by a pattern, in contrast to met while walking through a folder. */
  readonly named: boolean
}

export interface Discovery {
  /** Each argument's files in turn, sorted by name; no file twice, whatever links lead to it. */
  readonly files: FoundFile[]
  /** Arguments that led to nothing, and folders that could not be read. */
  readonly problems: Problem[]
}

export interface Problem {
  readonly argument: string
  /** A whole sentence, with the path in it. */
  readonly message: string
  /** Whether there is nothing that the argument means, in contrast to something that could not be read. */
  readonly unmatched: boolean
}

/** Characters that make an argument a pattern. */
const PATTERN = /[*?[\]{}()!+@]/

/**
 * Finds the files that the arguments mean. An argument that exists on disk is that file or folder, whatever characters it has; else it is a
 * pattern, and stands for what a shell would put in its place. Folders are walked for `*.json` and `*.jsonl`, hidden ones included because agents keep their
 * sessions there, but never into `node_modules`, `.git` or a symbolic link. Without arguments the current folder is walked.
 * A named file is listed even when it turns out to be a pipe or unreadable: opening it says so.
 */
export async function discover(args: readonly string[], options: DiscoverOptions): Promise<Discovery> {
  const search = new Search(options)
  for (const argument of args.length === 0 ? ['.'] : args) await search.add(argument)
  return search.result()
}

class Search {
  readonly #options: DiscoverOptions
  readonly #files = new Map<string, FoundFile>()
  readonly #problems: Problem[] = []

  constructor(options: DiscoverOptions) {
    this.#options = options
  }

  result(): Discovery {
    return { files: [...this.#files.values()], problems: this.#problems }
  }

  async add(argument: string): Promise<void> {
    const { cwd, glob = true } = this.#options
    try {
      const found = argument === '' ? undefined : await look(resolve(cwd, argument))
      if (found?.isDirectory()) await this.#addFolder(argument)
      else if (found) await this.#addFile(argument, true)
      else if (glob && PATTERN.test(argument)) await this.#addPattern(argument)
      else
        this.#unmatched(argument, argument === '' ? 'an empty name names no file' : `${quote(argument)} does not exist`)
    } catch (error) {
      this.#problem(argument, plain(error, argument))
    }
  }

  async #addFile(path: string, named: boolean, real?: string): Promise<void> {
    const absolute = resolve(this.#options.cwd, path)
    const key = real ?? (await realpath(absolute))
    const known = this.#files.get(key)
    // A file that is met in a walk and named as well counts as named, in the place where it came first.
    if (!known) this.#files.set(key, { path, absolute, named })
    else if (named && !known.named) this.#files.set(key, { ...known, named })
  }

  async #addFolder(argument: string): Promise<void> {
    const { cwd, ignore } = this.#options
    let count = 0
    const { files, problems } = await walk(resolve(cwd, argument), ignore)
    for (const file of files) {
      await this.#addFile(join(argument, file.path), false, file.real)
      count++
    }
    for (const problem of problems)
      this.#problem(join(argument, problem.path), plain(problem.error, join(argument, problem.path)))
    if (count === 0 && problems.length === 0)
      this.#unmatched(argument, `the folder ${quote(argument)} holds no .json or .jsonl file`)
  }

  async #addPattern(argument: string): Promise<void> {
    const { cwd, ignore } = this.#options
    const pattern = platform === 'win32' ? argument.replaceAll('\\', '/') : argument
    if (isTooMuch(pattern)) {
      this.#problem(argument, `the pattern ${quote(argument)} asks for too much: ${LIMITS}`)
      return
    }
    let matched = false
    for (const match of await expand(pattern, cwd)) {
      const absolute = resolve(cwd, match)
      const found = isOwnFile(basename(match)) ? undefined : await look(absolute).catch(() => undefined)
      if (!found || ignore?.(absolute, found.isDirectory())) continue
      matched = true
      if (found.isDirectory()) await this.#addFolder(match)
      else if (found.isFile()) await this.#addFile(match, true)
    }
    if (!matched) this.#unmatched(argument, `no file matches the pattern ${quote(argument)}`)
  }

  #problem(argument: string, message: string): void {
    this.#problems.push({ argument, message, unmatched: false })
  }

  #unmatched(argument: string, message: string): void {
    this.#problems.push({ argument, message, unmatched: true })
  }
}

/** Most alternatives that braces stand for, most stars in one name, and most groups such as `+(a|b)`: what goes beyond can take for ever. */
const MOST = { alternatives: 1000, stars: 6, groups: 2 } as const
const LIMITS = `at most ${MOST.alternatives} alternatives in braces, ${MOST.stars} stars in a name, ${MOST.groups} groups such as +(a|b)`

function isTooMuch(pattern: string): boolean {
  let alternatives = 1
  for (const [, from, to] of pattern.matchAll(/(-?\d+)\.\.(-?\d+)/g))
    alternatives *= Math.abs(Number(to) - Number(from)) + 1
  // Nested or not: as many as if each brace stood for itself.
  const open: number[] = []
  for (const char of pattern) {
    if (char === '{') open.push(1)
    else if (char === ',' && open.length > 0) open.push(open.pop()! + 1)
    else if (char === '}') alternatives *= open.pop() ?? 1
  }
  const groups = pattern.match(/[?*+@!]\(/g)?.length ?? 0
  const stars = pattern.split('/').map((name) => (name === '**' ? 0 : (name.match(/\*+/g)?.length ?? 0)))
  return alternatives > MOST.alternatives || groups > MOST.groups || Math.max(...stars) > MOST.stars
}

/** What an argument leads to; undefined when there is nothing of that name. A link that leads nowhere is an error. */
async function look(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'EINVAL', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].includes(errorCode(error)))
      throw error
    const link = await lstat(path).catch(() => undefined)
    if (link) throw error
    return undefined
  }
}

async function expand(pattern: string, cwd: string): Promise<string[]> {
  // Loaded only where it is needed: most runs name files or folders, and start-up time counts.
  const { default: fastGlob } = await import('fast-glob')
  // A pattern that names one of these folders means it.
  const closed = ['node_modules', '.git'].filter((name) => !pattern.includes(name))
  const found = await fastGlob.glob(pattern, {
    cwd,
    dot: true,
    onlyFiles: false,
    followSymbolicLinks: false,
    suppressErrors: true,
    ignore: closed.flatMap((name) => [`**/${name}`, `**/${name}/**`]),
  })
  return found.sort()
}
