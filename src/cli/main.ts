import type { Engine } from './engine.ts'
import type { Io, StopSignal } from './io.ts'
import { tolerateClosedPipes, write } from './io.ts'
import { version } from './version.ts'

/** What a shell reports of a program that ended by such a signal. */
const STOP_CODES: Readonly<Record<StopSignal, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }

/**
 * The command line from its arguments to its exit code. Everything it touches comes with `io`; nothing ends the process.
 *
 * @param load replaces the engine, for tests
 */
export async function main(argv: readonly string[], io: Io, load?: () => Promise<Engine>): Promise<number> {
  tolerateClosedPipes(io)
  // Answered before anything else is loaded.
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-v')) {
    await write(io.stdout, `${version()}\n`)
    return 0
  }
  const { run } = await import('./program.ts')
  const stopping = new AbortController()
  let loaded: Promise<Engine> | undefined
  const engine = (): Promise<Engine> => {
    loaded ??= load ? load() : import('./engine.ts').then(({ loadEngine }) => loadEngine())
    return loaded
  }

  const cleanUp = async (): Promise<void> => {
    try {
      await (await loaded)?.cleanUp()
    } catch {
      // Nothing was loaded that could have made a file.
    }
  }

  let stop = (_code: number): void => {}
  const stopped = new Promise<number>((resolve) => {
    stop = resolve
  })
  const listeners = Object.entries(STOP_CODES).map(([name, code]) => {
    const listener = (): void => {
      release()
      stopping.abort()
      // A terminal or pipe that is still waited for would keep the process alive.
      io.stdin.destroy?.()
      void cleanUp().then(() => stop(code))
    }
    io.on(name as StopSignal, listener)
    return { name: name as StopSignal, listener }
  })
  // Once a signal was heard, the next one ends the process as it would any other.
  const release = (): void => {
    for (const { name, listener } of listeners) io.off(name, listener)
  }

  try {
    const { signal } = stopping
    const finished = run(argv, { io, engine, signal }).then((code) => (signal.aborted ? stopped : code))
    return await Promise.race([finished, stopped])
  } finally {
    release()
  }
}
