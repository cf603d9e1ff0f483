import { describe, expect, it } from 'vitest'
import { check, fix } from '../../src/index.ts'
import { Opened } from './opened.ts'

type Fields = { [key: string]: unknown }

const user = (content: string, more: Fields = {}): Fields => ({ role: 'user', content, ...more })
const said = (content: string, more: Fields = {}): Fields => ({ role: 'assistant', content, ...more })
const lines = (...rows: unknown[]): Buffer => Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
const batch = (custom_id: string, body: Fields): Fields => ({ custom_id, method: 'POST', url: '/v1/x', body })
const answer = (body: unknown, error: unknown = null): Fields => ({ custom_id: 'a', response: { body }, error })
const use = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'dig', input: {} }] }

describe('detection of batches', () => {
  it.each<[string, Fields[], string]>([
    ['requests of Chat Completions', [batch('a', { messages: [user('a')] })], 'openai-batch'],
    ['requests of Responses', [batch('a', { input: [user('a')] })], 'openai-batch-responses'],
    ['answers', [answer({ choices: [{ message: said('a') }] })], 'openai-batch-output'],
    ['a failed answer first', [answer(null, { code: 'x' }), answer({ choices: [] })], 'openai-batch-output'],
    ['requests of Anthropic', [{ custom_id: 'a', params: { messages: [user('a')] } }], 'anthropic-batch'],
    ['results of Anthropic', [{ custom_id: 'a', result: { type: 'errored', error: {} } }], 'anthropic-batch-results'],
    [
      'rows that have a name of their own',
      [1, 2].map((custom_id) => ({ custom_id, messages: [user('a')] })),
      'openai-chat-rows',
    ],
    ['a body without a name', [{ body: { messages: [user('a')] } }], 'unknown'],
  ])('%s', (_, rows, format) => {
    expect(Opened.lines(rows).transcript.format).toBe(format)
  })
})

describe('batches', () => {
  it('names the line and the place, and mends that line alone', () => {
    const whole = { custom_id: 'a', params: { messages: [user('a')] } }
    const broken = { custom_id: 'b', params: { max_tokens: 9, messages: [user('a'), use, user('b')] } }
    const bytes = lines(whole, broken, whole)
    const [finding, ...others] = check(bytes).findings
    expect(others).toEqual([])
    expect(finding).toMatchObject({ rule: 'orphan-tool-call', line: 2, pointer: '/params/messages/1/content/0' })
    const fixed = Buffer.from(fix(bytes).output).toString().split('\n')
    expect([fixed[0], fixed[2]]).toEqual([JSON.stringify(whole), JSON.stringify(whole)])
    expect(check(Buffer.from(fixed.join('\n'))).findings).toEqual([])
  })

  it('judges each request of a document by itself', () => {
    const body = (custom_id: string): Fields => ({ custom_id, params: { messages: [user('a'), use, user('b')] } })
    const { findings } = check(Buffer.from(JSON.stringify({ requests: [body('a'), body('b')] })))
    expect(findings.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([
      'orphan-tool-call /requests/0/params/messages/1/content/0',
      'orphan-tool-call /requests/1/params/messages/1/content/0',
    ])
  })

  it('adds nothing to an answer and takes none away', () => {
    const file = Opened.lines([answer({ choices: [{ message: said('a') }] })])
    const message = file.messages[0]!
    const before = file.text
    expect(
      file.edit(
        [{ do: 'remove-message', message }],
        [{ do: 'insert-message', before: message, role: 'user', text: 'x' }],
      ),
    ).toEqual([false, false])
    expect(file.text).toBe(before)
  })
})

describe('labels', () => {
  it('takes none over from a message beside it', () => {
    const row = { messages: [user('q'), said('a'), said('b', { note: 'x' })] }
    const file = Opened.lines([row, row])
    const [, into, from] = file.messages
    expect(file.edit([{ do: 'fold', from: from!, into: into! }])).toEqual([false])
  })

  it.each<[string, Fields, Fields, boolean]>([
    ['two weights', said('a', { weight: 0 }), said('b', { weight: 1 }), false],
    ['a weight and none', said('a'), said('b', { weight: 0 }), false],
    ['none and a weight', said('a', { weight: 0 }), said('b'), false],
    ['one weight', said('a', { weight: 0 }), said('b', { weight: 0 }), true],
    ['none', said('a'), said('b'), true],
  ])('%s', (_, one, two, taken) => {
    const file = Opened.lines([{ messages: [user('q'), one, two] }])
    const [, into, from] = file.messages
    expect(file.edit([{ do: 'fold', from: from!, into: into! }])).toEqual([taken])
    expect(file.messages.length).toBe(taken ? 2 : 3)
  })
})

describe('ShareGPT', () => {
  const from = (role: string, value = 'x'): Fields => ({ from: role, value })
  const row = (...conversations: Fields[]): Fields => ({ conversations })
  const good = row(from('human'), from('function_call', '{}'), from('observation'), from('gpt'))
  const open = row(from('human'), from('function_call', '{}'), from('human'), from('gpt'))

  it('pairs calls and observations by their order', () => {
    const file = Opened.lines([good, good])
    expect(file.transcript.format).toBe('sharegpt')
    expect(file.shape).toEqual(['user: text', 'assistant: tool-call(#1)', 'tool: tool-result(#1)', 'assistant: text'])
    expect(check(lines(good, good)).findings).toEqual([])
  })

  it('tells of an open call and leaves the file as it is', () => {
    const bytes = lines(good, open)
    expect(check(bytes).findings).toMatchObject([
      { rule: 'orphan-tool-call', line: 2, pointer: '/conversations/1/value' },
    ])
    expect(Buffer.from(fix(bytes).output).equals(bytes)).toBe(true)
  })

  it.each<[string, unknown, string]>([
    ['an array of conversations', [good], 'sharegpt-array'],
    ['turns without a side', [{ conversations: [{ role: 'user', value: 'a' }] }], 'unknown'],
  ])('%s', (_, value, format) => {
    expect(new Opened(JSON.stringify(value)).transcript.format).toBe(format)
  })
})
