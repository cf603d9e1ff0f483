import { fingerprints } from './fingerprint.ts'
import { plainJson } from './plain.ts'
import type { Reporter } from './reporter.ts'

const SEVERITIES = { error: 'major', warning: 'minor', info: 'info' } as const

/** A Code Quality report of GitLab (https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format). */
export const gitlab: Reporter = ({ files }) => {
  const issues = files.flatMap((file) => {
    const names = fingerprints(file)
    return file.findings.flatMap(({ suppressed, message, rule, severity, line, endLine }, i) =>
      suppressed
        ? []
        : [
            {
              description: message,
              check_name: rule,
              fingerprint: names[i],
              severity: SEVERITIES[severity],
              location: { path: file.path, lines: { begin: line, end: endLine } },
            },
          ],
    )
  })
  return `${plainJson(JSON.stringify(issues, null, 2))}\n`
}
