import { describe, expect, test } from 'vitest'
import { check } from '../../src/index.ts'
import { RULES } from '../../src/rules/index.ts'
import { limitOf, TARGETS, targetNamed } from '../../src/targets/index.ts'
import { limitsOf } from '../../src/targets/limits.ts'
import { knownModel } from '../../src/targets/models.ts'

const names = new Set(RULES.map(({ name }) => name))

/** What only the file, its client or its records decide about is no provider's business. */
const OWN = new Set(['api-error-record'])
const JUDGED = RULES.filter(({ family, name }) => family !== 'file' && family !== 'chain' && !OWN.has(name)).map(
  ({ name }) => name,
)

describe.each(TARGETS)('$name', (target) => {
  test('judges rules that exist, each with a source', () => {
    for (const [rule, { source }] of Object.entries(target.verdicts)) {
      expect(names).toContain(rule.replace(/\/.*/, ''))
      expect(source, rule).not.toBe('')
    }
  })

  test.each(JUDGED)('says what it does about %s', (rule) => {
    expect(target.verdicts[rule]).toBeDefined()
  })

  test('each source says when', () => {
    for (const [rule, { source }] of Object.entries(target.verdicts)) expect(source, rule).toMatch(/\b20\d\d\b/)
    for (const { what, source } of limitsOf(target))
      if (what !== 'results stand') expect(source, what).toMatch(/\b20\d\d\b/)
  })

  test('refuses nothing without a page, an issue or what it was read from', () => {
    for (const [rule, { verdict, source }] of Object.entries(target.verdicts))
      if (verdict === 'error') expect(source, rule).not.toMatch(/^(?:\w+: )?(?:not established|no report)/)
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

test.each([
  ['anthropic', 'claude-opus-4-8', 'system messages in the list', 'between a prompt and its answer'],
  ['anthropic', 'claude-sonnet-5', 'system messages in the list', 'nowhere'],
  ['anthropic', 'claude-opus-4-6', 'a message of the assistant at the end is refused', 'yes'],
  ['anthropic', 'claude-sonnet-4-20250514', 'a message of the assistant at the end is refused', 'no'],
  ['bedrock-converse', 'us.anthropic.claude-opus-4-6-v1:0', 'a message of the assistant at the end is refused', 'yes'],
  ['anthropic', 'claude-sonnet-4-5-20250929', 'images, and pages of documents, in one request', 'at most 100'],
  ['anthropic', 'claude-sonnet-4-6', 'pages of PDF in one request', 'at most 600'],
  ['gemini', 'gemini-3-pro', 'thought signatures are demanded', 'yes'],
  ['gemini', 'gemini-2.5-pro', 'thought signatures are demanded', 'no'],
  ['deepseek', 'deepseek-chat', 'sees no images', 'yes'],
  ['anthropic', undefined, 'messages in one request', 'at most 100,000'],
  ['anthropic', undefined, 'names of tools', '^[a-zA-Z0-9_-]+$, at most 200 characters'],
  ['openai-chat', undefined, 'names of tools', '^[a-zA-Z0-9_-]+$, at most 64 characters'],
  ['mistral', undefined, 'ids of calls', '^[a-zA-Z0-9]{9}$, at most 9 characters'],
  ['gemini', undefined, 'a message of the assistant at the end is refused', undefined],
])('%s with %s: %s: %s', (name, model, what, limit) => {
  expect(limitsOf(targetNamed(name)!, model).find((told) => told.what === what)?.limit).toBe(limit)
})

test.each([
  ['anthropic', 'claude-sonnet-5', 'known'],
  ['anthropic', 'claude-3-5-haiku-20241022', 'known'],
  ['anthropic', 'claude-2.1', 'known'],
  ['anthropic', 'anthropic/claude-opus-4.6', 'known'],
  ['anthropic', 'claude-sonet-5', 'unknown'],
  ['anthropic', 'claude-code', 'unknown'],
  ['anthropic', 'gpt-5', 'unknown'],
  ['bedrock-converse', 'us.anthropic.claude-sonnet-4-20250514-v1:0', 'known'],
  ['gemini', 'models/gemini-2.5-flash', 'known'],
  ['gemini', 'gemni-2.5-flash', 'unknown'],
  ['deepseek', 'deepseek-reasoner', 'known'],
  ['deepseek', 'deepseek-v4', 'known'],
  ['deepseek', 'deepsek-chat', 'unknown'],
  ['portable', 'gemini-2.5-pro', 'known'],
  ['portable', 'whatever', 'known'],
  ['openai-chat', 'whatever', 'any'],
  ['mistral', 'whatever', 'any'],
])('%s and the model %s: %s', (name, model, expected) => {
  expect(knownModel(targetNamed(name)!, model).is).toBe(expected)
})

describe('names of tools', () => {
  const found = (target: string, name: string): string[] => {
    const calls = [{ id: 'call00001', type: 'function', function: { name, arguments: '{}' } }]
    const messages = [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: null, tool_calls: calls },
      { role: 'tool', tool_call_id: 'call00001', content: 'out' },
    ]
    return check(messages, { target, format: 'openai-chat-lines', select: ['invalid-tool-name'] }).findings.map(
      ({ severity }) => severity,
    )
  }
  test.each([
    ['openai-chat', 'x'.repeat(64), []],
    ['openai-chat', 'x'.repeat(65), ['error']],
    ['anthropic', 'x'.repeat(200), []],
    ['anthropic', 'x'.repeat(201), ['error']],
    ['bedrock-converse', 'files.read', ['error']],
    ['mistral', 'files.read', ['error']],
    ['gemini', 'files.read:all', []],
    ['gemini', '1st', ['info']],
    ['ollama', 'files.read', []],
    ['ollama', '', ['info']],
    ['local-template', '', []],
    ['portable', 'x'.repeat(65), ['error']],
  ])('%s, %s: %j', (target, name, severities) => {
    expect(found(target, name)).toEqual(severities)
  })
})

describe('portable', () => {
  const portable = targetNamed('portable')!
  const ranks = ['ok', 'unknown', 'warning', 'error']

  test('is as strict as the strictest', () => {
    for (const { name, verdicts } of TARGETS) {
      for (const [rule, { verdict }] of Object.entries(verdicts))
        expect(ranks.indexOf(portable.verdicts[rule]!.verdict), `${rule} of ${name}`).toBeGreaterThanOrEqual(
          ranks.indexOf(verdict),
        )
    }
  })

  test('has the shortest names and the fewest messages', () => {
    for (const { name, toolNames, messages } of TARGETS) {
      expect(portable.toolNames!.maxLength, name).toBeLessThanOrEqual(toolNames?.maxLength ?? Infinity)
      expect(portable.messages!.limit, name).toBeLessThanOrEqual(messages?.limit ?? Infinity)
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
