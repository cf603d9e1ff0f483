import { describe, expect, test } from 'vitest'
import { check } from '../../src/index.ts'
import { RULES } from '../../src/rules/index.ts'
import { limitOf, TARGETS, targetNamed } from '../../src/targets/index.ts'
import { limitsOf } from '../../src/targets/limits.ts'

const names = new Set(RULES.map(({ name }) => name))

describe.each(TARGETS)('$name', (target) => {
  test('judges rules that exist, each with a source', () => {
    for (const [rule, { source }] of Object.entries(target.verdicts)) {
      expect(names).toContain(rule)
      expect(source, rule).not.toBe('')
    }
  })

  test('refuses nothing without a page, an issue or a date', () => {
    for (const [rule, { verdict, source }] of Object.entries(target.verdicts))
      if (verdict === 'error') expect(source, rule).toMatch(/https:\/\/|#\d+|\b20\d\d\b/)
  })

  test('every limit has its source', () => {
    for (const { what, limit, source } of limitsOf(target)) {
      expect(limit).not.toBe('')
      if (what !== 'results stand') expect(source, what).not.toBe('')
    }
  })

  test('with a model each limit is told once', () => {
    const told = limitsOf(target, 'some-model').map(({ what }) => what)
    expect(new Set(told).size).toBe(told.length)
  })
})

test.each([
  ['anthropic', 'claude-opus-4-7', 600],
  ['anthropic', 'claude-haiku-4-5', 100],
  ['anthropic', undefined, 100],
  ['anthropic-vertex', 'claude-sonnet-4-6', 600],
  ['gemini', 'gemini-3-pro', 3600],
  ['gemini-vertex', 'gemini-3-pro-preview', 900],
  ['gemini-vertex', 'gemini-2.5-pro', 3000],
  ['portable', 'claude-opus-4-7', 8],
])('images of %s with %s: %i', (name, model, limit) => {
  expect(limitOf(targetNamed(name)!.media, model)).toBe(limit)
})

describe('portable', () => {
  const portable = targetNamed('portable')!
  const ranks = ['unknown', 'ok', 'warning', 'error']

  test('is as strict as the strictest', () => {
    for (const { name, verdicts } of TARGETS) {
      for (const [rule, { verdict }] of Object.entries(verdicts))
        expect(ranks.indexOf(portable.verdicts[rule]!.verdict), `${rule} of ${name}`).toBeGreaterThanOrEqual(
          ranks.indexOf(verdict),
        )
    }
  })

  test('finds what one of them refuses', () => {
    const stacked = [
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
    ]
    const found = (target: string): string[] =>
      check(stacked, { target }).findings.map(({ rule, severity }) => `${severity} ${rule}`)
    expect(found('portable')).toContain('error stacked-roles')
    expect(found('openai-chat')).not.toContain('error stacked-roles')
  })
})
