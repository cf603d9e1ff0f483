import { SEVERITIES } from '../config/schema.ts'
import type { Severity } from '../model/finding.ts'
import { isReporterName, REPORTERS, type ReporterName } from '../reporters/index.ts'
import type { GlobalFlags } from './context.ts'
import type { Engine } from './engine.ts'
import { UsageError } from './errors.ts'
import { didYouMean } from './suggest.ts'

/** Options of `check` as they are typed. */
export interface CheckFlags extends GlobalFlags {
  readonly latest?: boolean
  readonly agent?: string
  readonly fix?: boolean
  readonly unsafeFixes?: boolean
  readonly diff?: boolean
  readonly dryRun?: boolean
  readonly force?: boolean
  readonly backup: boolean
  readonly outDir?: string
  readonly fixedSuffix?: string
  readonly inputFormat?: string
  readonly target?: string
  readonly model?: string
  readonly maxMedia?: string
  readonly select?: readonly string[]
  readonly ignore?: readonly string[]
  readonly fixable?: readonly string[]
  readonly unfixable?: readonly string[]
  readonly quiet?: boolean
  readonly silent?: boolean
  readonly maxWarnings?: string
  readonly exitZero?: boolean
  readonly exitNonZeroOnFix?: boolean
  readonly fixOnly?: boolean
  readonly stdinFilename?: string
  readonly reporter?: readonly string[]
  readonly excerpt?: boolean
  readonly maxDiagnostics?: string
  readonly jobs?: string
  readonly statistics?: boolean
  readonly showFiles?: boolean
  readonly errorOnUnmatchedPattern: boolean
  readonly glob: boolean
  readonly config?: string | false
  readonly severity?: readonly string[]
  readonly filesFrom?: string
  readonly gitignore: boolean
  readonly forceExclude?: boolean
  /** A file, or false for none. */
  readonly baseline?: string | false
  readonly strictBaseline?: boolean
  readonly updateBaseline?: boolean
  readonly pruneBaseline?: boolean
  readonly printConfig?: string | true
}

/** What a baseline is called where none is named. */
export const BASELINE_NAME = 'convfix-baseline.json'

/** Where one report goes. */
export interface Output {
  readonly reporter: ReporterName
  /** Undefined for the standard stream. */
  readonly file: string | undefined
}

/** Which rules a conversation is judged by. */
export interface Judging {
  readonly format: string | undefined
  readonly target: string | undefined
  readonly model: string | undefined
  readonly maxMedia: number | undefined
  readonly select: readonly string[] | undefined
  readonly ignore: readonly string[] | undefined
  readonly severities?: Readonly<Record<string, Severity>>
  /** Whose findings may be repaired, and whose may not. */
  readonly fixable?: readonly string[]
  readonly unfixable?: readonly string[]
}

/** Options of `check` after they were found to make sense. */
export interface Settings {
  readonly mode: 'check' | 'fix' | 'dry-run'
  readonly judging: Judging
  readonly maxWarnings: number | undefined
  /** Threads that check; undefined where nobody says. */
  readonly jobs: number | undefined
  /** Most findings of one rule in one file that people are shown. */
  readonly maxDiagnostics: number | undefined
  readonly outputs: readonly Output[]
}

/** @throws UsageError for what makes no sense, with the nearest thing that does */
export function readSettings(flags: CheckFlags, engine: Engine): Settings {
  const dry = flags.diff || flags.dryRun
  if (!flags.fix && !dry) {
    for (const [given, name] of [
      [flags.outDir, '--out-dir'],
      [flags.fixedSuffix, '--fixed-suffix'],
    ] as const) {
      if (given !== undefined) throw new UsageError(`${name} says where repaired files go: it needs --fix`)
    }
  }
  if (flags.fixedSuffix !== undefined && /[\\/]/.test(flags.fixedSuffix)) {
    throw new UsageError(
      '--fixed-suffix is a part of a file name and cannot hold a slash',
      'for a folder there is --out-dir',
    )
  }
  if (flags.fixedSuffix === '' || flags.outDir === '') {
    throw new UsageError(`${flags.outDir === '' ? '--out-dir' : '--fixed-suffix'} is empty`)
  }
  for (const [flag, given] of [
    ['--fix-only', flags.fixOnly],
    ['--exit-non-zero-on-fix', flags.exitNonZeroOnFix],
  ] as const)
    if (given && !flags.fix) throw new UsageError(`${flag} goes with --fix`)
  for (const [flag, given] of [
    ['--update-baseline', flags.updateBaseline],
    ['--prune-baseline', flags.pruneBaseline],
    ['--strict-baseline', flags.strictBaseline],
  ] as const)
    if (given && flags.baseline === false) throw new UsageError(`${flag} does not go with --no-baseline`)
  if (flags.updateBaseline && dry) throw new UsageError('--update-baseline does not go with --diff or --dry-run')
  if (flags.updateBaseline && flags.pruneBaseline) {
    throw new UsageError('--update-baseline prunes, too: --prune-baseline does not go with it')
  }
  return {
    mode: dry ? 'dry-run' : flags.fix ? 'fix' : 'check',
    judging: readJudging(flags, engine),
    maxWarnings: wholeNumber('--max-warnings', flags.maxWarnings),
    outputs: readOutputs(flags.reporter ?? ['pretty']),
    jobs: atLeastOne('--jobs', flags.jobs),
    maxDiagnostics: wholeNumber('--max-diagnostics', flags.maxDiagnostics),
  }
}

