import { describe, expect, test } from 'vitest'
import { compileGlob, compileGlobs, GlobError } from '../../src/config/glob.ts'

describe('a pattern', () => {
  test.each([
    ['*.json', 'a.json', true],
    ['*.json', 'deep/er/a.json', true],
    ['*.json', 'a.jsonl', false],
    ['./*.json', 'a.json', true],
    ['./*.json', 'deep/a.json', false],
    ['/a.json', 'a.json', true],
    ['/a.json', 'b/a.json', false],
    ['old/', 'old/x/y.json', true],
    ['old/', 'older/y.json', false],
    ['**/*.jsonl', 'a.jsonl', true],
    ['a/**/b.json', 'a/b.json', true],
    ['a/**/b.json', 'a/x/y/b.json', true],
    ['a/**/b.json', 'a/x/y/c.json', false],
    ['a/*/b.json', 'a/x/y/b.json', false],
    ['a/**', 'a/x', true],
    ['{a,b/{c,d}}/*.json', 'b/d/x.json', true],
    ['{a,b/{c,d}}/*.json', 'b/x.json', false],
    ['s?.json', 's1.json', true],
    ['s?.json', 's.json', false],
    ['s[0-9].json', 's7.json', true],
    ['s[!0-9].json', 's7.json', false],
    ['s[!0-9].json', 'sx.json', true],
    ['\\*.json', '*.json', true],
    ['\\*.json', 'a.json', false],
    ['.convfix*', 'x/.convfixrc.json', true],
    ['(a|b)+.json', '(a|b)+.json', true],
    ['(a|b)+.json', 'aab.json', false],
  ])('%s on %s: %s', (pattern, path, fits) => {
    expect(compileGlob(pattern)(path)).toBe(fits)
  })

  test('! takes out again', () => {
    const glob = compileGlobs(['a/**', '!a/b/**'])
    expect(['a/x', 'a/b/x', 'c'].map(glob)).toEqual([true, false, false])
  })

  test.each([
    ['', /empty/],
    ['a'.repeat(1025), /1024/],
    ['{a,b}'.repeat(20), /256/],
    ['{a,'.repeat(30) + '}'.repeat(30), /deep/],
    ['{a', /brace/],
    ['[a', /bracket/],
  ])('%j is refused', (pattern, words) => {
    expect(() => compileGlob(pattern)).toThrow(GlobError)
    expect(() => compileGlob(pattern)).toThrow(words)
  })

  test.each([
    ['*a'.repeat(500), 'a'.repeat(4000)],
    [`${'**/a/'.repeat(200)}b`, 'a/'.repeat(2000)],
    [`${'?*'.repeat(500)}x`, 'y'.repeat(4000)],
    ['{*a,*b}'.repeat(8), 'ab'.repeat(2000)],
    [`${'**/*a*/'.repeat(100)}x`, 'aaaaaaaaaa/'.repeat(400)],
    [`${'[a-a]*'.repeat(150)}x`, 'a'.repeat(4000)],
    ['(a+)+$', `${'a'.repeat(4000)}!`],
  ])('made to hang does not: %#', (pattern, path) => {
    const started = performance.now()
    const fits = compileGlob(pattern)(path.slice(0, 4000).concat('!'))
    // Going back for each star would take longer than the sun shines; this takes a few milliseconds.
    expect(performance.now() - started).toBeLessThan(2000)
    expect(fits).toBe(false)
  })
})
