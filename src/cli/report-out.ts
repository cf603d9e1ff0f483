import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { helpUri } from '../model/help.ts'
import type { RunReport } from '../model/report.ts'
import { REPORTERS } from '../reporters/index.ts'
import type { ReporterOptions, RuleFacts } from '../reporters/reporter.ts'
import { terminalLink, UNLINKED, UNPAINTED } from '../reporters/reporter.ts'
import type { Rule } from '../rules/rule.ts'
import { type ColorChoice, loadPaint, resolveColor, resolveLinks, resolveUnicode } from './color.ts'
import { UsageError } from './errors.ts'
import type { Io, OutStream } from './io.ts'
import { write } from './io.ts'
import type { Output } from './settings.ts'

/** Columns where nobody says how many there are. */
const WIDTH = 120

/** Findings of one rule in one file that people are shown. */
export const PER_RULE = 10

/** What a reporter is told besides where it writes. */
export type Showing = Pick<
  ReporterOptions,
  'quiet' | 'showFiles' | 'fixCommand' | 'unsafeFixes' | 'rules' | 'excerpts' | 'perRule'
>

/** Writes a run's reports: to the stream, and to the files that were asked for. */
export async function writeReports(
  io: Io,
  stream: OutStream,
  outputs: readonly Output[],
  report: RunReport,
  showing: Showing,
  color: ColorChoice,
): Promise<void> {
  for (const { reporter, file } of outputs) {
    if (file === undefined) {
      const options = await streamOptions(io, stream, showing, color)
      await write(stream, REPORTERS[reporter](report, options))
      // Beside the report for people, where the runner reads annotations from the log.
      if (reporter === 'pretty' && io.env.GITHUB_ACTIONS === 'true')
        await write(stream, REPORTERS.github(report, options))
    } else {
      const options = { ...showing, paint: UNPAINTED, link: UNLINKED, width: WIDTH, unicode: true }
      await writeReport(file, resolve(io.cwd(), file), REPORTERS[reporter](report, options))
    }
  }
}

/** How often each rule found something: behind a report for people, else beside it. */
export async function writeStatistics(
  io: Io,
  stream: OutStream,
  outputs: readonly Output[],
  report: RunReport,
  showing: Showing,
  color: ColorChoice,
): Promise<void> {
  const isTaken = outputs.some(({ reporter, file }) => file === undefined && !FOR_PEOPLE.has(reporter))
  const beside = isTaken ? io.stderr : stream
  const { statistics } = await import('../reporters/statistics.ts')
  await write(beside, statistics(report, await streamOptions(io, beside, showing, color)))
}

const FOR_PEOPLE: ReadonlySet<string> = new Set(['pretty', 'concise'])

async function writeReport(name: string, path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text)
  } catch (error) {
    const { plain } = await import('../files/errors.ts')
    throw new UsageError(`the report could not be written: ${plain(error, name)}`)
  }
}

/** How a report is shown on a stream. */
export async function streamOptions(
  io: Io,
  stream: OutStream,
  showing: Showing,
  color: ColorChoice,
): Promise<ReporterOptions> {
  return { ...showing, ...(await terminalOptions(io, stream, color)) }
}

/** What a stream shows. */
export type TerminalOptions = Pick<ReporterOptions, 'paint' | 'link' | 'width' | 'unicode'>

/** What of a stream's abilities a text for it may use. */
export async function terminalOptions(io: Io, stream: OutStream, color: ColorChoice): Promise<TerminalOptions> {
  const isColoured = resolveColor(color, io.env, stream.isTTY)
  return {
    paint: await loadPaint(isColoured),
    link: isColoured && resolveLinks(io.env, stream.isTTY) ? terminalLink : UNLINKED,
    width: streamWidth(stream),
    unicode: resolveUnicode(io.env, io.platform, stream.isTTY),
  }
}

/** What reports tell of a rule. */
export function ruleFacts({ name, family, severity, summary, docs }: Rule): RuleFacts {
  return { name, family, severity, summary, finds: docs.finds, repair: docs.repair, helpUri: helpUri(name) }
}

/** Columns of a stream. */
export function streamWidth(stream: OutStream): number {
  return stream.columns && stream.columns > 0 ? stream.columns : WIDTH
}
