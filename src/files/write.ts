import { createHash } from 'node:crypto'
import {
  type BigIntStats,
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  openSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { platform } from 'node:process'
import { errorCode, FileProblem, quote } from './errors.ts'
import { discard, openTemp } from './temp.ts'

/** Bytes gathered before they go to the system: repairs write many small pieces. */
const GATHER = 1 << 18

/** Takes bytes for a file. They are copied or written before the call returns, so the caller may use the memory again. */
export type Write = (bytes: Uint8Array) => void

/** A temporary file beside the one it will replace, written front to back. */
export class TempFile {
  readonly path: string
  readonly #target: string
  readonly #hash = createHash('sha256')
  readonly #gathered = Buffer.allocUnsafe(GATHER)
  #fd: number
  #pending = 0
  #written = 0

  /** @param mode permission bits at its making, to which the system applies the umask */
  constructor(target: string, mode = 0o600) {
    const { path, fd } = openTemp(target, mode)
    this.path = path
    this.#target = target
    this.#fd = fd
  }

  /** @throws the system's failure, such as a full disk */
  write(bytes: Uint8Array): void {
    if (this.#pending + bytes.length > GATHER) this.#flush()
    if (bytes.length > GATHER) {
      this.#put(bytes)
      return
    }
    this.#gathered.set(bytes, this.#pending)
    this.#pending += bytes.length
  }

  /**
   * Brings everything to the disk, with the attributes of the file that is to be replaced, and closes the file.
   *
   * @param like whose owner (where permitted), permissions and times to take over; undefined for a new file
   * @returns the SHA-256 of what was written, in hexadecimal
   * @throws FileProblem `SHORT` when the disk holds fewer bytes than were written
   */
  finish(like: BigIntStats | undefined): string {
    this.#flush()
    if (like) takeOver(this.#fd, like)
    fsyncSync(this.#fd)
    const { size } = fstatSync(this.#fd)
    this.#close()
    if (size !== this.#written) {
      const lost = `only ${size} of ${this.#written} bytes arrived on the disk for ${quote(this.#target)}`
      throw new FileProblem('SHORT', this.#target, lost)
    }
    return this.#hash.digest('hex')
  }

  /** Removes the file, unless it has its final name already. */
  discard(): void {
    this.#close()
    discard(this.path)
  }

  #flush(): void {
    const pending = this.#pending
    this.#pending = 0
    if (pending > 0) this.#put(this.#gathered.subarray(0, pending))
  }

  #put(bytes: Uint8Array): void {
    writeAll(this.#fd, bytes)
    this.#hash.update(bytes)
    this.#written += bytes.length
  }

  #close(): void {
    if (this.#fd < 0) return
    closeSync(this.#fd)
    this.#fd = -1
  }
}

/** Writes all of the bytes: a disk that is nearly full takes a part and says so only in the count. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  let done = 0
  while (done < bytes.length) done += writeSync(fd, bytes, done, bytes.length - done)
}

/** Writes a small file at once and brings it to the disk. */
export function writeSmall(path: string, text: string): void {
  const fd = openSync(path, 'w', 0o600)
  try {
    writeAll(fd, Buffer.from(text))
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Gives an open file the owner, the permissions and the times of another one. */
export function takeOver(fd: number, like: BigIntStats): void {
  const now = fstatSync(fd, { bigint: true })
  if (now.uid !== like.uid || now.gid !== like.gid) {
    // Only root may give a file away; a group one belongs to may be set by everybody.
    if (!permitted(() => fchownSync(fd, Number(like.uid), Number(like.gid)))) {
      permitted(() => fchownSync(fd, Number(now.uid), Number(like.gid)))
    }
  }
  // After the owner, because a change of owner takes permission bits away.
  permitted(() => fchmodSync(fd, Number(like.mode & 0o7777n)))
  futimesSync(fd, Number(like.atimeNs) / 1e9, Number(like.mtimeNs) / 1e9)
}

/** Makes the names in a folder durable, where the system can. The names are right in any case, so a failure is no reason to stop. */
export function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, 'r')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch {
    // Windows and some network file systems cannot do this.
  }
}

/** Renames over an existing file. On Windows virus scanners and indexers hold new files for moments: a few more tries in about a second. */
export function renameOver(from: string, to: string, system: string = platform, rename = renameSync): void {
  for (let attempt = 1; ; attempt++) {
    try {
      rename(from, to)
      return
    } catch (error) {
      if (system !== 'win32' || attempt === 10 || !['EPERM', 'EBUSY', 'EACCES'].includes(errorCode(error))) throw error
      // Waiting without giving way keeps signal handlers out of the middle of an exchange.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, attempt * 20)
    }
  }
}

function permitted(action: () => void): boolean {
  try {
    action()
    return true
  } catch (error) {
    if (['EPERM', 'EACCES', 'ENOTSUP', 'ENOSYS', 'EINVAL'].includes(errorCode(error))) return false
    throw error
  }
}
