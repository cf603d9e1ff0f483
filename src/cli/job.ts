import { resolve } from 'node:path'
import type { RunOptions } from '../engine/run.ts'
import type { FileReport } from '../model/report.ts'
import { plain } from '../reporters/plain.ts'
import type { Baseline } from './baseline.ts'
import { resolveColor } from './color.ts'
import { type Configs, judgingOf } from './config.ts'
import { type Context, Interrupted } from './context.ts'
import type { Discovery, Engine, Found } from './engine.ts'
import { sentence, stackOf } from './errors.ts'
import { selfOf, write } from './io.ts'
import { toShow } from './paths.ts'
import { startProgress } from './progress.ts'
import type { CheckFlags, Settings } from './settings.ts'
import { inputOf } from './stdin.ts'
import type { Workers } from './workers.ts'

/** Why a file in a folder is passed by. */
const NO_TRANSCRIPT = 'not a transcript'

/** One run over many files. */
export class Job {
  readonly dryRun: boolean
  readonly #context: Context
  #engine: Engine
  readonly #flags: CheckFlags
  readonly #settings: Settings
  readonly #configs: Configs
  readonly #baseline: Baseline | undefined
  /** Models that were named, in an option or a configuration, by the file that they are for. */
  readonly models = new Map<string, string>()
  #stdin = false

  constructor(
    context: Context,
    engine: Engine,
    flags: CheckFlags,
    settings: Settings,
    configs: Configs,
    baseline: Baseline | undefined,
  ) {
    this.#configs = configs
    this.#baseline = baseline
    this.#context = context
    this.#engine = engine
    this.#flags = flags
    this.#settings = settings
    this.dryRun = settings.mode === 'dry-run'
  }

  /** Where the report goes: not where a difference or a repaired text goes. */
  get stream() {
    const { stdout, stderr } = this.#context.io
    return this.#flags.diff || (this.#stdin && this.#settings.mode === 'fix') ? stderr : stdout
  }

