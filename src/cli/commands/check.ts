import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FileReport, RunReport } from '../../model/report.ts'
import type { Baseline } from '../baseline.ts'
import { Configs } from '../config.ts'
import type { Context } from '../context.ts'
import { explainError, UsageError } from '../errors.ts'
import { exitCode, tooManyWarnings } from '../exit-code.ts'
import { fixCommand } from '../fix-command.ts'
import { type Io, write } from '../io.ts'
import { Job } from '../job.ts'
import { toShow } from '../paths.ts'
import { PER_RULE, ruleFacts, writeReports, writeStatistics } from '../report-out.ts'
import { BASELINE_NAME, type CheckFlags, readSettings, type Settings } from '../settings.ts'
import { summarize } from '../summary.ts'
import { version } from '../version.ts'

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

  if (!flags.quiet && !flags.silent) await tellOfModels(io, reports, job.models)

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
  const outputs = settings.outputs.filter(({ file }) => !flags.silent || file !== undefined)
  await writeReports(io, job.stream, outputs, report, showing, flags.color)
  if (flags.statistics && !flags.silent)
    await writeStatistics(io, job.stream, settings.outputs, report, showing, flags.color)
  const warnings = tooManyWarnings(reports, settings.maxWarnings)
  if (warnings !== undefined && !flags.silent) {
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

function onlyErrors(report: FileReport): FileReport {
  return { ...report, findings: report.findings.filter((finding) => finding.severity === 'error') }
}
