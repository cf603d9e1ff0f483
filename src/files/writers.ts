import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { performance } from 'node:perf_hooks'

/** A process that has a file open for writing. */
export interface Writer {
  readonly pid: number
  /** The program's short name, as the system knows it. */
  readonly program: string
}

/** Finds a process that has a file open for writing. `path` must be free of symbolic links. */
export type FindWriter = (path: string, file: { readonly dev: bigint; readonly ino: bigint }) => Writer | undefined

/** Bounds on one look through the system, so that a machine with very many processes is not held up: open files and processes. */
const MAX_FILES = 200_000
const MAX_PROCESSES = 20_000

/** Milliseconds for which one look is good: the least and the most, and between them so many times what the look took. */
const AGE = { least: 500, most: 5000, times: 20 }

/**
 * Looks through Linux's `/proc` for files that other processes hold open. One look serves all questions of the next moment; processes of
 * other users that may not be looked into are passed over. On other systems the answer is always undefined.
 *
 * @param options.self this process, which is not counted
 * @param options.proc where the system shows its processes
 * @param options.maxAge milliseconds for which one look is good; unless told otherwise half a second, and up to five where looking is slow
 */
export function procWriters(options: {
  readonly self: number
  readonly proc?: string
  readonly maxAge?: number
}): FindWriter {
  const { self, proc = '/proc', maxAge } = options
  let open = new Map<string, string[]>()
  let good = Number.NEGATIVE_INFINITY
  return (path, file) => {
    const began = performance.now()
    if (began >= good) {
      open = openFiles(proc, self)
      const now = performance.now()
      good = now + (maxAge ?? Math.min(Math.max(AGE.least, AGE.times * (now - began)), AGE.most))
    }
    // The name narrows it down without a question to the system; the inode decides.
    for (const fd of open.get(basename(path)) ?? []) {
      if (isSame(fd, file) && isForWriting(fd)) return writer(fd, proc)
    }
    return undefined
  }
}

/** Every open file of the other processes, as `/proc/<pid>/fd/<n>`, by the name of the file. Only names that transcripts have. */
function openFiles(proc: string, self: number): Map<string, string[]> {
  const found = new Map<string, string[]>()
  let files = 0
  const pids = list(proc).filter((name) => /^\d+$/.test(name) && Number(name) !== self)
  for (const pid of pids.slice(0, MAX_PROCESSES)) {
    for (const fd of list(`${proc}/${pid}/fd`)) {
      if (++files > MAX_FILES) return found
      const path = `${proc}/${pid}/fd/${fd}`
      const name = transcriptName(path)
      if (name !== undefined) found.set(name, [...(found.get(name) ?? []), path])
    }
  }
  return found
}

function transcriptName(fd: string): string | undefined {
  try {
    const name = basename(readlinkSync(fd))
    return /\.jsonl?$/i.test(name) ? name : undefined
  } catch {
    return undefined
  }
}

function isSame(fd: string, file: { readonly dev: bigint; readonly ino: bigint }): boolean {
  try {
    const stat = statSync(fd, { bigint: true })
    return stat.dev === file.dev && stat.ino === file.ino
  } catch {
    return false
  }
}

function isForWriting(fd: string): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(fd.replace('/fd/', '/fdinfo/'), 'latin1'))?.[1]
    // The two lowest bits: 1 is writing only, 2 is reading and writing.
    return flags !== undefined && (Number.parseInt(flags, 8) & 3) !== 0
  } catch {
    return false
  }
}

function writer(fd: string, proc: string): Writer {
  const pid = Number(fd.slice(proc.length + 1).split('/')[0])
  try {
    return { pid, program: readFileSync(`${proc}/${pid}/comm`, 'utf8').trim() }
  } catch {
    return { pid, program: '' }
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
