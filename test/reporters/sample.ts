import { summarize } from '../../src/cli/summary.ts'
import type { FileReport, ReportedFinding, ReportedFix, RunReport } from '../../src/model/report.ts'
import { type Paint, type ReporterOptions, UNLINKED, UNPAINTED } from '../../src/reporters/reporter.ts'

/** A call without a result, as the engine reports it. */
export function finding(changes: Partial<ReportedFinding> = {}): ReportedFinding {
  return {
    rule: 'orphan-tool-call',
    family: 'pairing',
    severity: 'error',
    message: 'Bash call toolu_01Ab has no result',
    line: 118,
    column: 1,
    endLine: 118,
    endColumn: 412,
    offset: 90211,
    record: 118,
    pointer: '/message/content/1',
    conversation: 'main',
    api: { path: 'messages[57]', exact: true },
    ids: ['toolu_01Ab'],
    related: [{ line: 117, column: 96, pointer: '/message/content/1', message: 'the call' }],
    providerError: '400 `tool_use` ids were found without `tool_result` blocks immediately after',
    heals: 'Claude Code 2.1.332 would drop the call',
    fix: { safety: 'safe', title: 'add an error result behind line 117', loses: [] },
    suppressed: false,
    helpUri: 'https://example.test/rules/orphan-tool-call',
    frame: [
      { line: 116, role: 'user', blocks: ['"run the tests"'], mark: undefined },
      { line: 117, role: 'assistant', blocks: ['"Running them."', 'call Bash toolu_01Ab'], mark: 'related' },
      {
        line: 118,
        role: 'user',
        blocks: ['"are you there?"'],
        mark: 'fault',
        note: 'a result for toolu_01Ab must stand before this',
      },
    ],
    ...changes,
  }
}

/** A finding that says only what it must. */
export function bare(changes: Partial<ReportedFinding> = {}): ReportedFinding {
  return finding({
    related: [],
    frame: [],
    api: null,
    providerError: null,
    heals: null,
    fix: null,
    ids: [],
    ...changes,
  })
}

export function fixOf(changes: Partial<ReportedFix> = {}): ReportedFix {
  return {
    rule: 'orphan-tool-call',
    family: 'pairing',
    line: 118,
    record: 118,
    pointer: '/message/content/1',
    safety: 'safe',
    title: 'add an error result behind line 117',
    removed: [],
    ...changes,
  }
}

/** The report of one Claude Code session. */
export function fileReport(changes: Partial<FileReport> = {}): FileReport {
  return {
    path: '3f2a91c0.jsonl',
    format: 'claude-code',
    formatTitle: 'Claude Code session',
    target: 'anthropic',
    model: 'claude-sonnet-5',
    records: 212,
    live: null,
    findings: [],
    fixed: [],
    unsettled: [],
    changed: false,
    backup: null,
    output: null,
    skipped: null,
    error: null,
    resume: 'claude --resume 3f2a91c0',
    ...changes,
  }
}

export function runReport(files: readonly FileReport[], mode: RunReport['mode'] = 'check'): RunReport {
  const summary = summarize(files, { select: [], exitCode: 1, durationMs: 812 })
  return { version: 1, tool: { name: 'convfix', version: '0.0.0' }, mode, files, summary }
}

/** Options of a reporter, without colours and 110 columns wide. */
export function shown(changes: Partial<ReporterOptions> = {}): ReporterOptions {
  return {
    paint: UNPAINTED,
    link: UNLINKED,
    width: 110,
    unicode: true,
    quiet: false,
    showFiles: false,
    excerpts: true,
    perRule: 10,
    fixCommand: 'convfix check --fix 3f2a91c0.jsonl',
    unsafeFixes: false,
    rules: [],
    ...changes,
  }
}

const tag =
  (name: string) =>
  (text: string): string =>
    `<${name}>${text}</${name}>`

/** Colours that can be read. */
export const TAGS: Paint = {
  bold: tag('b'),
  dim: tag('dim'),
  underline: tag('u'),
  red: tag('red'),
  yellow: tag('yellow'),
  green: tag('green'),
  cyan: tag('cyan'),
}
