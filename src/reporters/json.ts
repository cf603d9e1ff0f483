import type { FileReport, ReportedFinding, ReportedFix, RunReport } from '../model/report.ts'
import { plainJson } from './plain.ts'
import type { Reporter } from './reporter.ts'

/** The documented JSON report. Every key is named here, so that neither their order nor their set depends on the engine. */
export const json: Reporter = (report) => {
  const { version, tool, mode, files, summary } = report
  const value = {
    version,
    tool: { name: tool.name, version: tool.version },
    mode,
    files: files.map(file),
    summary: sum(summary),
  }
  return `${plainJson(JSON.stringify(value, null, 2))}\n`
}

function file(report: FileReport) {
  return {
    path: report.path,
    format: report.format,
    target: report.target,
    model: report.model,
    records: report.records,
    live: report.live,
    findings: report.findings.map(finding),
    fixed: report.fixed.map(fix),
    changed: report.changed,
    backup: report.backup,
    skipped: report.skipped,
    error: report.error,
  }
}

function finding(found: ReportedFinding) {
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

function fix(done: ReportedFix) {
  return {
    rule: done.rule,
    family: done.family,
    line: done.line,
    record: done.record,
    pointer: done.pointer,
    safety: done.safety,
    title: done.title,
    removed: done.removed.map(({ kind, bytes, sha256, excerpt }) => ({ kind, bytes, sha256, excerpt })),
  }
}

function sum(summary: RunReport['summary']) {
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
