import { homedir } from 'node:os'

/** Where text goes: a standard stream, or what a test puts in its place. */
export interface OutStream {
  write(chunk: string | Uint8Array, done: (error?: Error | null) => void): boolean
  on(event: 'error', listener: (error: Error) => void): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** All that the command line touches of its process; `process` itself is one. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array | string> & { destroy?(): unknown; readonly isTTY?: boolean | undefined }
  readonly stdout: OutStream
  readonly stderr: OutStream
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: string
  readonly pid: number
  cwd(): string
  /** Seconds on a clock that only goes forward. */
  uptime(): number
  on(event: StopSignal, listener: () => void): unknown
  off(event: StopSignal, listener: () => void): unknown
}

/**
 * A reader that closes a pipe early, as `head` does, is no fault of ours. Node reports it twice, to the stream and to the
 * write, so the stream's own report is dropped and {@link write} judges.
 */
export function tolerateClosedPipes(io: Io): void {
  for (const stream of [io.stdout, io.stderr]) stream.on('error', () => {})
}

/**
 * Writes, and waits until the stream has taken all of it: what a pipe has not taken when the process ends is lost.
 *
 * @returns false when nobody reads any more
 */
export function write(stream: OutStream, chunk: string | Uint8Array): Promise<boolean> {
  if (chunk.length === 0) return Promise.resolve(true)
  return new Promise((resolve, reject) => {
    stream.write(chunk, (error) => {
      if (!error) resolve(true)
      else if (isClosedPipe(error)) resolve(false)
      else reject(error)
    })
  })
}

function isClosedPipe(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED')
}

/** Who asks whether an agent is using a file. */
export function selfOf({ env, pid }: Io): { readonly env: Io['env']; readonly home: string; readonly pid: number } {
  return { env, home: env.HOME || env.USERPROFILE || homedir(), pid }
}
