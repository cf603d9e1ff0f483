import { describe, expect, it } from 'vitest'
import type { Operation } from '../../src/model/finding.ts'
import { Opened } from './opened.ts'

type Json = { [key: string]: unknown }
const HEAD = { sessionId: 's', projectHash: 'p', kind: 'main' }
const user = (id: string, content: unknown): Json => ({
  id,
  timestamp: '2026-09-01T10:00:00.000Z',
  type: 'user',
  content,
})
const answer = (id: string, content: unknown, more: Json = {}): Json => ({
  ...user(id, content),
  type: 'gemini',
  ...more,
})
const response = (id: string, output = 'x'): Json => ({ functionResponse: { id, name: 'ls', response: { output } } })
const call = (id: string): Json => ({ functionCall: { id, name: 'ls', args: {} } })
const tool = (id: string, result?: unknown): Json => ({ id, name: 'ls', args: {}, ...(result ? { result } : {}) })
const session = (...records: unknown[]): Opened => Opened.lines([HEAD, ...records])

describe('detection', () => {
  it.each<[string, unknown[], string]>([
    ['a header and a message', [HEAD, user('a', 'hi')], 'gemini-cli'],
    ['messages without a header', [user('a', 'hi'), answer('b', 'ho')], 'gemini-cli'],
    ['Qwen Code up to 0.1', [HEAD, user('a', 'hi'), { ...answer('b', 'ho'), type: 'qwen' }], 'unknown'],
    ['records with links', [{ ...HEAD, uuid: 'u' }, user('a', 'hi')], 'unknown'],
    ['messages of the API', [{ role: 'user', parts: [{ text: 'hi' }] }], 'gemini-lines'],
    ['parts of the AI SDK', [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }], 'ai-sdk-ui-lines'],
  ])('%s', (_, records, format) => {
    expect(Opened.lines(records).transcript.format).toBe(format)
  })

  it.each<[string, unknown, string]>([
    ['a session in one object', { ...HEAD, messages: [user('a', 'hi')] }, 'gemini-cli-document'],
    ['the same of Qwen Code', { ...HEAD, messages: [{ ...user('a', 'hi'), type: 'qwen' }] }, 'unknown'],
    ['a checkpoint', { history: [{ role: 'user', parts: [{ text: 'hi' }] }] }, 'gemini-checkpoint'],
    ['another history', { history: [{ role: 'user', content: 'hi' }] }, 'unknown'],
    ['a body', { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }, 'gemini-body'],
    ['an array', [{ role: 'user', parts: [{ text: 'hi' }] }], 'gemini'],
  ])('%s', (_, value, format) => {
    expect(new Opened(JSON.stringify(value)).transcript.format).toBe(format)
  })
})

describe('what Gemini CLI loads', () => {
  it.each<[string, unknown[], string[]]>([
    [
      'the last version of a message, in the place of the first',
      [user('a', 'hi'), answer('b', ''), user('c', 'ho'), answer('b', 'there')],
      ['user: text', 'assistant: text', 'user: text'],
    ],
    [
      'nothing of what stands before a snapshot',
      [user('a', 'hi'), answer('b', [call('c1')]), { $set: { messages: [user('a', 'hi')] } }, answer('d', 'ho')],
      ['user: text', 'assistant: text'],
    ],
    [
      'not what was taken back',
      [user('a', 'hi'), answer('b', [call('c1')]), { $rewindTo: 'b' }, answer('d', 'ho')],
      ['user: text', 'assistant: text'],
    ],
    [
      'nothing before a rewind to nowhere',
      [user('a', 'hi'), { $rewindTo: 'z' }, answer('d', 'ho')],
      ['assistant: text'],
    ],
    [
      'calls and results of `toolCalls`',
      [user('a', 'hi'), answer('b', 'I look', { toolCalls: [tool('c1', [response('c1')]), tool('c2', 'out')] })],
      ['user: text', 'assistant: text tool-call(c1) tool-call(c2)', 'user: tool-result(c1) tool-result(c2)'],
    ],
    [
      'calls of the content once',
      [user('a', 'hi'), answer('b', [call('c1')], { toolCalls: [tool('c1', [response('c1')])] })],
      ['user: text', 'assistant: tool-call(c1)', 'user: tool-result(c1)'],
    ],
    [
      'no notes, commands and contexts',
      [
        user('a', '<session_context>\nx'),
        user('b', ' /stats'),
        user('c', [{ text: ' ' }, { text: '?' }]),
        user('d', ''),
        { ...user('e', 'no'), type: 'error' },
        user('f', 'hi / ?'),
      ],
      ['user: text'],
    ],
  ])('%s', (_, records, shape) => {
    expect(session(...records).shape).toEqual(shape)
  })
})

