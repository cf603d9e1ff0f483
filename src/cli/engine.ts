import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CheckOptions } from '../engine/api.ts'
import type { Consulted } from '../engine/consult.ts'
import type { Recognized } from '../engine/recognize.ts'
import type { RunOptions } from '../engine/run.ts'
import type { FileReport, ReportedFinding } from '../model/report.ts'
import type { Rule } from '../rules/rule.ts'
import { UsageError } from './errors.ts'
import { toOpen } from './paths.ts'

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
  readonly problems: readonly Unfound[]
}

/** An argument, or a part of one, that led to no file. */
export interface Unfound {
  readonly message: string
  /** Whether there is nothing that the argument means, in contrast to something that could not be read. */
  readonly unmatched: boolean
}

/** An error text and what it means. */
export interface Explained extends Recognized {
  /** The places that it names, in the file; undefined where no file was given. */
  readonly places: readonly Consulted[] | undefined
  /** What the rules that the text is about find elsewhere in the file. */
  readonly found: readonly ReportedFinding[]
}

/** Bytes of standard input. */
export type Stream = AsyncIterable<Uint8Array>

/** All that the commands ask of the layers below, in one place. Options hold the path that reports show. */
export interface Engine {
  readonly rules: readonly Rule[]
  readonly families: readonly string[]
  readonly targets: readonly { readonly name: string; readonly title: string }[]
  readonly formats: readonly { readonly name: string; readonly title: string }[]
  discover(
    args: readonly string[],
    options: { readonly cwd: string; readonly glob: boolean; readonly gitignore: boolean },
  ): Promise<Discovery>
  checkFile(file: Found, options: RunOptions): Promise<FileReport>
  fixFile(file: Found, options: RunOptions): Promise<FileReport>
  checkStream(input: Stream, options: RunOptions): Promise<FileReport>
  /** The text is to be taken to its end. */
  fixStream(
    input: Stream,
    options: RunOptions,
  ): Promise<{ readonly report: FileReport; readonly text: AsyncIterable<Uint8Array> }>
  /** What an error text means, and where a file holds what it names. */
  explain(text: string, file: string | undefined, options: CheckOptions): Promise<Explained>
  payload(input: string | Stream, options: PayloadOptions): AsyncIterable<Uint8Array>
  restore(
    path: string,
    options: { readonly force: boolean },
  ): Promise<{ readonly restored: string; readonly savedPresent: string | null }>
  /** Removes the temporary files of this process. */
  cleanUp(): Promise<void>
}

/** Loads what stands behind the commands: each part only when a command needs it, since start-up time counts. */
export async function loadEngine(): Promise<Engine> {
  const [examine, { RULES }, { FAMILIES }, { TARGETS }, { FORMATS }] = await Promise.all([
    import('../engine/examine.ts'),
    import('../rules/index.ts'),
    import('../rules/rule.ts'),
    import('../targets/index.ts'),
    import('../formats/index.ts'),
  ])
  return {
    rules: RULES,
    families: FAMILIES,
    targets: TARGETS,
    formats: FORMATS,
    async discover(args, options) {
      const { discover } = await import('../files/discover.ts')
      const { cwd, glob, gitignore } = options
      const paths = (args.length === 0 ? ['.'] : args).map((arg) => resolve(cwd, arg))
      const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true
      // Who names files asks for them.
      if (!gitignore || paths.every(isFile)) return discover(args, { cwd, glob })
      const { gitIgnore } = await import('../files/gitignore.ts')
      return discover(args, { cwd, glob, ignore: gitIgnore(paths) })
    },
    checkFile: (file, options) => examine.checkFile(toOpen(file.path, file.absolute), options),
    async fixFile(file, options) {
      const { fixFile } = await import('../engine/repair.ts')
      return fixFile(toOpen(file.path, file.absolute), options)
    },
    async checkStream(input, options) {
      const source = await spooled(input)
      try {
        return await examine.checkSource(source, options)
      } finally {
        await source.close()
      }
    },
    async fixStream(input, options) {
      const { fixStream } = await import('../engine/repair.ts')
      const source = await spooled(input)
      const { report, text } = await fixStream(source, options)
      return { report, text: closing(text, source) }
    },
    async explain(text, file, options) {
      const [{ recognize }, { consult }, { readTranscript }] = await Promise.all([
        import('../engine/recognize.ts'),
        import('../engine/consult.ts'),
        import('../engine/run.ts'),
      ])
      const recognized = recognize(text)
      if (file === undefined) return { ...recognized, places: undefined, found: [] }
      const source = await opened(file)
      try {
        const transcript = await readTranscript(source, options)
        const rules = recognized.meanings.flatMap((each) => (each.kind === 'rule' ? [each.rule.name] : []))
        return { ...recognized, ...consult(text, rules, transcript, source, options) }
      } finally {
        await source.close()
      }
    },
    async *payload(input, options) {
      const { payloadOf } = await import('../engine/payload.ts')
      const source = typeof input === 'string' ? await opened(input) : await spooled(input)
      try {
        yield* payloadOf(source, options)
      } catch (error) {
        throw error instanceof RangeError ? new UsageError(error.message) : error
      } finally {
        await source.close()
      }
    },
    async restore(path, options) {
      const { restore } = await import('../files/restore.ts')
      return restore(path, options)
    },
    async cleanUp() {
      const { cleanUp } = await import('../files/temp.ts')
      cleanUp()
    },
  }
}

async function opened(path: string) {
  const { FileSource } = await import('../files/file-source.ts')
  return FileSource.open(path)
}

async function spooled(input: Stream) {
  const { spool } = await import('../files/spool.ts')
  return spool(input)
}

async function* closing(text: Iterable<Uint8Array>, source: { close(): Promise<void> }): AsyncGenerator<Uint8Array> {
  try {
    yield* text
  } finally {
    await source.close()
  }
}
