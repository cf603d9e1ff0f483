import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { concise } from '../../src/reporters/concise.ts'
import { json } from '../../src/reporters/json.ts'
import { plain, plainJson } from '../../src/reporters/plain.ts'
import { pretty } from '../../src/reporters/pretty.ts'
import { fileReport, finding, fixOf, runReport, shown } from './sample.ts'

/** C0 but for the line feed, DEL, C1, and the marks that turn the direction of writing. */
const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

describe('plain', () => {
  test.each([
    ['a line\nand\r\n\tanother', 'a line and another'],
    ['\u001b]0;title\u0007\u001b[2Jgone', '\\u001b]0;title\\u0007\\u001b[2Jgone'],
    ['c1 \u009b31m', 'c1 \\u009b31m'],
    ['abc\u202edcba', 'abc\\u202edcba'],
    ['half \ud83d and whole 😀', 'half \\ud83d and whole 😀'],
    ['ünïcödé 漢字', 'ünïcödé 漢字'],
  ])('%j', (text, expected) => {
    expect(plain(text)).toBe(expected)
  })

  test('JSON keeps its meaning', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const safe = plainJson(JSON.stringify(text))
        expect(safe).not.toMatch(STEERING)
        expect(JSON.parse(safe)).toBe(text)
      }),
    )
  })
})

test('no reporter lets a transcript steer the terminal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (evil) => {
      const found = finding({
        message: evil,
        ids: [evil],
        api: { path: evil, exact: false },
        providerError: evil,
        heals: evil,
        fix: { safety: 'safe', title: evil, loses: [] },
        related: [{ line: 3, column: 1, pointer: evil, message: evil }],
        frame: [{ line: 1, role: evil, blocks: [evil, evil], mark: 'fault', note: evil }],
      })
      const removed = [{ kind: 'text' as const, bytes: 3, sha256: '', excerpt: evil }]
      const fixed = [fixOf({ title: evil, removed })]
      const file = fileReport({
        path: evil,
        format: evil,
        target: evil,
        model: evil,
        live: evil,
        skipped: evil,
        backup: evil,
        output: evil,
        resume: evil,
        findings: [found],
        fixed,
      })
      const report = runReport([file, { ...file, live: null, changed: true }], 'fix')
      for (const reporter of [pretty, concise, json]) expect(reporter(report, shown())).not.toMatch(STEERING)
    }),
  )
})
