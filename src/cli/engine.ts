import type { CheckOptions, FixOptions } from '../engine/api.ts'
import type { FileReport } from '../model/report.ts'
import type { Rule } from '../rules/rule.ts'

export interface FileCheckOptions extends CheckOptions {
  /** Stops the work between two pieces of a file. */
  readonly signal?: AbortSignal | undefined
}

export interface FileFixOptions extends FileCheckOptions, FixOptions {
  /** Repairs in memory and writes nothing. */
  readonly dryRun: boolean
  /** Whether the report is to hold the difference. */
  readonly diff: boolean
  readonly backup: boolean
  /** Writes into a live file all the same. */
  readonly force: boolean
  /** Folder (absolute) that takes the repaired files instead. */
  readonly outDir: string | undefined
  /** Put behind the name, before its ending, of a new file beside the old one. */
  readonly fixedSuffix: string | undefined
}

export interface PayloadOptions extends CheckOptions {
  readonly fix: boolean
  readonly unsafe: boolean
  /** Label of the conversation; the main one when not given. */
  readonly conversation: string | undefined
}

export interface Found {
  /** As the user would write it. */
  readonly path: string
  readonly absolute: string
  /** Asked for by name or pattern, in contrast to met in a folder. */
  readonly named: boolean
}

export interface Discovery {
  readonly files: readonly Found[]
  /** `unmatched`: there is nothing that the argument means, in contrast to something that could not be read. */
  readonly problems: readonly { readonly argument: string; readonly message: string; readonly unmatched: boolean }[]
}

/** Bytes of standard input. */
export type Stream = AsyncIterable<Uint8Array>

/** All that the commands ask of the layers below, in one place. Options hold the path that reports show. */
export interface Engine {
  readonly rules: readonly Rule[]
  readonly families: readonly string[]
  readonly targets: readonly { readonly name: string; readonly title: string }[]
  readonly formats: readonly { readonly name: string; readonly title: string }[]
  discover(args: readonly string[], options: { readonly cwd: string; readonly glob: boolean }): Promise<Discovery>
  checkFile(path: string, options: FileCheckOptions): Promise<FileReport>
  fixFile(path: string, options: FileFixOptions): Promise<FileReport>
  checkStream(input: Stream, options: FileCheckOptions): Promise<FileReport>
  fixStream(
    input: Stream,
    options: FileFixOptions,
  ): Promise<{ readonly report: FileReport; readonly output: AsyncIterable<Uint8Array> | Iterable<Uint8Array> }>
  payload(input: string | Stream, options: PayloadOptions): AsyncIterable<string | Uint8Array>
  restore(
    path: string,
    options: { readonly force: boolean },
  ): Promise<{ readonly restored: string; readonly savedPresent: string | null }>
  /** Removes the temporary files of this process at once. */
  cleanUp(): void
}

/** Loads what stands behind the commands: only when one of them needs it, since start-up time counts. */
export async function loadEngine(): Promise<Engine> {
  throw new Error('the engine is not wired yet')
}
