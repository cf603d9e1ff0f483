import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { FileProblem } from './errors.ts'

const CHUNK = 1 << 20

/**
 * The SHA-256 of a file in hexadecimal, read in pieces of 1 MiB.
 *
 * @throws FileProblem when the file cannot be read
 */
export async function digest(path: string): Promise<string> {
  try {
    const handle = await open(path, 'r')
    try {
      const hash = createHash('sha256')
      const buffer = Buffer.allocUnsafe(CHUNK)
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, CHUNK, null)
        if (bytesRead === 0) return hash.digest('hex')
        hash.update(buffer.subarray(0, bytesRead))
      }
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw FileProblem.from(error, path)
  }
}
