import type { Io } from './io.ts'

/** Says on standard error how far a long run has come. */
export interface Progress {
  update(text: string): void
  /** Takes it off the screen. */
  stop(): void
}

const SILENT: Progress = { update() {}, stop() {} }

/** Runs that are over sooner show nothing. */
const DELAY = 300

/**
 * A spinner, but only for people who wait at a terminal. A terminal of 0 columns gets none: ora would draw on it for ever.
 *
 * @param wanted whether the user has not declined it and the report is one for people
 */
export function startProgress(io: Io, wanted: boolean, coloured: boolean): Progress {
  const { stderr, env } = io
  if (!wanted || stderr.isTTY !== true || !(stderr.columns && stderr.columns > 0) || env.CI) return SILENT
  let text = ''
  let stopped = false
  let spinner: { text: string; stop(): unknown } | undefined
  const timer = setTimeout(async () => {
    const { default: ora } = await import('ora')
    if (stopped) return
    // The stream is the process's own here: only it is a terminal. Left alone: standard input, which may be what is checked.
    const stream = stderr as NodeJS.WriteStream
    spinner = ora({ text, stream, discardStdin: false, ...(coloured ? {} : { color: false as const }) }).start()
  }, DELAY)
  timer.unref()
  return {
    update(next) {
      text = next
      if (spinner) spinner.text = next
    },
    stop() {
      stopped = true
      clearTimeout(timer)
      spinner?.stop()
    },
  }
}
