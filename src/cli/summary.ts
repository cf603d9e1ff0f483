import type { FileReport, ReportedFinding, Summary } from '../model/report.ts'

/** Whether `--fix` repairs a finding: errors and warnings, and what is merely noted only where its rule is asked for by name. */
export function isFixable(finding: ReportedFinding, select: readonly string[], unsafe: boolean): boolean {
  if (finding.fix === null || finding.suppressed) return false
  if (finding.fix.safety === 'unsafe' && !unsafe) return false
  return finding.severity !== 'info' || select.includes(finding.rule)
}

/** Whether a file was looked at: one that was only passed by in a folder has no format. */
export function isChecked(report: FileReport): boolean {
  return report.skipped === null || report.format !== null
}

/** Adds the files up. */
export function summarize(
  files: readonly FileReport[],
  more: { readonly select: readonly string[]; readonly exitCode: number; readonly durationMs: number },
): Summary {
  let records = 0
  let suppressed = 0
  let fixable = 0
  let fixableUnsafe = 0
  let fixed = 0
  const severities = { error: 0, warning: 0, info: 0 }
  for (const file of files.filter(isChecked)) {
    records += file.records
    fixed += file.fixed.length
    for (const finding of file.findings) {
      if (finding.suppressed) suppressed++
      else severities[finding.severity]++
      if (isFixable(finding, more.select, false)) fixable++
      else if (isFixable(finding, more.select, true)) fixableUnsafe++
    }
  }
  return {
    files: files.filter(isChecked).length,
    records,
    errors: severities.error,
    warnings: severities.warning,
    infos: severities.info,
    suppressed,
    fixable,
    fixableUnsafe,
    fixed,
    unreadable: files.filter((file) => file.error !== null).length,
    exitCode: more.exitCode,
    durationMs: more.durationMs,
  }
}
