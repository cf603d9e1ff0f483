import type { FileReport, ReportedFinding, ReportedFix, RunReport } from '../model/report.ts'
import { plainJson } from './plain.ts'
import type { Reporter } from './reporter.ts'

/** The documented JSON report. Every key is named here, so that neither their order nor their set depends on the engine. */
export const json: Reporter = (report, { excerpts }) => {
  const { version, tool, mode, files, summary } = report
  const value = {
    version,
    tool: { name: tool.name, version: tool.version },
    mode,
    files: files.map((each) => file(each, excerpts)),
    summary: summaryJson(summary),
  }
  return `${plainJson(JSON.stringify(value, null, 2))}\n`
}

function file(report: FileReport, excerpts: boolean) {
  const { path, format, target, model, records, live, ...rest } = fileHead(report)
  return {
    path,
    format,
    target,
    model,
    records,
    live,
    findings: report.findings.map(findingJson),
    fixed: report.fixed.map((done) => fixJson(done, excerpts)),
    ...rest,
  }
}

/** What is told of a file beside what was found in it. */
export function fileHead(report: FileReport) {
  const { path, format, target, model, records, live, changed, backup, skipped, error } = report
  return { path, format, target, model, records, live, changed, backup, skipped, error }
}

export function findingJson(found: ReportedFinding) {
  return {
    rule: found.rule,
    family: found.family,
    severity: found.severity,
    message: found.message,
    line: found.line,
    column: found.column,
    endLine: found.endLine,
    endColumn: found.endColumn,
    offset: found.offset,
    record: found.record,
    pointer: found.pointer,
    conversation: found.conversation,
    api: found.api && { path: found.api.path, exact: found.api.exact },
    ids: found.ids,
    related: found.related.map(({ line, column, pointer, message }) => ({ line, column, pointer, message })),
    providerError: found.providerError,
    heals: found.heals,
    fix: found.fix && { safety: found.fix.safety, title: found.fix.title, loses: found.fix.loses },
    suppressed: found.suppressed,
    helpUri: found.helpUri,
  }
}

/** A repair; without excerpts what it took out is told by its size and hash alone. */
export function fixJson(done: ReportedFix, excerpts: boolean) {
  return {
    rule: done.rule,
    family: done.family,
    line: done.line,
    record: done.record,
    pointer: done.pointer,
    safety: done.safety,
    title: done.title,
    removed: done.removed.map(({ kind, bytes, sha256, excerpt }) => ({
      kind,
      bytes,
      sha256,
      excerpt: excerpts ? excerpt : '',
    })),
  }
}

export function summaryJson(summary: RunReport['summary']) {
  return {
    files: summary.files,
    records: summary.records,
    errors: summary.errors,
    warnings: summary.warnings,
    infos: summary.infos,
    suppressed: summary.suppressed,
    fixable: summary.fixable,
    fixableUnsafe: summary.fixableUnsafe,
    fixed: summary.fixed,
    unreadable: summary.unreadable,
    exitCode: summary.exitCode,
    durationMs: summary.durationMs,
  }
}