/** The options that `check` and `payload` share. @throws UsageError */
export function readJudging(
  flags: Pick<
    CheckFlags,
    'inputFormat' | 'target' | 'model' | 'maxMedia' | 'select' | 'ignore' | 'severity' | 'fixable' | 'unfixable'
  >,
  engine: Engine,
): Judging {
  const severities = readSeverities(flags.severity, engine)
  const fixable = ruleNames(flags.fixable, engine)
  const unfixable = ruleNames(flags.unfixable, engine)
  return {
    format: oneOf('transcript format', flags.inputFormat, engine.formats),
    target: oneOf('target', flags.target, engine.targets),
    model: flags.model,
    maxMedia: wholeNumber('--max-media', flags.maxMedia),
    select: ruleNames(flags.select, engine),
    ignore: ruleNames(flags.ignore, engine),
    ...(severities ? { severities } : {}),
    ...(fixable ? { fixable } : {}),
    ...(unfixable ? { unfixable } : {}),
  }
}

/** `RULE=LEVEL`, several of them separated by commas. @throws UsageError */
function readSeverities(
  given: readonly string[] | undefined,
  engine: Engine,
): Readonly<Record<string, Severity>> | undefined {
  if (given === undefined) return undefined
  const said: Record<string, Severity> = {}
  for (const word of given.flatMap((list) => list.split(','))) {
    const equals = word.indexOf('=')
    if (equals < 0)
      throw new UsageError(`--severity takes a rule and a level, not "${word}"`, '--severity blank-text=error')
    const [name] = ruleNames([word.slice(0, equals)], engine)!
    const level = word.slice(equals + 1).trim()
    const severity = SEVERITIES.find((each) => each === level)
    if (!severity) {
      throw new UsageError(
        `unknown severity "${level}"${didYouMean(level, SEVERITIES)}`,
        `severities: ${SEVERITIES.join(', ')}`,
      )
    }
    said[name!] = severity
  }
  return said
}

/** Reporters as `NAME` or `NAME=FILE`. @throws UsageError for an unknown one, and for two that want the same place */
export function readOutputs(specs: readonly string[]): Output[] {
  const outputs: Output[] = []
  const places = new Set<string>()
  for (const spec of specs) {
    const equals = spec.indexOf('=')
    const name = equals < 0 ? spec : spec.slice(0, equals)
    const file = equals < 0 ? undefined : spec.slice(equals + 1)
    if (!isReporterName(name)) {
      const names = Object.keys(REPORTERS)
      throw new UsageError(`unknown reporter "${name}"${didYouMean(name, names)}`, `reporters: ${names.join(', ')}`)
    }
    if (file === '') throw new UsageError(`the file of --reporter ${name}= has no name`)
    if (places.has(file ?? '')) {
      throw file === undefined
        ? new UsageError(
            'two reporters cannot share the standard output',
            'give one of them a file: --reporter json=report.json',
          )
        : new UsageError(`two reporters cannot write to the same file "${file}"`)
    }
    places.add(file ?? '')
    outputs.push({ reporter: name, file })
  }
  return outputs
}

function ruleNames(given: readonly string[] | undefined, engine: Engine): string[] | undefined {
  if (given === undefined) return undefined
  const known = [...engine.families, ...engine.rules.map((rule) => rule.name)]
  const names = given.flatMap((list) => list.split(',')).map((name) => name.trim())
  for (const name of names) {
    if (known.includes(name)) continue
    if (name === '') throw new UsageError('a rule without a name was given', '`convfix rules` lists them')
    throw new UsageError(`unknown rule or family "${name}"${didYouMean(name, known)}`, '`convfix rules` lists them')
  }
  return names
}

function oneOf(
  what: string,
  name: string | undefined,
  known: readonly { readonly name: string }[],
): string | undefined {
  if (name === undefined) return undefined
  const names = known.map((each) => each.name)
  if (names.includes(name)) return name
  throw new UsageError(`unknown ${what} "${name}"${didYouMean(name, names)}`, `${what}s: ${names.join(', ')}`)
}

function atLeastOne(option: string, text: string | undefined): number | undefined {
  const number = wholeNumber(option, text)
  if (number === 0) throw new UsageError(`${option} takes a number of at least 1`)
  return number
}

function wholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`${option} takes a whole number, not "${text}"`)
}
