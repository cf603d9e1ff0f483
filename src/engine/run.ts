import type { FindWriter } from '../files/writers.ts'
import type { Source } from '../text/source.ts'
import type { Chunks, FixOptions } from './api.ts'
import { TranscriptReader } from './read.ts'
import type { Transcript } from './transcript.ts'

/** Where a repaired text goes, and what is asked before. */
export interface RunOptions extends FixOptions {
  /** Say what would be repaired, write nothing. */
  readonly dryRun?: boolean | undefined
  /** Put a unified diff into the report (implies that nothing is written). */
  readonly diff?: boolean | undefined
  /** Keep the old file as a backup (the default). */
  readonly backup?: boolean | undefined
  /** Write into a file even though it seems to be in use. */
  readonly force?: boolean | undefined
  /** Write repaired copies into this folder instead. */
  readonly outDir?: string | undefined
  /** Write a repaired copy beside the file, with this before its extension. */
  readonly fixedSuffix?: string | undefined
  /** Stops the work between two pieces of a file. */
  readonly signal?: AbortSignal | undefined
  /** Put the conversations before and after the repair into the report, for one that shows them. */
  readonly timeline?: boolean | undefined
  /** Who asks whether a file is in use: environment, home folder and number of the process. */
  readonly self?: {
    readonly env: Readonly<Record<string, string | undefined>>
    readonly home: string
    readonly pid: number
  }
}

/** A source that can also be read from front to back. */
export interface Readable extends Source {
  chunks(): Chunks
}

/** Reads a transcript from front to back; what is read again later comes from the same source. */
export async function readTranscript(source: Readable, options: RunOptions): Promise<Transcript> {
  const reader = new TranscriptReader(options, source.size)
  for await (const chunk of source.chunks()) {
    options.signal?.throwIfAborted()
    reader.push(chunk)
  }
  return reader.end(source)
}

/** The file's own sentence on why it must be taken for one in use; only agents' session files can be. */
export async function liveness(
  transcript: Transcript,
  source: { readonly path: string; readonly stat: LiveStat },
  options: RunOptions,
): Promise<string | undefined> {
  const { self } = options
  if (transcript.use !== 'session' || !self) return undefined
  asking ??= Promise.all([import('../files/live.ts'), import('../files/writers.ts')]).then(
    ([{ liveReason }, { procWriters }]) => ({ liveReason, findWriter: procWriters({ self: self.pid }) }),
  )
  const { liveReason, findWriter } = await asking
  return liveReason(source.path, source.stat, { now: Date.now(), env: self.env, home: self.home, findWriter })
}

/** Made once: one look through the system's processes serves many files. */
let asking: Promise<{ liveReason: typeof import('../files/live.ts').liveReason; findWriter: FindWriter }> | undefined

interface LiveStat {
  readonly dev: bigint
  readonly ino: bigint
  readonly mtimeMs: bigint | number
}
