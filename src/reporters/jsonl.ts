import { fileHead, findingJson, fixJson, summaryJson } from './json.ts'
import { plainJson } from './plain.ts'
import type { Reporter } from './reporter.ts'

/**
 * One JSON value a line, each with a `type`: `file`, its `finding`s and `fixed`, and at the end the `summary`. Reports of several runs
 * can be put behind each other.
 */
export const jsonl: Reporter = (report, { excerpts }) => {
  const lines: string[] = []
  const line = (type: string, value: object): void => {
    lines.push(`${plainJson(JSON.stringify({ type, ...value }))}\n`)
  }
  for (const file of report.files) {
    const { path } = file
    line('file', fileHead(file))
    for (const finding of file.findings) line('finding', { path, ...findingJson(finding) })
    for (const fix of file.fixed) line('fixed', { path, ...fixJson(fix, excerpts) })
  }
  const { version, tool, mode, summary } = report
  line('summary', { version, tool: { name: tool.name, version: tool.version }, mode, ...summaryJson(summary) })
  return lines.join('')
}
