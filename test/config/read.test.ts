import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/read.ts'

const words = {
  rules: ['orphan-tool-call', 'blank-text'],
  families: ['pairing', 'content'],
  targets: ['anthropic', 'openai-chat'],
  formats: ['claude-code'],
}

const problems = (text: string): string[] => {
  const read = readConfig(text, words)
  return 'problems' in read ? read.problems.map(({ line, column, message }) => `${line}:${column} ${message}`) : []
}

test('comments and trailing commas', () => {
  expect(readConfig('{ // why\n "target": "anthropic", /* and */ "ignores": ["a/**",], }', words)).toEqual({
    config: { target: 'anthropic', ignores: ['a/**'] },
  })
})

test.each([
  ['', {}],
  ['// nothing', {}],
  ['{}', {}],
])('%j says nothing', (text, config) => {
  expect(readConfig(text, words)).toEqual({ config })
})

test('the key of a package.json', () => {
  const text = '{"name":"x","odd":1,"convfix":{"preset":"resume"}}'
  expect(readConfig(text, words, 'convfix')).toEqual({ config: { preset: 'resume' } })
  expect(readConfig('{"convfix":{"odd":1}}', words, 'convfix')).toMatchObject({
    problems: [{ line: 1, column: 13, typed: 'odd' }],
  })
})

describe('faults have a place', () => {
  test.each([
    ['{\n  "targt": 1\n}', ['2:3 unknown key "targt"']],
    ['{ "target": "antropic" }', ['1:13 unknown target "antropic"']],
    ['{ "format": "claude" }', ['1:13 unknown transcript format "claude"']],
    ['{ "preset": "all" }', ['1:13 unknown preset "all"']],
    ['{ "rules": { "orphan": "off" } }', ['1:14 unknown rule or family "orphan"']],
    ['{ "rules": { "pairing": "of" } }', ['1:25 unknown setting "of"']],
    ['{ "severity": { "pairing": "eror" } }', ['1:28 unknown severity "eror"']],
    ['{ "severity": { "pairing": 2 } }', ['1:28 "error" or "warning" or "info" is expected here, not a number']],
    ['{ "limits": { "maxMedia": -1 } }', ['1:27 a whole number is expected here, not a number']],
    ['{ "limits": { "maxMedia": 1.5 } }', ['1:27 a whole number is expected here, not a number']],
    ['{ "limits": null }', ['1:13 an object is expected here, not null']],
    ['{ "overrides": [{ "target": "anthropic" }] }', ['1:17 "files" is missing']],
    ['{ "overrides": [{ "files": [] }] }', ['1:28 the list is empty']],
    ['{ "overrides": [{ "files": ["{a"] }] }', ['1:29 a brace is not closed']],
    ['{ "overrides": [{ "files": ["a"], "preset": "strict" }] }', ['1:35 unknown key "preset"']],
    ['{ "ignores": "a" }', ['1:14 a list is expected here, not a string']],
    ['{ "model": "a", "model": "b" }', ['1:17 "model" is there twice']],
    ['{ "__proto__": 1, "constructor": 2 }', ['1:3 unknown key "__proto__"', '1:19 unknown key "constructor"']],
    ['[]', ['1:1 an object is expected here, not an array']],
    ['{ "model": ', ['1:12 no JSON: value expected']],
    ['module.exports = {}', ['1:1 no JSON: invalid symbol']],
  ])('%j', (text, expected) => {
    expect(problems(text)).toEqual(expected)
  })

  test('and no text makes it throw', () => {
    expect(problems('['.repeat(500_000))).toHaveLength(1)
    expect(problems(`{"model":"${'x'.repeat(1 << 20)}"}`)).toEqual(['1:1 it is larger than 1 MiB'])
  })
})
