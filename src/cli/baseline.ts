import { readFileSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { plain } from '../files/errors.ts'
import type { FileReport } from '../model/report.ts'
import { UsageError } from './errors.ts'
import { type Io, write } from './io.ts'

type Counts = Map<string, number>
type Use = 'read' | 'update' | 'prune'

/**
 * What is known and no problem: of each file and anchor (see engine/anchors.ts) how many findings. The file is sorted and has one
 * anchor a line, so that its differences can be read; paths are relative to it.
 */
export class Baseline {
  readonly #io: Io
  readonly #name: string
  readonly #path: string
  readonly use: Use
  readonly #files: Map<string, Counts>
  /** Entries that are found no longer, after {@link settle}. */
  stale = 0

  private constructor(io: Io, name: string, use: Use, files: Map<string, Counts>) {
    this.#io = io
    this.#name = name
    this.#path = resolve(io.cwd(), name)
    this.use = use
    this.#files = files
  }

  /** @throws UsageError for a file that is not there (unless it is to be written) or that is no baseline */
  static open(io: Io, name: string, use: Use): Baseline {
    let text: string
    try {
      text = readFileSync(resolve(io.cwd(), name), 'utf8')
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      if (isMissing && use === 'update') return new Baseline(io, name, use, new Map())
      throw isMissing
        ? new UsageError(`the baseline "${name}" does not exist`, '--update-baseline writes it')
        : new UsageError(`the baseline cannot be read: ${plain(error, name)}`)
    }
    const files = parse(text)
    if (!files) throw new UsageError(`"${name}" is no baseline`, '--update-baseline writes one into a new file')
    return new Baseline(io, name, use, files)
  }

  /** What is known of a file. @param absolute its path */
  of(absolute: string): ReadonlyMap<string, number> | undefined {
    return this.#files.get(this.#key(absolute))
  }

  /**
   * Takes over what was found, as it was told to, and says what is found no longer.
   *
   * @param looked whether a rule was asked for: of others nothing is known
   * @returns the reports as they are now
   */
  async settle(reports: readonly FileReport[], looked: (rule: string) => boolean): Promise<FileReport[]> {
    const checked = reports.filter(({ error }) => error === null)
    for (const report of checked) {
      const key = this.#key(resolve(this.#io.cwd(), report.path))
      const now = countsOf(report)
      const before = this.#files.get(key) ?? new Map<string, number>()
      for (const [anchor, count] of before) if (!looked(ruleOf(anchor))) now.set(anchor, count)
      for (const [anchor, count] of before) this.stale += Math.max(0, count - (now.get(anchor) ?? 0))
      if (this.use === 'update') this.#files.set(key, now)
      if (this.use === 'prune') {
        const kept = [...before].map(([anchor, count]) => [anchor, Math.min(count, now.get(anchor) ?? 0)] as const)
        this.#files.set(key, new Map(kept))
      }
    }
    this.stale += await this.#dropMissing()
    if (this.use !== 'read') await this.#write()
    if (this.stale > 0) {
      const entries = this.stale === 1 ? '1 entry is' : `${this.stale} entries are`
      const hint =
        this.use === 'read' ? 'found no longer; --prune-baseline takes such out' : 'found no longer and taken out'
      await write(this.#io.stderr, `convfix: ${this.#name}: ${entries} ${hint}\n`)
    }
    if (this.use !== 'update') return [...reports]
    return reports.map((report) => ({
      ...report,
      findings: report.findings.map((finding) => ({ ...finding, suppressed: true })),
    }))
  }

  /** Files that are no longer there need no entries. */
  async #dropMissing(): Promise<number> {
    let dropped = 0
    for (const [key, counts] of this.#files) {
      const isThere = await access(resolve(dirname(this.#path), key)).then(
        () => true,
        () => false,
      )
      // What came by standard input has no file.
      if (isThere || key.endsWith('<stdin>')) continue
      this.#files.delete(key)
      for (const count of counts.values()) dropped += count
    }
    return dropped
  }

  async #write(): Promise<void> {
    const { writeNew } = await import('../files/write-new.ts')
    const text = print(this.#files)
    await writeNew(this.#path, async (out) => out(Buffer.from(text)), { overwrite: true })
  }

  #key(absolute: string): string {
    return relative(dirname(this.#path), absolute).split(sep).join('/')
  }
}

function countsOf(report: FileReport): Counts {
  const counts: Counts = new Map()
  for (const { anchor, rule } of report.findings) {
    const name = anchor ?? rule
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

/** An anchor begins with the name of its rule. */
const ruleOf = (anchor: string): string => anchor.split(' ', 1)[0]!

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0

function print(files: ReadonlyMap<string, Counts>): string {
  const sorted = [...files].sort(byName).flatMap(([path, counts]) => {
    const known = [...counts].filter(([, count]) => count > 0).sort(byName)
    return known.length > 0 ? [[path, Object.fromEntries(known)] as const] : []
  })
  return `${JSON.stringify({ version: 1, files: Object.fromEntries(sorted) }, null, 2)}\n`
}

function parse(text: string): Map<string, Counts> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value) || value.version !== 1 || !isObject(value.files)) return undefined
    const files = new Map<string, Counts>()
    for (const [path, counts] of Object.entries(value.files)) {
      if (!isObject(counts)) return undefined
      const known: Counts = new Map()
      for (const [anchor, count] of Object.entries(counts)) {
        if (typeof count !== 'number' || !Number.isInteger(count) || count < 0) return undefined
        known.set(anchor, count)
      }
      files.set(path, known)
    }
    return files
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
