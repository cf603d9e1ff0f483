import { describe, expect, test } from 'vitest'
import { check, fix } from '../../src/index.ts'
import { assistant, call, chat, image, result, serverCall, serverResult, user } from './build.ts'

const found = (body: unknown, options = {}) =>
  check(JSON.stringify(body), options).findings.map(({ rule, severity }) => `${severity} ${rule}`)

describe('a request that ends with the assistant', () => {
  const request = (model: string, last: unknown = assistant('{')) => ({
    model,
    max_tokens: 9,
    messages: [user('a', image(1)), last],
  })
  const REFUSED = ['error trailing-assistant']

  test.each<[string, string[]]>([
    ['claude-opus-4-6', REFUSED],
    ['claude-sonnet-4-6-20260210', REFUSED],
    ['anthropic/claude-opus-4.8', REFUSED],
    ['claude-sonnet-5', REFUSED],
    ['claude-mythos-preview', REFUSED],
    ['claude-opus-4-20250514', []],
    ['claude-opus-4-5-20251101', []],
    ['claude-haiku-4-5', []],
    ['claude-3-7-sonnet-latest', []],
    ['a-model-of-somebody', []],
  ])('%s', (model, expected) => {
    expect(found(request(model))).toEqual(expected)
  })

  test('calls at the end wait for their results', () => {
    expect(found(request('claude-opus-4-8', assistant(call('1'))))).toEqual(['warning orphan-tool-call'])
  })

  test('the answer stays, and the request is taken', () => {
    const text = JSON.stringify(request('claude-opus-4-8'))
    const fixed = JSON.parse(fix(text).output)
    expect(fixed.messages.slice(0, 2)).toEqual(request('').messages)
    expect(fixed.messages).toHaveLength(3)
    expect(fixed.messages[2].role).toBe('user')
    expect(check(JSON.stringify(fixed)).findings).toEqual([])
  })

  test('a conversation is no request', () => {
    const { messages, model } = request('claude-opus-4-8')
    expect(found(messages, { model })).toEqual([])
    expect(found({ model, messages })).toEqual([])
  })
})

describe('a system message', () => {
  const s = { role: 'system', content: 's' }
  const u = user('a', image(1))
  const a = assistant('b')
  const in8 = (...messages: unknown[]) => ({ model: 'claude-opus-4-8', max_tokens: 9, messages })
  const MISPLACED = ['error misplaced-system-message']

  test.each<[string, unknown[], string[]]>([
    ['first', [s, u, a, u], MISPLACED],
    ['between a prompt and its answer', [u, s, a, u], []],
    ['at the end behind a prompt', [u, s], []],
    ['behind an answer', [u, a, s, u], MISPLACED],
    ['between two prompts', [u, s, u], MISPLACED],
    ['behind the result of a tool of the provider', [u, assistant(serverCall('1'), serverResult('1')), s], []],
    ['behind results', [u, assistant(call('1')), user(result('1')), s, a, u], []],
  ])('%s', (_, messages, expected) => {
    expect(found(in8(...messages)).filter((each) => each.includes('system'))).toEqual(expected)
  })

  test('joins what the body has for it', () => {
    const body = (system: unknown, ...messages: unknown[]) => JSON.stringify({ ...in8(...messages), system })
    expect(JSON.parse(fix(body('x', s, u)).output)).toEqual(
      JSON.parse(
        body(
          [
            { type: 'text', text: 'x' },
            { type: 'text', text: 's' },
          ],
          u,
        ),
      ),
    )
    expect(JSON.parse(fix(JSON.stringify(in8(s, u))).output)).toEqual({ ...in8(u), system: 's' })
  })

  test('all at the beginning become one, even when guesses are allowed', () => {
    const messages = ['s', 't', 'v'].map((content) => ({ role: 'system', content }))
    const options = { format: 'openai-chat-lines', target: 'local-template' }
    for (const unsafe of [false, true]) {
      expect(fix([...messages, chat.user('q')], { ...options, unsafe }).output).toEqual([
        { role: 'system', content: ['s', 't', 'v'].map((text) => ({ type: 'text', text })) },
        chat.user('q'),
      ])
    }
  })

  test('is never moved to the beginning', () => {
    const text = JSON.stringify(in8(u, a, s, u))
    expect(fix(text).output).toBe(text)
    const roles = JSON.parse(fix(text, { unsafe: true }).output).messages.map(({ role }: { role: string }) => role)
    expect(roles.slice(0, 2)).toEqual(['user', 'assistant'])
    expect(roles).not.toContain('system')
  })
})

describe('the user behind a tool', () => {
  const lines = (...messages: unknown[]) => messages.map((each) => JSON.stringify(each)).join('\n')
  const turn = [chat.user('q'), chat.calls('abcdef123'), chat.tool('abcdef123')]
  const options = { format: 'openai-chat-lines', target: 'mistral' }
  const words = (text: string) => check(text, options).findings.map(({ rule, severity }) => `${severity} ${rule}`)

  test('is of note for Mistral only, and only where an answer is missing', () => {
    expect(words(lines(...turn, chat.user('r')))).toEqual(['warning user-after-tool'])
    expect(words(lines(...turn))).toEqual([])
    expect(words(lines(...turn, chat.say('a'), chat.user('r')))).toEqual([])
    expect(check(lines(...turn, chat.user('r')), { ...options, target: 'openai-chat' }).findings).toEqual([])
  })

  test('gets a bridge only when guesses are allowed', () => {
    const text = lines(...turn, chat.user('r'))
    expect(fix(text, options).output).toBe(text)
    expect(words(fix(text, { ...options, unsafe: true }).output)).toEqual([])
  })
})

describe('a field with reasoning', () => {
  const said = { ...chat.say('a'), reasoning_content: 'hm', reasoning: null }
  const options = { format: 'openai-chat-lines' }

  test.each<[string, unknown]>([
    ['mistral', [chat.user('q'), { ...chat.say('a'), reasoning: null }]],
    ['deepseek', [chat.user('q'), said]],
    ['openai-chat', [chat.user('q'), said]],
    ['qwen', [chat.user('q'), said]],
  ])('%s', (target, after) => {
    const { output, applied } = fix([chat.user('q'), said], { ...options, target })
    expect(output).toEqual(after)
    expect(applied.flatMap(({ removed }) => removed.map(({ kind, excerpt }) => `${kind} ${excerpt}`))).toEqual(
      target === 'mistral' ? ['reasoning hm'] : [],
    )
  })
})
