import type { FileReport, ReportedFinding } from '../model/report.ts'
import { plain } from './plain.ts'
import type { Reporter } from './reporter.ts'

/** GitHub shows so many annotations of one level and step, and drops the others without a word. */
const SHOWN = 10

const LEVELS = { error: 'error', warning: 'warning', info: 'notice' } as const

/**
 * Annotations of GitHub Actions, errors first
 * (https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions).
 */
export const github: Reporter = ({ files }) => {
  const lines: string[] = []
  for (const severity of ['error', 'warning', 'info'] as const) {
    const level = LEVELS[severity]
    const found = files.flatMap((file) =>
      file.findings
        .filter((finding) => finding.severity === severity && !finding.suppressed)
        .map((finding) => ({ file, finding })),
    )
    for (const { file, finding } of found.slice(0, SHOWN)) lines.push(annotation(level, file, finding))
    if (found.length > SHOWN)
      lines.push(
        `::notice title=convfix::${value(`${found.length - SHOWN} more ${level}s are in the log: GitHub shows ${SHOWN} of a level`)}`,
      )
  }
  for (const { path, error } of files)
    if (error !== null) lines.push(`::error file=${property(path)},title=convfix::${value(error)}`)
  return lines.map((line) => `${line}\n`).join('')
}

function annotation(level: string, { path }: FileReport, finding: ReportedFinding): string {
  const { line, column, endLine, endColumn, rule, message, fix, helpUri } = finding
  // A column without an end, or one on another line, is not shown at its place.
  const end = endLine === line ? `,endColumn=${endColumn}` : ''
  const place = `file=${property(path)},line=${line},endLine=${endLine},col=${column}${end}`
  const repair = fix ? `\n${fix.safety === 'safe' ? 'fix' : 'fix with --unsafe-fixes'}: ${fix.title}` : ''
  return `::${level} ${place},title=${property(rule)}::${value(`${message}${repair}\n${helpUri}`)}`
}

/** Percent and line ends are written as GitHub reads them back. */
function value(text: string): string {
  return text.split('\n').map(plain).join('\n').replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return value(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
