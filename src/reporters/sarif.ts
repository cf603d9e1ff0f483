import type { FileReport, ReportedFinding, RunReport } from '../model/report.ts'
import { fingerprints } from './fingerprint.ts'
import { plainJson } from './plain.ts'
import type { Reporter, RuleFacts } from './reporter.ts'

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const
const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'

/** SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/), as code scanning reads it. */
export const sarif: Reporter = (report, { rules }) => {
  const found = new Set(report.files.flatMap(({ findings }) => findings.map(({ rule }) => rule)))
  const told = rules.filter(({ name }) => found.has(name))
  const index = new Map(told.map(({ name }, i) => [name, i]))
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: report.tool.name,
            version: report.tool.version,
            informationUri: 'https://github.com/convfix/convfix',
            rules: told.map(descriptor),
          },
        },
        columnKind: 'utf16CodeUnits',
        invocations: [invocation(report)],
        results: report.files.flatMap((file) => results(file, index)),
      },
    ],
  }
  return `${plainJson(JSON.stringify(log, null, 2))}\n`
}

function descriptor({ name, summary, finds, repair, helpUri, severity, family }: RuleFacts) {
  return {
    id: name,
    shortDescription: { text: summary },
    fullDescription: { text: finds },
    help: { text: `${finds}\n\nRepair: ${repair}` },
    helpUri,
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { tags: [family] },
  }
}

function invocation({ files, summary }: RunReport) {
  return {
    executionSuccessful: summary.exitCode !== 2,
    exitCode: summary.exitCode,
    toolExecutionNotifications: files.flatMap(({ path, error }) =>
      error === null
        ? []
        : [{ level: 'error', message: { text: error }, locations: [{ physicalLocation: artifact(path) }] }],
    ),
  }
}

function results(file: FileReport, index: ReadonlyMap<string, number>) {
  const names = fingerprints(file)
  return file.findings.map((finding, i) => ({
    ruleId: finding.rule,
    ...(index.has(finding.rule) ? { ruleIndex: index.get(finding.rule) } : {}),
    level: LEVELS[finding.severity],
    message: { text: finding.message },
    locations: [{ physicalLocation: { ...artifact(file.path), region: region(finding) } }],
    relatedLocations: finding.related.map(({ line, column, message }) => ({
      physicalLocation: { ...artifact(file.path), region: { startLine: line, startColumn: column } },
      message: { text: message },
    })),
    partialFingerprints: { 'convfix/v1': names[i] },
    ...(finding.suppressed ? { suppressions: [{ kind: 'external', justification: 'known from a baseline' }] } : {}),
    properties: { pointer: finding.pointer, conversation: finding.conversation, api: finding.api?.path ?? null },
  }))
}

function region({ line, column, endLine, endColumn }: ReportedFinding) {
  return { startLine: line, startColumn: column, endLine, endColumn }
}

/** A path as a URI: relative ones to whoever reads the log. */
function artifact(path: string) {
  const uri = path.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/')
  return { artifactLocation: { uri: path.startsWith('/') ? `file://${uri}` : uri } }
}
