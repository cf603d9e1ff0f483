import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type CheckOptions, check, fix } from '../../src/index.ts'
import { assistant, call, result, user } from './build.ts'

/** A signature in the form of real ones: its first bytes tell its length. */
function signature(seed: string, bytes = 222): string {
  const body = Buffer.concat(
    Array.from({ length: Math.ceil(bytes / 32) }, (_, i) => createHash('sha256').update(`${seed}${i}`).digest()),
  ).subarray(0, bytes)
  return Buffer.concat([Buffer.from([0x12, 0x80 | (bytes & 0x7f), bytes >> 7]), body, Buffer.from([0x18, 1])]).toString(
    'base64',
  )
}

const thought = (signed?: string, text = 'hm') => ({
  type: 'thinking',
  thinking: text,
  ...(signed === undefined ? {} : { signature: signed }),
})
const A = signature('a')
const B = signature('b', 400)

/** Thinking of three turns, the middle one as given. */
const three = (middle: unknown, ...beside: unknown[]): unknown[] => [
  user('q'),
  assistant(thought(A), 'a'),
  user('r'),
  { role: 'assistant', content: [middle, ...beside, { type: 'text', text: 'b' }] },
  user('s'),
  assistant(thought(B), 'c'),
  user('t'),
]

const rules = (input: string | unknown[], options: CheckOptions = {}): string[] =>
  check(input, { format: 'anthropic-lines', target: 'anthropic', ...options }).findings.map(({ rule }) => rule)

describe('signatures', () => {
  const MISSING = ['missing-thinking-signature']
  const INVALID = ['invalid-thinking-signature']

  test.each<[string, unknown, string[]]>([
    ['a whole one', thought(signature('c')), []],
    ['a long one', thought(signature('c', 9000)), []],
    ['no text, but a signature', thought(signature('c'), ''), []],
    ['none', thought(), MISSING],
    ['an empty one', thought(''), MISSING],
    ['null', { type: 'thinking', thinking: 'hm', signature: null }, MISSING],
    ['redacted', { type: 'redacted_thinking', data: signature('c') }, []],
    ['redacted without data', { type: 'redacted_thinking', data: '' }, MISSING],
    ['cut to a length of no base64', thought(signature('c').slice(0, 201)), INVALID],
    ['cut to a length of base64', thought(signature('c').slice(0, 200)), INVALID],
    ['24 characters', thought(signature('c').slice(0, 24)), INVALID],
    ['base64 in another alphabet', thought(signature('c').replaceAll('+', '-').replaceAll('/', '_')), []],
    ['shortened by a log', thought(`${signature('c').slice(0, 40)}...`), INVALID],
    ['the name of a field', thought('reasoning_content'), INVALID],
  ])('%s', (_, block, found) => {
    expect(rules(three(block))).toEqual(found)
  })

  test('what is whole stays to the byte when its neighbour goes', () => {
    const before = three(thought(signature('c')), thought('', 'cut off'), thought(signature('d'), ''))
    const after = three(thought(signature('c')), thought(signature('d'), ''))
    const text = before.map((each) => JSON.stringify(each)).join('\n')
    expect(fix(before, { format: 'anthropic-lines' }).output).toEqual(after)
    expect(fix(text, { format: 'anthropic-lines' }).output).toBe(after.map((each) => JSON.stringify(each)).join('\n'))
  })

  test('one alone is not judged by its length, nor where most look cut', () => {
    const cut = thought(signature('c').slice(0, 61))
    expect(rules([user('q'), assistant(cut, 'a'), user('r')])).toEqual([])
    expect(rules([user('q'), assistant(cut, 'a'), user('r'), assistant(cut, thought(A), 'b'), user('s')])).toEqual([])
  })

  test('what is taken out is named', () => {
    const { applied } = fix(three(thought(signature('c').slice(0, 61))), { format: 'anthropic-lines' })
    expect(applied.map(({ rule, removed }) => [rule, removed.map(({ kind }) => kind)])).toEqual([
      ['invalid-thinking-signature', ['reasoning']],
    ])
  })

  test('other providers sign nothing', () => {
    const messages = three(thought())
    expect(rules(messages, { target: 'openai-chat' })).toEqual([])
    expect(rules(messages, { model: 'glm-4.7' })).toEqual([])
    expect(rules(messages, { model: 'claude-opus-4-8' })).toEqual(MISSING)
  })
})

test('two turns with signed thinking are never folded, whoever wants alternation', () => {
  const messages = [user('q'), assistant(thought(A), 'a'), assistant('b'), assistant(thought(B), 'c'), user('r')]
  const { output } = fix(messages, { format: 'anthropic-lines', target: 'local-template' })
  expect(output).toEqual([user('q'), assistant(thought(A), 'a', 'b'), assistant(thought(B), 'c'), user('r')])
})

describe('the order of thinking goes by what the request asks for', () => {
  const loop = (first: unknown, thinking: unknown): string =>
    JSON.stringify({
      model: 'claude-sonnet-4-5',
      max_tokens: 9,
      thinking,
      messages: [
        user('q'),
        { role: 'assistant', content: [first, call('1')] },
        user(result('1')),
        assistant(call('2')),
        user(result('2')),
      ],
    })
  const found = (text: string) => check(text).findings.map(({ rule }) => rule)
  const on = { type: 'enabled', budget_tokens: 2000 }

  test.each<[string, string, string[]]>([
    ['text first', loop({ type: 'text', text: 'x' }, on), ['thinking-order']],
    ['thinking first', loop(thought(A), on), []],
    ['redacted thinking first', loop({ type: 'redacted_thinking', data: A }, on), []],
    ['thinking is not asked for', loop({ type: 'text', text: 'x' }, undefined), []],
    ['the model decides', loop({ type: 'text', text: 'x' }, { type: 'adaptive' }), []],
  ])('%s', (_, text, expected) => {
    expect(found(text)).toEqual(expected)
  })
})
