import { expect, test } from 'vitest'
import { github } from '../../src/reporters/github.ts'
import { junit } from '../../src/reporters/junit.ts'
import { statistics } from '../../src/reporters/statistics.ts'
import { convfix, fakeEngine } from '../cli/fake.ts'
import { bare, fileReport, finding, runReport, shown } from './sample.ts'

test('github: errors first, signs that it reads as its own escaped', () => {
  const warning = bare({ severity: 'warning', message: '50% of it\r\n::error::not mine', line: 3, endLine: 4 })
  const text = github(runReport([fileReport({ path: 'a,b:c.jsonl', findings: [warning, finding()] })]), shown())
  const lines = text.trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(
    /^::error file=a%2Cb%3Ac\.jsonl,line=118,endLine=118,col=1,endColumn=412,title=orphan-tool-call::/,
  )
  expect(lines[1]).toMatch(/^::warning file=[^:]*,line=3,endLine=4,col=1,title=orphan-tool-call::50%25 of it/)
  expect(lines[1]).not.toContain('endColumn')
})

test('github: what it would drop without a word is counted', () => {
  const findings = Array.from({ length: 14 }, (_, line) => bare({ line: line + 1, endLine: line + 1 }))
  const lines = github(runReport([fileReport({ findings })]), shown())
    .trimEnd()
    .split('\n')
  expect(lines).toHaveLength(11)
  expect(lines[10]).toContain('4 more errors')
})

test('junit: what a transcript says cannot leave its attribute', () => {
  const findings = [bare({ message: '"><script>alert(1)</script>&' })]
  const text = junit(runReport([fileReport({ findings })]), shown())
  expect(text).not.toContain('<script>')
  expect(text).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;')
})

test('statistics: the most frequent first', () => {
  const findings = [bare({ rule: 'empty-text' }), finding(), finding(), bare({ suppressed: true })]
  expect(statistics(runReport([fileReport({ findings })]), shown())).toBe('2  orphan-tool-call  [*]\n1  empty-text\n')
})

test('GitHub Actions gets annotations beside the report for people, and only there', async () => {
  const engine = fakeEngine({ 'a.jsonl': { path: 'a.jsonl', findings: [finding()] } })
  const said = async (argv: readonly string[], env: Readonly<Record<string, string>>): Promise<boolean> =>
    /^::error /m.test((await convfix(['check', 'a.jsonl', ...argv], engine, { env })).stdout)
  expect(await said([], { GITHUB_ACTIONS: 'true' })).toBe(true)
  expect(await said([], {})).toBe(false)
  expect(await said(['-r', 'concise'], { GITHUB_ACTIONS: 'true' })).toBe(false)
})
