import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { Source } from '../text/source.ts'
import { FileProblem, plain, quote, requireRegular } from './errors.ts'

/** A source that is read once from front to back and then again in places. */
export interface ByteSource extends Source {
  /**
   * The bytes from front to back, in pieces of at most `size` bytes (1 MiB unless told otherwise).
   * A piece is only valid until the next one is asked for: its memory is used again.
   */
  chunks(size?: number): AsyncIterable<Uint8Array>
  /** A sentence when the bytes may no longer be those that were seen at the opening; undefined while they are. */
  changed(): string | undefined
  /** Lets go of the file. Closing twice is harmless. */
  close(): Promise<void>
}

const CHUNK = 1 << 20
/** Bytes read at least by `read`, since neighbouring records are mostly asked for one after the other. */
const WINDOW = 1 << 16
/** Without O_NONBLOCK the opening of a pipe that took the file's place would hang. Windows has neither. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * A regular file, as it was at the moment of its opening: bytes that are appended later are not seen.
 *
 * The system is asked synchronously. A way through the thread pool takes longer than the question itself, and of ten thousand small
 * files it was half of the time.
 */
export class FileSource implements ByteSource {
  readonly path: string
  readonly size: number
  /** What the system said of the file at its opening. */
  readonly stat: BigIntStats
  readonly #fd: number
  #window: Uint8Array = new Uint8Array(0)
  #windowStart = 0
  #memory: Buffer | undefined
  #closed = false

  private constructor(path: string, fd: number, stat: BigIntStats) {
    this.path = path
    this.#fd = fd
    this.stat = stat
    this.size = Number(stat.size)
  }

  /**
   * Opens a file for reading. Symbolic links are followed.
   *
   * @throws FileProblem for a missing or unreadable file, and for a folder, pipe, socket or device (it never waits for one)
   */
  static async open(path: string): Promise<FileSource> {
    let fd: number | undefined
    try {
      // Asked before opening, because opening a device can have effects of its own.
      requireRegular(statSync(path), path)
      fd = openSync(path, READ)
      const seen = fstatSync(fd, { bigint: true })
      requireRegular(seen, path)
      return new FileSource(path, fd, seen)
    } catch (error) {
      if (fd !== undefined) closeSync(fd)
      throw FileProblem.from(error, path)
    }
  }

  /** @throws FileProblem `CHANGED` when the file became shorter, or the system's failure */
  async *chunks(size: number = CHUNK): AsyncGenerator<Uint8Array> {
    const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(size, this.size)))
    for (let position = 0; position < this.size; ) {
      const piece = this.#fill(buffer.subarray(0, Math.min(buffer.length, this.size - position)), position)
      position += piece.length
      // Of a small file nothing has to be read again.
      if (piece.length === this.size && piece.length <= WINDOW) [this.#window, this.#windowStart] = [piece, 0]
      yield piece
      // Others get their turn.
      if (position < this.size) await setImmediate()
    }
  }

  /**
   * Reads a range (in bytes, cut to the size seen at the opening). The answer is valid until the next call.
   *
   * @throws FileProblem `CHANGED` when the file became shorter, or the system's failure
   */
  read(start: number, end: number): Uint8Array {
    if (this.#closed) throw new FileProblem('EBADF', this.path, `${quote(this.path)} was read after it had been closed`)
    const from = Math.max(0, Math.min(start, this.size))
    const to = Math.max(from, Math.min(end, this.size))
    if (from < this.#windowStart || to > this.#windowStart + this.#window.length) {
      // A huge record is read by itself and not kept.
      if (to - from > WINDOW) return this.#fill(Buffer.allocUnsafe(to - from), from)
      this.#memory ??= Buffer.allocUnsafe(Math.min(WINDOW, this.size))
      this.#window = new Uint8Array(0)
      this.#window = this.#fill(this.#memory.subarray(0, Math.min(WINDOW, this.size - from)), from)
      this.#windowStart = from
    }
    return this.#window.subarray(from - this.#windowStart, to - this.#windowStart)
  }

  /** Compares the file now found under the path, and the open file itself, with what was seen at the opening. */
  changed(): string | undefined {
    const seen = this.stat
    try {
      const now = statSync(this.path, { bigint: true })
      const replaced = now.dev !== seen.dev || now.ino !== seen.ino ? 'was replaced by another file' : undefined
      const what = replaced ?? difference(seen, now) ?? (this.#closed ? undefined : difference(seen, this.#fstat()))
      return what && `${quote(this.path)} ${what} since it was read`
    } catch (error) {
      return plain(error, this.path)
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#window = new Uint8Array(0)
    this.#memory = undefined
    closeSync(this.#fd)
  }

  #fstat(): BigIntStats {
    return fstatSync(this.#fd, { bigint: true })
  }

  #fill(buffer: Buffer, start: number): Buffer {
    let filled = 0
    try {
      while (filled < buffer.length) {
        const got = readSync(this.#fd, buffer, filled, buffer.length - filled, start + filled)
        if (got === 0) throw this.#shrunk()
        filled += got
      }
    } catch (error) {
      throw FileProblem.from(error, this.path)
    }
    return buffer
  }

  #shrunk(): FileProblem {
    return FileProblem.changed(this.path, 'changed while it was read: it became shorter')
  }
}

/** How a file differs from what was seen of it before; undefined when it does not. */
function difference(seen: BigIntStats, now: BigIntStats): string | undefined {
  if (now.size > seen.size) return 'grew'
  if (now.size < seen.size) return 'became shorter'
  // The change time catches a program that edits in place and then sets the modification time back.
  if (now.mtimeNs !== seen.mtimeNs || now.ctimeNs !== seen.ctimeNs) return 'changed'
  return undefined
}
