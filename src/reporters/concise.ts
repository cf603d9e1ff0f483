import { plain } from './plain.ts'
import type { Reporter } from './reporter.ts'

/** One line a finding, as compilers write it and editors read it: `file:line:column: severity: message [rule]`; of a file that was left alone why. */
export const concise: Reporter = (report) => {
  const lines: string[] = []
  for (const file of report.files) {
    for (const finding of file.findings) {
      if (finding.suppressed) continue
      const { line, column, severity, message, rule } = finding
      lines.push(plain(`${file.path}:${line}:${column}: ${severity}: ${message} [${rule}]`))
    }
    if (file.skipped !== null)
      lines.push(
        plain(`${file.path}: ${file.live === null ? `skipped: ${file.skipped}` : `not written: ${file.live}`}`),
      )
    const done = report.mode === 'dry-run' ? 'would fix' : 'fixed'
    for (const fix of file.fixed) lines.push(plain(`${file.path}:${fix.line}: ${done}: ${fix.title} [${fix.rule}]`))
  }
  return lines.map((line) => `${line}\n`).join('')
}
