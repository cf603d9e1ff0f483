import { closeSync, mkdtempSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { platform } from 'node:process'
import { MemorySource } from '../text/source.ts'
import { FileProblem } from './errors.ts'
import { type ByteSource, FileSource } from './file-source.ts'
import { discard, keepTrack } from './temp.ts'
import { writeAll } from './write.ts'

/** Bytes up to which an input stays in memory. */
const IN_MEMORY = 8 << 20

/**
 * Takes in a stream that can be read only once, such as standard input, so that it can be read again: in memory below 8 MiB,
 * else in a temporary file that only this user can read. The file is gone with `close`, and where the system permits it
 * it has no name from the beginning, so that not even a killed process leaves it behind.
 *
 * @param input its pieces; their memory may be used again by the giver
 * @param folder where the temporary file goes: the system's folder unless told otherwise
 * @throws FileProblem when the temporary file cannot be written; or what the stream threw
 */
export async function spool(input: AsyncIterable<Uint8Array>, folder: string = tmpdir()): Promise<ByteSource> {
  const pieces: Uint8Array[] = []
  let size = 0
  let file: SpoolFile | undefined
  try {
    for await (const piece of input) {
      size += piece.length
      if (file) file.write(piece)
      else pieces.push(Uint8Array.from(piece))
      if (!file && size >= IN_MEMORY) {
        file = new SpoolFile(folder)
        for (const kept of pieces.splice(0)) file.write(kept)
      }
    }
    return file ? await file.source() : new MemoryBytes(Buffer.concat(pieces))
  } catch (error) {
    file?.discard()
    throw error
  }
}

class MemoryBytes extends MemorySource implements ByteSource {
  async *chunks(size = 1 << 20): AsyncGenerator<Uint8Array> {
    for (let start = 0; start < this.size; start += size) yield this.read(start, start + size)
  }

  changed(): undefined {}

  async close(): Promise<void> {}
}

class SpoolFile {
  readonly #folder: string
  readonly #path: string
  #fd: number

  constructor(parent: string) {
    try {
      this.#folder = mkdtempSync(join(parent, 'convfix-'))
      keepTrack(this.#folder)
      this.#path = join(this.#folder, 'stdin')
      this.#fd = openSync(this.#path, 'wx', 0o600)
    } catch (error) {
      throw FileProblem.from(error, parent)
    }
  }

  write(piece: Uint8Array): void {
    try {
      writeAll(this.#fd, piece)
    } catch (error) {
      throw FileProblem.from(error, this.#path)
    }
  }

  async source(): Promise<ByteSource> {
    closeSync(this.#fd)
    this.#fd = -1
    const source = await FileSource.open(this.#path)
    if (platform !== 'win32') discard(this.#folder)
    return {
      size: source.size,
      read: (start, end) => source.read(start, end),
      chunks: (size) => source.chunks(size),
      changed: () => undefined,
      close: async () => {
        await source.close()
        discard(this.#folder)
      },
    }
  }

  discard(): void {
    if (this.#fd >= 0) closeSync(this.#fd)
    discard(this.#folder)
  }
}
