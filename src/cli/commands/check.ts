import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RunOptions } from '../../engine/run.ts'
import type { FileReport, RunReport } from '../../model/report.ts'
import { plain } from '../../reporters/plain.ts'
import type { Baseline } from '../baseline.ts'
import { resolveColor } from '../color.ts'
import { Configs, judgingOf } from '../config.ts'
import { type Context, Interrupted } from '../context.ts'
import type { Discovery, Engine, Found } from '../engine.ts'
import { explainError, sentence, stackOf, UsageError } from '../errors.ts'
import { exitCode, tooManyWarnings } from '../exit-code.ts'
import { fixCommand } from '../fix-command.ts'
import { type Io, selfOf, write } from '../io.ts'
import { toShow } from '../paths.ts'
import { startProgress } from '../progress.ts'
import { PER_RULE, ruleFacts, writeReports, writeStatistics } from '../report-out.ts'
import { BASELINE_NAME, type CheckFlags, readSettings, type Settings } from '../settings.ts'
import { inputOf } from '../stdin.ts'
import { summarize } from '../summary.ts'
import { version } from '../version.ts'
import type { Workers } from '../workers.ts'

/** Why a file in a folder is passed by. */
const NO_TRANSCRIPT = 'not a transcript'

/** `convfix check` and `convfix fix`: checks what the arguments name, repairs it if told to, and reports. */
export async function check(context: Context, files: readonly string[], flags: CheckFlags): Promise<number> {
  const { io } = context
  const started = io.uptime()
  const args = await named(context, files, flags)
  const engine = await context.engine()
  const settings = readSettings(flags, engine)
  const configs = new Configs(io, engine, flags)
  await configs.open()
  if (flags.printConfig !== undefined) {
    const { printConfig } = await import('../print-config.ts')
    return printConfig(io, configs, engine, settings, flags.printConfig === true ? files[0] : flags.printConfig)
  }
  const baseline = await openBaseline(io, configs, flags)
  const job = new Job(context, engine, flags, settings, configs, baseline)
  const ran = await job.run(args)
  const reports = baseline ? await baseline.settle(ran.reports, await lookedFor(settings)) : ran.reports
  const { errors } = ran

  if (!flags.quiet) await tellOfModels(io, reports, job.models)

  const unmatched = errors.length
  const exit = {
    maxWarnings: settings.maxWarnings,
    exitZero: flags.exitZero === true,
    exitNonZeroOnFix: flags.exitNonZeroOnFix === true,
    fixOnly: flags.fixOnly === true,
    dryRun: job.dryRun,
    staleBaseline: flags.strictBaseline === true && baseline?.use === 'read' && baseline.stale > 0,
    unmatched,
  }
  const code = exitCode(reports, exit)
  for (const { path, error } of reports) {
    if (error !== null) errors.push(error.includes(path) ? error : `${path}: ${error}`)
  }
  for (const error of errors) await write(io.stderr, explainError(new UsageError(error)))

  const left = flags.fixOnly ? reports.map((each) => ({ ...each, findings: [] })) : reports
  const told = flags.quiet ? left.map(onlyErrors) : left
  const select = settings.judging.select ?? []
  const durationMs = Math.round((io.uptime() - started) * 1000)
  const report: RunReport = {
    version: 1,
    tool: { name: 'convfix', version: version() },
    mode: settings.mode,
    files: told,
    summary: summarize(told, { select, exitCode: code, durationMs }),
  }
  const showing = {
    // Where nothing was found to check, the errors have said so.
    quiet: flags.quiet === true || (report.summary.files === 0 && unmatched > 0),
    showFiles: flags.showFiles === true,
    fixCommand: fixCommand(args, settings.judging, flags.unsafeFixes === true),
    unsafeFixes: flags.unsafeFixes === true,
    excerpts: flags.excerpt !== false,
    perRule: settings.maxDiagnostics ?? PER_RULE,
    rules: engine.rules.map(ruleFacts),
  }
  await writeReports(io, job.stream, settings.outputs, report, showing, flags.color)
  if (flags.statistics) await writeStatistics(io, job.stream, settings.outputs, report, showing, flags.color)
  const warnings = tooManyWarnings(reports, settings.maxWarnings)
  if (warnings !== undefined) {
    await write(
      io.stderr,
      `convfix: too many warnings: ${warnings}, and --max-warnings allows ${settings.maxWarnings}\n`,
    )
  }
  return code
}

/** Says of each model that was named and that nobody knows which limits counted: once for a target, however many files there are. */
async function tellOfModels(
  io: Io,
  reports: readonly FileReport[],
  models: ReadonlyMap<string, string>,
): Promise<void> {
  if (models.size === 0) return
  const [{ modelNotice }, { targetNamed }] = await Promise.all([
    import('../model-notice.ts'),
    import('../../targets/index.ts'),
  ])
  const told = new Set<string>()
  for (const { path, target: name } of reports) {
    const model = models.get(path)
    const target = name === null ? undefined : targetNamed(name)
    const notice = model !== undefined && target && modelNotice(target, model)
    if (notice) told.add(notice)
  }
  for (const notice of told) await write(io.stderr, `${notice}\n`)
}

/** Whether a rule was looked for: what the command line leaves out is not known to be gone. */
async function lookedFor({ judging }: Settings): Promise<(rule: string) => boolean> {
  const { selectRules } = await import('../../engine/rules.ts')
  const names = new Set(selectRules(judging).rules.map(({ name }) => name))
  return (rule) => names.has(rule)
}

/** The baseline that is named, else the one beside the configuration where there is one or one is asked for. */
async function openBaseline(io: Io, configs: Configs, flags: CheckFlags): Promise<Baseline | undefined> {
  if (flags.baseline === false) return undefined
  const isAskedFor = flags.updateBaseline || flags.pruneBaseline || flags.strictBaseline
  const { folder } = configs
  const usual = resolve(folder ?? io.cwd(), BASELINE_NAME)
  if (flags.baseline === undefined && !isAskedFor && (folder === undefined || !existsSync(usual))) return undefined
  const { Baseline } = await import('../baseline.ts')
  const name = flags.baseline ?? toShow(usual, '', io.cwd())
  return Baseline.open(io, name, flags.updateBaseline ? 'update' : flags.pruneBaseline ? 'prune' : 'read')
}

/** The files that are meant: those of the arguments, or with --latest the newest session of this folder. */
async function named(context: Context, files: readonly string[], flags: CheckFlags): Promise<readonly string[]> {
  if (!flags.latest) {
    if (flags.agent !== undefined) throw new UsageError('--agent goes with --latest')
    if (flags.filesFrom === '-' && files.includes('-')) {
      throw new UsageError('standard input is either a list of files or a transcript: - was given twice')
    }
    return files
  }
  if (files.length > 0) throw new UsageError('--latest takes no files')
  const { latest } = await import('./sessions.ts')
  return [await latest(context, flags.agent)]
}

/** One run over many files. */
class Job {
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
    const progress = startProgress(io, this.#flags.progress && human && !this.#flags.debug, coloured)
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
    const { inThreads, threadsFor, Workers } = await import('../workers.ts')
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
    const { namesFrom } = await import('../files-from.ts')
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
    const { showDiff } = await import('../diff-view.ts')
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

function onlyErrors(report: FileReport): FileReport {
  return { ...report, findings: report.findings.filter((finding) => finding.severity === 'error') }
}
