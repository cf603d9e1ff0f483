import { type BigIntStats, lstatSync, readlinkSync, type Stats } from 'node:fs'

/** A path in quotes, with control characters spelt out so that a file name cannot steer a terminal. */
export function quote(path: string): string {
  const visible = path.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `"${visible}"`
}

const SENTENCES: Readonly<Record<string, (path: string) => string>> = {
  ENOTDIR: (p) => `a part of the path ${p} is a file, not a folder`,
  EISDIR: (p) => `${p} is a folder, not a file`,
  EACCES: (p) => `permission to use ${p} is denied`,
  EPERM: (p) => `the system does not permit this with ${p}`,
  EROFS: (p) => `${p} is on a read-only file system`,
  ENOSPC: (p) => `no space is left on the disk for ${p}`,
  EDQUOT: (p) => `the disk quota is used up: no space is left for ${p}`,
  EFBIG: (p) => `${p} would be larger than the file system allows`,
  ELOOP: (p) => `${p} is a symbolic link that leads in a circle`,
  EMFILE: (p) => `${p} could not be opened because this program has too many files open`,
  ENFILE: (p) => `${p} could not be opened because the system has too many files open`,
  ENAMETOOLONG: (p) => `the name ${p} is too long for the file system`,
  EEXIST: (p) => `${p} already exists`,
  EBUSY: (p) => `${p} is in use by another program`,
  ETXTBSY: (p) => `${p} is in use by another program`,
  EIO: (p) => `the disk reported an error while ${p} was used`,
  ESTALE: (p) => `the network file system no longer knows ${p}`,
  ENXIO: (p) => `${p} is a socket or a device, not a file`,
  EBADF: (p) => `${p} was used after it had been closed`,
  ERR_INVALID_ARG_VALUE: (p) => `${p} cannot be a file name`,
}

/**
 * One plain sentence for a failure of the file system, without a full stop and without the words of the system call.
 * A failure that is not known by name keeps the system's own message.
 *
 * @param error what was thrown
 * @param path the path as the user knows it
 */
export function plain(error: unknown, path: string): string {
  if (error instanceof FileProblem) return error.message
  const code = errorCode(error)
  if (code === 'ENOENT') return missing(path, systemPath(error) ?? path)
  const sentence = SENTENCES[code]
  if (sentence) return sentence(quote(path))
  return `${quote(path)} could not be used: ${error instanceof Error ? error.message : String(error)}`
}

/** The `code` of a system error, or an empty string. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

/**
 * A failure that the user can understand and act on: its message is one plain sentence.
 * `code` is the system's code (`ENOENT`, `ENOSPC`, …) or one of our own:
 * `NOT_A_FILE` (pipe, socket or device), `CHANGED` (another program wrote meanwhile), `VERIFY` (what was written failed its check),
 * `TOO_LARGE` (more in one piece than can be held), `NO_BACKUP`, `NOT_OURS` (restore: the present file is not what the repair wrote), `SHORT` (fewer bytes on disk than were written), `UNKNOWN`.
 */
export class FileProblem extends Error {
  readonly code: string
  readonly path: string

  constructor(code: string, path: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'FileProblem'
    this.code = code
    this.path = path
  }

  /** Any thrown value as a FileProblem; one that is a FileProblem already is returned as it is. */
  static from(error: unknown, path: string): FileProblem {
    if (error instanceof FileProblem) return error
    return new FileProblem(errorCode(error) || 'UNKNOWN', path, plain(error, path), error)
  }

  /**
   * What to throw on after a failure that may also come from somebody else's code: a FileProblem for what the system refused,
   * and anything else, such as a mistake in a program, unchanged.
   */
  static wrap(error: unknown, path: string): unknown {
    return /^E[A-Z0-9]+$/.test(errorCode(error)) ? FileProblem.from(error, path) : error
  }

  /** The file is no longer what was read. */
  static changed(path: string, what: string): FileProblem {
    return new FileProblem('CHANGED', path, `${quote(path)} ${what}`)
  }
}

/**
 * Refuses everything that is not a regular file, by name of what it is.
 *
 * @throws FileProblem `EISDIR` or `NOT_A_FILE`
 */
export function requireRegular(stat: Stats | BigIntStats, path: string): void {
  if (stat.isFile()) return
  if (stat.isDirectory()) throw new FileProblem('EISDIR', path, `${quote(path)} is a folder, not a file`)
  const kind = stat.isFIFO()
    ? 'a pipe, not a file: give its content on standard input'
    : stat.isSocket()
      ? 'a socket, not a file'
      : 'a device, not a file'
  throw new FileProblem('NOT_A_FILE', path, `${quote(path)} is ${kind}`)
}

/** The path the system was asked for, which is absolute where the user's may start from another folder. */
function systemPath(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('path' in error)) return undefined
  return typeof error.path === 'string' ? error.path : undefined
}

function missing(path: string, asked: string): string {
  try {
    // The system says the same of a missing file and of a link that leads nowhere; the remedy differs.
    if (lstatSync(asked).isSymbolicLink()) {
      return `${quote(path)} is a symbolic link to ${quote(readlinkSync(asked))}, which does not exist`
    }
  } catch {
    // Not a link: the plain answer is right.
  }
  return `${quote(path)} does not exist`
}