describe('editing', () => {
  const twice = [
    user('a', 'hi'),
    answer('b', [call('c1')], { toolCalls: [tool('c1', [response('c1')])] }),
    user('c', [response('c1')]),
    user('c', [response('c1'), response('c2')]),
    answer('d', 'ho'),
  ]

  it('removes every version of a message since the last snapshot', () => {
    const opened = session(user('c', 'old'), { $set: { messages: [] } }, ...twice)
    const before = opened.lines
    const blocks = [opened.block('tool-result', 'c1', 1), opened.block('tool-result', 'c2')]
    expect(opened.edit(...blocks.map((block): Operation[] => [{ do: 'remove-block', block }]))).toEqual([true, true])
    expect(opened.lines).toEqual(before.filter((_, i) => i !== 5 && i !== 6))
    expect(opened.shape).toEqual(['user: text', 'assistant: tool-call(c1)', 'user: tool-result(c1)', 'assistant: text'])
  })

  it('keeps a message of which something is left', () => {
    const opened = session(...twice)
    const before = opened.lines
    opened.edit([{ do: 'remove-block', block: opened.block('tool-result', 'c1', 1) }])
    expect(opened.values[4]).toEqual(user('c', [response('c2')]))
    expect(opened.lines.filter((_, i) => i !== 4)).toEqual(before.filter((_, i) => i !== 4))
  })

  it('removes a message out of a snapshot', () => {
    const opened = session({ $set: { messages: twice } })
    const blocks = [opened.block('tool-result', 'c1', 1), opened.block('tool-result', 'c2')]
    opened.edit(...blocks.map((block): Operation[] => [{ do: 'remove-block', block }]))
    const [, , , , last] = twice
    expect(opened.values[1]).toEqual({ $set: { messages: [twice[0], twice[1], last] } })
  })

  it.each<[string, Json, unknown]>([
    [
      'to the call that was noted',
      answer('b', [call('c1')], { toolCalls: [tool('c1')] }),
      [tool('c1', [expect.anything()])],
    ],
    [
      'behind what came of others',
      answer('b', '', { toolCalls: [tool('c0', [response('c0')]), tool('c1')] }),
      [tool('c0', [response('c0')]), tool('c1', [expect.anything()])],
    ],
    [
      'to a call that was not noted',
      answer('b', [call('c1')]),
      [expect.objectContaining({ id: 'c1', name: 'ls', args: {}, status: 'error' })],
    ],
  ])('puts an answer %s', (_, message, toolCalls) => {
    const opened = session(user('a', 'hi'), message, user('c', 'and?'))
    expect(opened.edit([{ do: 'answer', call: opened.block('tool-call', 'c1'), text: 'lost' }])).toEqual([true])
    expect(opened.values[2]!.toolCalls).toEqual(toolCalls)
    expect(opened.shape.slice(-1)[0]).toMatch(/^user: .*tool-result\(c1\) text$/)
  })

  it('puts an answer beside the results of a turn that has a record of its own', () => {
    const opened = session(
      user('a', 'hi'),
      answer('b', [call('c1'), call('c2')]),
      user('c', [response('c1'), { text: 'x' }]),
    )
    opened.edit([{ do: 'answer', call: opened.block('tool-call', 'c2'), text: 'lost' }])
    expect(opened.shape[2]).toBe('user: tool-result(c1) tool-result(c2) text')
  })

  it('moves a result that came late', () => {
    const opened = session(
      user('a', 'hi'),
      answer('b', [call('c1')]),
      answer('c', 'ho'),
      user('d', [response('c1', 'real')]),
    )
    const operations: Operation[] = [
      { do: 'move-result', result: opened.block('tool-result', 'c1'), call: opened.block('tool-call', 'c1') },
    ]
    expect(opened.edit(operations)).toEqual([true])
    expect(opened.shape).toEqual(['user: text', 'assistant: tool-call(c1)', 'user: tool-result(c1)', 'assistant: text'])
    expect(opened.text).toContain('real')
  })

  it('lets a rewind to a torn message go back to the message behind it', () => {
    const lines = [HEAD, user('a', 'hi'), user('b', 'ho'), user('c', 'no'), { $rewindTo: 'b' }, user('d', 'so')]
    const text = lines
      .map((line) => JSON.stringify(line))
      .join('\n')
      .replace('"content":"ho"}', '"conte')
    const opened = new Opened(`${text}\n`)
    expect(opened.edit([{ do: 'drop-entry', entry: opened.entry('b') }])).toEqual([true])
    expect(opened.values.slice(1)).toEqual([user('a', 'hi'), user('c', 'no'), { $rewindTo: 'c' }, user('d', 'so')])
    expect(opened.shape).toEqual(['user: text text'])
  })

  it('renames a call wherever it is named', () => {
    const opened = session(user('a', 'hi'), answer('b', [call('c1')], { toolCalls: [tool('c1', [response('c1')])] }))
    const blocks = [opened.block('tool-call', 'c1'), opened.block('tool-result', 'c1')]
    opened.edit(blocks.map((block) => ({ do: 'rename-id', block, id: 'n1' })))
    expect(opened.text).not.toContain('c1')
  })
})

it('names the command that resumes the session, but not that of a subagent', () => {
  const of = (head: Json) => Opened.lines([head, user('a', 'hi')]).transcript
  expect(of(HEAD).of.resume?.(of(HEAD))).toBe('gemini --resume s')
  const subagent = of({ ...HEAD, kind: 'subagent' })
  expect(subagent.of.resume?.(subagent)).toBeUndefined()
  expect(subagent.conversations[0]?.role).toBe('subagent')
})
