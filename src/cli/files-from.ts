import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from './errors.ts'
import type { Io } from './io.ts'
import { inputOf } from './stdin.ts'

/**
 * The names that a list holds, one a line, or ended by NUL as `git diff --name-only -z` and `find -print0` write them. Whichever ends the first
 * name ends them all, so names with line feeds are possible in lists with NUL.
 * @throws UsageError for a list that cannot be read
 */
export async function* namesFrom(io: Io, list: string): AsyncGenerator<string> {
  const input = list === '-' ? inputOf(io) : createReadStream(resolve(io.cwd(), list))
  let rest: Buffer[] = []
  let end: number | undefined
  try {
    for await (const piece of input) {
      const bytes = Buffer.from(piece)
      end ??= bytes.includes(0) ? 0 : bytes.includes(10) ? 10 : undefined
      let from = 0
      for (let at = endOf(bytes, end, 0); at >= 0; at = endOf(bytes, end, from)) {
        yield* nameOf([...rest, bytes.subarray(from, at)], end)
        rest = []
        from = at + 1
      }
      rest.push(bytes.subarray(from))
    }
  } catch (error) {
    const { plain } = await import('../files/errors.ts')
    throw new UsageError(`the list of files cannot be read: ${plain(error, list)}`)
  }
  yield* nameOf(rest, end)
}

const endOf = (bytes: Buffer, end: number | undefined, from: number): number =>
  end === undefined ? -1 : bytes.indexOf(end, from)

function* nameOf(pieces: readonly Buffer[], end: number | undefined): Generator<string> {
  const text = Buffer.concat(pieces).toString('utf8')
  const name = end === 0 ? text : text.replace(/\r?\n?$/, '')
  if (name !== '') yield name
}
