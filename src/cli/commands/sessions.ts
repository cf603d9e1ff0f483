import type { SessionFile } from '../../files/agents.ts'
import type { FileReport } from '../../model/report.ts'
import { count, padEnd } from '../../reporters/layout.ts'
import { plain } from '../../reporters/plain.ts'
import type { Paint } from '../../reporters/reporter.ts'
import { loadPaint, resolveColor } from '../color.ts'
import { type Context, type GlobalFlags, Interrupted } from '../context.ts'
import { UsageError } from '../errors.ts'
import { selfOf, write } from '../io.ts'
import { didYouMean } from '../suggest.ts'

export interface SessionsFlags extends GlobalFlags {
  readonly limit?: string
  readonly json?: boolean
}

/** Sessions that are opened and judged unless more are asked for: listing is instant, judging reads each file. */
const LIMIT = 20

interface Row {
  readonly agent: string
  readonly path: string
  readonly project: string
  readonly changed: string
  readonly bytes: number
  readonly records: number
  readonly errors: number
  readonly warnings: number
  readonly live: boolean
  readonly error: string | null
}

/** `convfix sessions`: what the agents on this machine keep, newest first, and how it is. */
export async function sessions(context: Context, agent: string | undefined, flags: SessionsFlags): Promise<number> {
  const { io } = context
  const limit = flags.limit === undefined ? LIMIT : Number(flags.limit)
  if (!Number.isInteger(limit) || limit < 1)
    throw new UsageError(`--limit takes a whole number above 0, not "${flags.limit}"`)
  const files = await listed(context, agent)
  const shown = files.slice(0, limit)
  const rows: Row[] = []
  for (const file of shown) rows.push(await judged(context, file))
  if (flags.json) {
    await write(
      io.stdout,
      `${JSON.stringify({ version: 1, sessions: rows, notShown: files.length - shown.length }, null, 2)}\n`,
    )
    return 0
  }
  const paint = await loadPaint(resolveColor(flags.color, io.env, io.stdout.isTTY))
  await write(io.stdout, table(rows, files.length, paint))
  return 0
}

/** The newest session that was held in the current folder. */
export async function latest(context: Context, agent: string | undefined): Promise<string> {
  const { originOf } = await import('../../files/agents.ts')
  const here = context.io.cwd()
  for (const file of await listed(context, agent)) if ((await originOf(file.path)).isOf(here)) return file.path
  throw new UsageError(`no agent keeps a session of ${here}`, '`convfix sessions` lists those of all folders')
}

async function listed({ io }: Context, name: string | undefined): Promise<SessionFile[]> {
  const { AGENTS, sessionFiles } = await import('../../files/agents.ts')
  // `claude`, `gemini`: enough to tell it from the others.
  const chosen = AGENTS.filter(
    (agent) => name === undefined || agent.name === name || agent.name.startsWith(`${name}-`),
  )
  if (chosen.length === 0) {
    const names = AGENTS.map((agent) => agent.name)
    throw new UsageError(`unknown agent "${name}"${didYouMean(name!, names)}`, `agents: ${names.join(', ')}`)
  }
  const { env, home } = selfOf(io)
  return sessionFiles(chosen, env, home)
}

async function judged(context: Context, { agent, path, bytes, changed }: SessionFile): Promise<Row> {
  const { originOf } = await import('../../files/agents.ts')
  const engine = await context.engine()
  let report: FileReport | undefined
  let error: string | null = null
  try {
    const found = { path, absolute: path, named: true }
    report = await engine.checkFile(found, { path, self: selfOf(context.io), signal: context.signal })
  } catch (problem) {
    if (context.signal.aborted) throw new Interrupted()
    error = problem instanceof Error ? problem.message : String(problem)
  }
  const severities = report?.findings.map(({ severity }) => severity) ?? []
  return {
    agent: agent.name,
    path,
    project: (await originOf(path)).project,
    changed: new Date(changed).toISOString(),
    bytes,
    records: report?.records ?? 0,
    errors: severities.filter((severity) => severity === 'error').length,
    warnings: severities.filter((severity) => severity === 'warning').length,
    live: typeof report?.live === 'string',
    error,
  }
}

function table(rows: readonly Row[], all: number, paint: Paint): string {
  if (rows.length === 0) return 'no agent keeps a session here\n'
  const now = Date.now()
  const cells = rows.map((row) => ({
    row,
    text: [age(now - Date.parse(row.changed)), row.agent, size(row.bytes), `${row.records}`],
    health: health(row),
  }))
  const titles = ['age', 'agent', 'size', 'records']
  const widths = titles.map((title, i) => Math.max(title.length, ...cells.map(({ text }) => text[i]!.length)))
  const healthWidth = Math.max(6, ...cells.map((cell) => cell.health.length))
  const line = (texts: readonly string[]): string => texts.map((text, i) => padEnd(text, widths[i]!)).join('  ')
  const lines = [paint.bold(`${line(titles)}  ${padEnd('health', healthWidth)}  project`)]
  for (const { row, text, health } of cells) {
    const padded = padEnd(health, healthWidth)
    const coloured = row.errors > 0 || row.error ? paint.red(padded) : row.warnings > 0 ? paint.yellow(padded) : padded
    lines.push(`${line(text)}  ${coloured}  ${plain(row.project)}`, `  ${paint.dim(plain(row.path))}`)
  }
  lines.push(
    '',
    all > rows.length ? `${rows.length} of ${count(all, 'session')}; --limit ${all} shows all` : count(all, 'session'),
  )
  return `${lines.join('\n')}\n`
}

function health(row: Row): string {
  if (row.error) return 'unreadable'
  const faults = row.errors > 0 ? count(row.errors, 'error') : row.warnings > 0 ? count(row.warnings, 'warning') : 'ok'
  return row.live ? `${faults}, live` : faults
}

function age(milliseconds: number): string {
  const minutes = Math.max(0, Math.round(milliseconds / 60_000))
  if (minutes < 60) return `${minutes} min`
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h`
  return `${Math.round(minutes / 60 / 24)} d`
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`
  return `${(bytes / 1e6).toFixed(1)} MB`
}