  /** The report of each file, and what was said about arguments that led to none. */
  async run(args: readonly string[]): Promise<{ reports: FileReport[]; errors: string[] }> {
    const { io, signal } = this.#context
    this.#stdin = args.includes('-')
    const names = args.filter((arg) => arg !== '-')
    const found = await this.#found(names)
    const strict = this.#flags.errorOnUnmatchedPattern
    const errors = found.problems.filter(({ unmatched }) => strict || !unmatched).map(({ message }) => message)

    const reports: FileReport[] = []
    const human = this.#settings.outputs.some(({ reporter, file }) => reporter === 'pretty' && file === undefined)
    const coloured = resolveColor(this.#flags.color, io.env, io.stderr.isTTY)
    const progress = startProgress(
      io,
      this.#flags.progress && human && !this.#flags.debug && !this.#flags.silent,
      coloured,
    )
    signal.addEventListener('abort', () => progress.stop())
    let passedBy = 0
    const workers = await this.#threads(found.files.length)
    // What a thread is busy with would keep the process alive.
    signal.addEventListener('abort', () => void workers?.close())
    const ahead = inTurn(found.files, workers ? AHEAD : 1, async (file) =>
      (await this.#isLeftOut(file, names)) ? undefined : this.#file(file),
    )
    try {
      if (this.#stdin) reports.push(await this.#standardInput())
      for (const [i, file] of found.files.entries()) {
        progress.update(`${i + 1} of ${found.files.length}: ${plain(file.path)}`)
        const report = await ahead(i)
        if (!report) continue
        if (signal.aborted) throw new Interrupted()
        const isPassedBy = !file.named && report.format === null && report.error === null
        if (isPassedBy) passedBy++
        if (!isPassedBy || this.#flags.showFiles) reports.push(report)
        if (this.#flags.diff) await this.#showDiff(report, progress)
      }
    } finally {
      progress.stop()
      await workers?.close()
    }
    if (strict && passedBy > 0 && passedBy === found.files.length && !this.#stdin && errors.length === 0) {
      errors.push(`none of the files in ${names.join(', ') || 'this folder'} is a transcript`)
    }
    return { reports, errors }
  }

  /** Threads, where there is work for more than one. */
  async #threads(files: number): Promise<Workers | undefined> {
    const asked = this.#settings.jobs
    if (this.#settings.mode !== 'check' || this.#baseline || files < 2 || asked === 1) return undefined
    const { inThreads, threadsFor, Workers } = await import('./workers.ts')
    const threads = threadsFor(files, asked)
    if (threads === 1) return undefined
    const workers = new Workers(threads)
    this.#engine = inThreads(this.#engine, workers)
    return workers
  }

  /** What the arguments and the list of files lead to. */
  async #found(names: readonly string[]): Promise<Discovery> {
    const { glob, gitignore, filesFrom } = this.#flags
    const cwd = this.#context.io.cwd()
    const nothing = names.length === 0 && (this.#stdin || filesFrom !== undefined)
    const found = nothing ? { files: [], problems: [] } : await this.#engine.discover(names, { cwd, glob, gitignore })
    if (filesFrom === undefined) return found
    const { namesFrom } = await import('./files-from.ts')
    const listed: string[] = []
    for await (const name of namesFrom(this.#context.io, filesFrom)) listed.push(name)
    if (listed.length === 0) return found
    // A list holds names, whatever characters they have.
    const more = await this.#engine.discover(listed, { cwd, glob: false, gitignore })
    const known = new Set(found.files.map(({ absolute }) => absolute))
    return {
      files: [...found.files, ...more.files.filter(({ absolute }) => !known.has(absolute))],
      problems: [...found.problems, ...more.problems],
    }
  }

  /** Whether a configuration leaves out a file that was met in a folder or by a pattern. */
  async #isLeftOut(file: Found, names: readonly string[]): Promise<boolean> {
    if (!this.#flags.forceExclude && file.named && (names.includes(file.path) || this.#flags.filesFrom !== undefined))
      return false
    const { effective } = await this.#configs.of(file.absolute)
    return effective?.ignored === true
  }

  /** A fault of our own in one file must not keep the others from being checked. */
  async #file(file: Found): Promise<FileReport> {
    const options = await this.#options(file.path, file.absolute)
    try {
      const report =
        this.#settings.mode === 'check'
          ? await this.#engine.checkFile(file, options)
          : await this.#engine.fixFile(file, { ...options, ...this.#fixing() })
      const isNone = !file.named && report.format === null && report.error === null
      if (isNone) return { ...report, findings: [], skipped: report.skipped ?? NO_TRANSCRIPT }
      const show = (path: string | null) => path && toShow(path, file.path, this.#context.io.cwd())
      return { ...report, backup: show(report.backup), output: show(report.output) }
    } catch (error) {
      return await this.#failed(file.path, error)
    }
  }

  async #standardInput(): Promise<FileReport> {
    const { io } = this.#context
    const path = this.#flags.stdinFilename ?? '<stdin>'
    const options = await this.#options(path, resolve(io.cwd(), path))
    const input = inputOf(io)
    try {
      if (this.#settings.mode === 'check') return await this.#engine.checkStream(input, options)
      const { report, text } = await this.#engine.fixStream(input, { ...options, ...this.#fixing() })
      if (this.#settings.mode === 'fix') for await (const piece of text) await write(io.stdout, piece)
      else if (this.#flags.diff) await this.#showDiff(report)
      // The text went to whoever reads the output; what resumes a session does not lead there.
      return { ...report, resume: null }
    } catch (error) {
      return await this.#failed(path, error)
    }
  }

  async #options(path: string, absolute: string): Promise<RunOptions> {
    const { effective } = await this.#configs.of(absolute)
    const baseline = this.#baseline?.of(absolute)
    const judging = judgingOf(this.#settings.judging, effective)
    if (judging.model !== undefined) this.models.set(path, judging.model)
    return {
      ...judging,
      path,
      self: selfOf(this.#context.io),
      signal: this.#context.signal,
      timeline: this.#settings.outputs.some(({ reporter }) => reporter === 'html'),
      ...(baseline ? { baseline } : {}),
    }
  }

  #fixing() {
    const { unsafeFixes, diff, backup, force, outDir, fixedSuffix } = this.#flags
    return {
      unsafe: unsafeFixes === true,
      dryRun: this.dryRun,
      diff: diff === true,
      backup,
      force: force === true,
      outDir: outDir === undefined ? undefined : resolve(this.#context.io.cwd(), outDir),
      fixedSuffix,
    }
  }

  async #showDiff(report: FileReport, progress?: { stop(): void }): Promise<void> {
    if (!report.diff) return
    // The difference and the spinner may share the terminal.
    progress?.stop()
    const { showDiff } = await import('./diff-view.ts')
    await showDiff(this.#context.io, report.diff, this.#flags.color)
  }

  async #failed(path: string, error: unknown): Promise<FileReport> {
    const { io, signal } = this.#context
    if (signal.aborted) throw new Interrupted()
    if (this.#flags.debug) await write(io.stderr, stackOf(error))
    return { ...UNREAD, path, error: sentence(error) }
  }
}

/** Files that are begun before the one that is waited for has ended. */
const AHEAD = 32

/** Works on a list in its order, with some of what follows already begun. */
function inTurn<T, R>(list: readonly T[], window: number, work: (item: T) => Promise<R>): (i: number) => Promise<R> {
  const begun: Promise<R>[] = []
  return (i) => {
    while (begun.length < Math.min(list.length, i + window)) {
      const next = work(list[begun.length]!)
      // Whoever waits for it is told; until then nobody does.
      next.catch(() => {})
      begun.push(next)
    }
    return begun[i]!
  }
}

const UNREAD: Omit<FileReport, 'path' | 'error'> = {
  format: null,
  formatTitle: null,
  target: null,
  model: null,
  records: 0,
  live: null,
  findings: [],
  fixed: [],
  unsettled: [],
  changed: false,
  backup: null,
  output: null,
  skipped: null,
  resume: null,
}
