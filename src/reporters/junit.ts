import type { FileReport, ReportedFinding } from '../model/report.ts'
import { plain } from './plain.ts'
import type { Reporter } from './reporter.ts'

/** JUnit's XML, a suite a file and a failing case a finding; a file without a finding is one case that passed. */
export const junit: Reporter = ({ files, summary }) => {
  const suites = files.map(suite)
  const failures = suites.reduce((sum, each) => sum + each.failures, 0)
  const tests = suites.reduce((sum, each) => sum + each.tests, 0)
  const head = `<testsuites name="convfix" tests="${tests}" failures="${failures}" time="${(summary.durationMs / 1000).toFixed(3)}">`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    head,
    ...suites.flatMap(({ lines }) => lines),
    '</testsuites>',
    '',
  ].join('\n')
}

function suite(file: FileReport) {
  const found = file.findings.filter(({ severity, suppressed }) => severity !== 'info' && !suppressed)
  const name = xml(file.path)
  const cases =
    file.error !== null
      ? [`    <testcase name="${name}" classname="${name}"><error message="${xml(file.error)}"/></testcase>`]
      : file.skipped !== null && found.length === 0
        ? [`    <testcase name="${name}" classname="${name}"><skipped message="${xml(file.skipped)}"/></testcase>`]
        : found.length === 0
          ? [`    <testcase name="${name}" classname="${name}"/>`]
          : found.flatMap((finding) => failed(finding, name))
  const errors = file.error === null ? 0 : 1
  const tests = Math.max(1, found.length)
  const head = `  <testsuite name="${name}" tests="${tests}" failures="${found.length}" errors="${errors}">`
  return { lines: [head, ...cases, '  </testsuite>'], tests, failures: found.length }
}

function failed({ rule, line, column, severity, message, helpUri, fix }: ReportedFinding, name: string): string[] {
  const repair = fix ? `\nfix: ${fix.title}` : ''
  return [
    `    <testcase name="${xml(`${rule} at ${line}:${column}`)}" classname="${name}">`,
    `      <failure type="${severity}" message="${xml(message)}">${xml(`line ${line}, column ${column}: ${message}${repair}\n${helpUri}`)}</failure>`,
    '    </testcase>',
  ]
}

const NAMES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

function xml(text: string): string {
  return text
    .split('\n')
    .map(plain)
    .join('\n')
    .replace(/[&<>"']/g, (sign) => NAMES[sign] ?? sign)
}
