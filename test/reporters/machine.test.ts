import { expect, test } from 'vitest'
import { concise } from '../../src/reporters/concise.ts'
import { json } from '../../src/reporters/json.ts'
import { bare, fileReport, finding, fixOf, runReport, shown } from './sample.ts'

const removed = [{ kind: 'result' as const, bytes: 12, sha256: 'ab', excerpt: 'total 48' }]
const report = runReport([
  fileReport({ findings: [finding(), bare({ line: 120, severity: 'warning' }), bare({ suppressed: true })] }),
  fileReport({ path: 'fixed.jsonl', fixed: [fixOf({ removed })], changed: true, backup: 'fixed.jsonl.convfix.bak' }),
])

test('concise: one line a finding, and no more', () => {
  expect(concise(report, shown())).toMatchInlineSnapshot(`
    "3f2a91c0.jsonl:118:1: error: Bash call toolu_01Ab has no result [orphan-tool-call]
    3f2a91c0.jsonl:120:1: warning: Bash call toolu_01Ab has no result [orphan-tool-call]
    fixed.jsonl:118: fixed: add an error result behind line 117 [orphan-tool-call]
    "
  `)
})

test('concise: nothing where nothing is wrong', () => {
  expect(concise(runReport([fileReport()]), shown())).toBe('')
})

test('json: the documented shape and order', () => {
  expect(json(report, shown())).toMatchSnapshot()
})

test('json: nothing of what only people are shown', () => {
  expect(json(report, shown())).not.toMatch(/"(frame|formatTitle|resume|diff|unsettled|output)"/)
})

test('machines get every finding', () => {
  const many = runReport([fileReport({ findings: Array.from({ length: 500 }, () => bare()) })])
  expect(concise(many, shown()).trimEnd().split('\n')).toHaveLength(500)
  expect(JSON.parse(json(many, shown())).files[0].findings).toHaveLength(500)
})

test('concise: why a file was left alone', () => {
  const live = 'the file changed 1 second ago, so an agent may be writing to it'
  const files = [
    fileReport({ path: 'a.jsonl', skipped: 'it is in use: nothing was written', live }),
    fileReport({ path: 'b.jsonl', skipped: 'no conversation: a history of prompts' }),
  ]
  expect(concise(runReport(files, 'fix'), shown())).toBe(
    `a.jsonl: not written: ${live}\nb.jsonl: skipped: no conversation: a history of prompts\n`,
  )
})
