import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { check, fix } from '../src/index.ts'

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'examples')

/** What the broken examples show: their rules in the order of the file. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  'empty-text-beside-a-call.anthropic.json': ['empty-text', 'empty-message'],
  'killed-while-a-tool-ran.jsonl': ['orphan-tool-call'],
  'result-left-over-after-compaction.jsonl': ['orphan-tool-result'],
  'results-out-of-order.openai.json': ['misordered-tool-result'],
  'stopped-between-two-results.codeagent.jsonl': ['orphan-tool-call', 'orphan-tool-result'],
  'too-many-images.anthropic.json': ['media-overflow'],
  'torn-line-after-a-power-cut.jsonl': ['orphan-tool-call', 'torn-record', 'missing-parent'],
  'torn-line-in-the-middle.qwen-code.jsonl': ['torn-record', 'missing-parent'],
  'two-records-on-one-line.jsonl': ['glued-records'],
}

test('every example is described', () => {
  const files = readdirSync(FOLDER)
  const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8')
  expect(Object.keys(EXAMPLES).sort()).toEqual(files.filter((name) => name !== 'README.md').sort())
  for (const name of Object.keys(EXAMPLES)) expect(readme).toContain(`| \`${name}\` |`)
})

test.each(Object.entries(EXAMPLES))('%s', (name, rules) => {
  const bytes = new Uint8Array(readFileSync(join(FOLDER, name)))
  expect(check(bytes).findings.map(({ rule }) => rule)).toEqual(rules)
  expect(check(fix(bytes).output).findings).toEqual([])
})
