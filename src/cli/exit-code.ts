import type { FileReport } from '../model/report.ts'

export interface ExitOptions {
  /** More warnings than this count as an error; undefined: any number is fine. */
  readonly maxWarnings: number | undefined
  readonly exitZero: boolean
  /** A repair that was made counts as a problem: for hooks that want the file to be looked at. */
  readonly exitNonZeroOnFix: boolean
  /** What could not be repaired is nobody's business now. */
  readonly fixOnly: boolean
  /** Nothing is written, so what would be repaired is still wrong. */
  readonly dryRun: boolean
  /** The baseline knows what is found no longer, and that was not to be. */
  readonly staleBaseline: boolean
  /** Arguments that nothing was found for. */
  readonly unmatched: number
}

/** 0: nothing is left at error level. 1: something is, or would change. 2: the job could not be done; it wins over 1. */
export function exitCode(reports: readonly FileReport[], options: ExitOptions): 0 | 1 | 2 {
  if (options.unmatched > 0 || reports.some((report) => report.error !== null)) return 2
  if (options.exitZero) return 0
  if (options.staleBaseline) return 1
  const isFixed = reports.some((report) => report.fixed.length > 0)
  if (options.exitNonZeroOnFix && isFixed) return 1
  if (options.fixOnly && !options.dryRun) return 0
  if (reports.some((report) => count(report, 'error') > 0)) return 1
  if (options.dryRun && reports.some((report) => report.fixed.length > 0 || Boolean(report.diff))) return 1
  return tooManyWarnings(reports, options.maxWarnings) === undefined ? 0 : 1
}

/** How many warnings there are, when they are more than allowed. */
export function tooManyWarnings(reports: readonly FileReport[], most: number | undefined): number | undefined {
  if (most === undefined) return undefined
  const warnings = reports.reduce((sum, report) => sum + count(report, 'warning'), 0)
  return warnings > most ? warnings : undefined
}

function count(report: FileReport, severity: 'error' | 'warning'): number {
  return report.findings.filter((finding) => finding.severity === severity && !finding.suppressed).length
}
