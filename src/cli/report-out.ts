import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { RunReport } from '../model/report.ts'
import { REPORTERS } from '../reporters/index.ts'
import type { ReporterOptions } from '../reporters/reporter.ts'
import { UNPAINTED } from '../reporters/reporter.ts'
import { type ColorChoice, loadPaint, resolveColor, resolveUnicode } from './color.ts'
import { UsageError } from './errors.ts'
import type { Io, OutStream } from './io.ts'
import { write } from './io.ts'
import type { Output } from './settings.ts'

/** Columns where nobody says how many there are. */
const WIDTH = 120

/** Findings of one rule in one file that people are shown. */
const PER_RULE = 10

/** What a reporter is told besides where it writes. */
export type Showing = Pick<ReporterOptions, 'quiet' | 'showFiles' | 'fixCommand' | 'unsafeFixes'>

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
    } else {
      const options = { ...showing, ...FIXED, paint: UNPAINTED, width: WIDTH, unicode: true }
      await writeReport(file, resolve(io.cwd(), file), REPORTERS[reporter](report, options))
    }
  }
}

async function writeReport(name: string, path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text)
  } catch (error) {
    const { plain } = await import('../files/errors.ts')
    throw new UsageError(`the report could not be written: ${plain(error, name)}`)
  }
}

const FIXED = { excerpts: true, perRule: PER_RULE } as const

/** How a report is shown on a stream. */
export async function streamOptions(
  io: Io,
  stream: OutStream,
  showing: Showing,
  color: ColorChoice,
): Promise<ReporterOptions> {
  return {
    ...showing,
    ...FIXED,
    paint: await loadPaint(resolveColor(color, io.env, stream.isTTY)),
    width: streamWidth(stream),
    unicode: resolveUnicode(io.env, io.platform, stream.isTTY),
  }
}

/** Columns of a stream. */
export function streamWidth(stream: OutStream): number {
  return stream.columns && stream.columns > 0 ? stream.columns : WIDTH
}
