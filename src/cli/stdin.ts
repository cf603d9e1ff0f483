import { type Io, write } from './io.ts'

/**
 * Standard input as bytes; a stream that was told to decode text gives them back as UTF-8. Where it is a terminal that is said, since a
 * program that waits for somebody to type looks like one that hangs.
 */
export async function* inputOf(io: Pick<Io, 'stdin' | 'stderr'>): AsyncGenerator<Uint8Array> {
  if (io.stdin.isTTY)
    await write(io.stderr, 'convfix: reading from the terminal; Ctrl-D at the start of a line ends it\n')
  for await (const piece of io.stdin) yield typeof piece === 'string' ? Buffer.from(piece) : piece
}
