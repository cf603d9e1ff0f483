import { readFileSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import type { Effective } from '../config/effective.ts'
import { CONFIG_NAMES, ConfigFinder, PACKAGE_KEY } from '../config/find.ts'
import type { Config, Vocabulary } from '../config/schema.ts'
import type { RunOptions } from '../engine/run.ts'
import { plain as fileSentence } from '../files/errors.ts'
import { plain } from '../reporters/plain.ts'
import type { Engine } from './engine.ts'
import { UsageError } from './errors.ts'
import type { Io } from './io.ts'
import { toShow } from './paths.ts'
import type { Judging } from './settings.ts'
import { didYouMean } from './suggest.ts'

/** Options that say where the configuration is. */
export interface ConfigFlags {
  /** A file, or false for none. */
  readonly config?: string | false
}

interface Applying {
  /** Absolute path of the configuration; undefined where there is none. */
  readonly path: string | undefined
  readonly effective: Effective | undefined
}

/** The configurations of a run: each file has its nearest. What reads them is loaded only where there is one. */
export class Configs {
  readonly #io: Io
  readonly #engine: Engine
  readonly #given: string | false | undefined
  readonly #finder: ConfigFinder
  readonly #read = new Map<string, Config>()
  #families: ReadonlyMap<string, string> | undefined

  constructor(io: Io, engine: Engine, { config = io.env.CONVFIX_CONFIG || undefined }: ConfigFlags) {
    this.#io = io
    this.#engine = engine
    this.#given = typeof config === 'string' ? resolve(io.cwd(), config) : config
    this.#finder = new ConfigFinder(io.env.HOME)
  }

  /** Reads a configuration that was named, so that its faults are told even where there is no file to check. @throws UsageError */
  async open(): Promise<void> {
    if (typeof this.#given === 'string') await this.#config(this.#given)
  }

  /** The configuration that applies where the program was started; undefined where there is none. */
  get path(): string | undefined {
    return this.#given === false ? undefined : (this.#given ?? this.#finder.find(this.#io.cwd()))
  }

  /** Its folder; that in which the program was started where there is none, undefined where none is wanted. */
  get folder(): string | undefined {
    if (this.#given === false) return undefined
    return this.path === undefined ? this.#io.cwd() : dirname(this.path)
  }

  /** What applies to a file. @param file absolute path @throws UsageError for a configuration that makes no sense */
  async of(file: string): Promise<Applying> {
    const path = this.#given === false ? undefined : (this.#given ?? this.#finder.find(dirname(file)))
    if (path === undefined) return { path, effective: undefined }
    const config = await this.#config(path)
    const { effective } = await import('../config/effective.ts')
    this.#families ??= new Map(this.#engine.rules.map((rule) => [rule.name, rule.family]))
    const inside = relative(dirname(path), file).split(sep).join('/')
    return { path, effective: effective(config, inside, this.#families) }
  }

  async #config(path: string): Promise<Config> {
    const known = this.#read.get(path)
    if (known) return known
    const shown = toShow(path, '', this.#io.cwd())
    const { readConfig } = await import('../config/read.ts')
    const isManifest = path.endsWith(`${sep}package.json`)
    const read = readConfig(textOf(path, shown), vocabularyOf(this.#engine), isManifest ? PACKAGE_KEY : undefined)
    if ('problems' in read) {
      const lines = read.problems.map(({ line, column, message, typed, known: names }) => {
        const meant = typed !== undefined && names ? didYouMean(typed, names) || oneOf(names) : ''
        return plain(`${shown}:${line}:${column}: ${message}${meant}`)
      })
      throw new UsageError(lines[0]!, lines.slice(1).join('\n  ') || undefined)
    }
    this.#read.set(path, read.config)
    return read.config
  }
}

/** Short lists are told whole. */
const oneOf = (names: readonly string[]): string =>
  names.length <= 12 ? ` (there is ${names.map((name) => `"${name}"`).join(', ')})` : ''

function textOf(path: string, shown: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new UsageError(
      isMissing
        ? `the configuration "${shown}" does not exist`
        : `the configuration cannot be read: ${fileSentence(error, shown)}`,
      isMissing ? `names that are found by themselves: ${CONFIG_NAMES.join(', ')}` : undefined,
    )
  }
}

export function vocabularyOf(engine: Engine): Vocabulary {
  const names = (all: readonly { readonly name: string }[]): string[] => all.map(({ name }) => name)
  return {
    rules: names(engine.rules),
    families: engine.families,
    targets: names(engine.targets),
    formats: names(engine.formats),
  }
}

/** What a file is judged by: what the command line says, and what it leaves open the configuration. */
export function judgingOf(
  flags: Judging,
  config: Effective | undefined,
): Pick<
  RunOptions,
  'format' | 'target' | 'model' | 'maxMedia' | 'select' | 'ignore' | 'severities' | 'preset' | 'fixable' | 'unfixable'
> {
  const { severities, fixable, unfixable } = flags
  if (!config) return flags
  // Who selects rules says which ones run.
  const off = flags.select ? [] : config.off
  return {
    format: flags.format ?? config.format,
    target: flags.target ?? config.target,
    model: flags.model ?? config.model,
    maxMedia: flags.maxMedia ?? config.maxMedia,
    select: flags.select,
    ignore: off.length > 0 ? [...(flags.ignore ?? []), ...off] : flags.ignore,
    severities: over(config.severity, severities),
    preset: config.preset,
    fixable,
    unfixable,
  }
}

type Severities = RunOptions['severities']

function over(config: NonNullable<Severities>, flags: Severities): Severities {
  return Object.keys(config).length === 0 ? flags : { ...config, ...flags }
}
