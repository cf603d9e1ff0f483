import { describe, expect, it } from 'vitest'
import { check, fix } from '../../src/index.ts'
import { Opened } from './opened.ts'

type Fields = { [key: string]: unknown }
const T = 1_780_000_000_000

const text = (value: string): Fields => ({ type: 'text', text: value })
const use = (id: string, name = 'read_file'): Fields => ({ type: 'tool_use', id, name, input: {} })
const got = (id: string): Fields => ({ type: 'tool_result', tool_use_id: id, content: `got ${id}` })
const user = (...content: Fields[]): Fields => ({ role: 'user', content })
const assistant = (...content: Fields[]): Fields => ({ role: 'assistant', content })
const task = (...messages: Fields[]): Fields[] => messages.map((message, i) => ({ ...message, ts: T + i * 10 }))

const open = (value: unknown, format?: string): Opened => new Opened(JSON.stringify(value), format)
const session = (...messages: Fields[]): Fields => ({
  version: 1,
  updated_at: '2026-05-01T00:00:00.000Z',
  agent: 'lead',
  sessionId: 's1',
  messages: messages.map((message, i) => ({ id: `msg_${i}`, ...message, ts: T + i * 10 })),
})

describe('detection', () => {
  it.each<[string, unknown, string]>([
    ['times beside the roles', task(user(text('a'))), 'cline'],
    [
      'what the client notes of a model',
      [user(text('a')), { ...assistant(text('b')), modelInfo: { modelId: 'm' } }],
      'cline',
    ],
    ['a first prompt in tags', [user(text('<task>\nweed\n</task>'), text('<environment_details>\n'))], 'cline'],
    ['reasoning of its own without a role', [...task(user(text('a'))), { type: 'reasoning', summary: [] }], 'cline'],
    ['messages.json', session(user(text('a'))), 'cline-messages'],
    ['a bare array', [user(text('a')), assistant(use('t1'))], 'anthropic'],
    ['a time in seconds', [{ ...user(text('a')), ts: 1_780_000_000 }, assistant(use('t1'))], 'anthropic'],
    ['a request body', { model: 'm', messages: [user(text('a')), assistant(use('t1'))] }, 'anthropic-body'],
  ])('%s', (_, value, format) => {
    expect(open(value).transcript.format).toBe(format)
  })
})

const marked = (message: Fields, more: Fields): Fields => ({ ...message, ...more })

describe('what is sent of a history', () => {
  it.each<[string, Fields[], string[]]>([
    ['all of it', task(user(text('a')), assistant(text('b'))), ['user: text', 'assistant: text']],
    [
      'from a summary in the user’s name on',
      task(
        user(text('a')),
        assistant(use('t1')),
        marked(user(text('sum')), { isSummary: true, condenseId: 'C' }),
        user(text('c')),
      ),
      ['user: text', 'user: text'],
    ],
    [
      'from the last of several',
      task(
        marked(user(text('one')), { isSummary: true, condenseId: 'C' }),
        user(text('a')),
        marked(user(text('two')), { isSummary: true, condenseId: 'D', condenseParent: 'D' }),
      ),
      ['user: text'],
    ],
    [
      'the first message and a summary in the assistant’s name, as older versions wrote it',
      task(
        user(text('a')),
        marked(assistant(use('t1')), { condenseParent: 'C' }),
        marked(user(got('t1')), { condenseParent: 'C' }),
        marked(assistant(text('sum')), { isSummary: true, condenseId: 'C' }),
        user(text('b')),
      ),
      ['user: text', 'assistant: text', 'user: text'],
    ],
    [
      'what a mark does not hide',
      task(
        user(text('a')),
        marked(assistant(text('b')), { truncationParent: 'M' }),
        marked(user(text('cut')), { isTruncationMarker: true, truncationId: 'M' }),
        assistant(text('c')),
      ),
      ['user: text', 'user: text', 'assistant: text'],
    ],
    [
      'what a summary hid that is gone',
      task(user(text('a')), marked(assistant(text('b')), { condenseParent: 'gone' })),
      ['user: text', 'assistant: text'],
    ],
    [
      'no result whose call is hidden',
      task(
        user(text('a')),
        assistant(use('t1')),
        marked(user(text('sum')), { isSummary: true, condenseId: 'C' }),
        user(got('t1'), text('b')),
        user(got('t1')),
      ),
      ['user: text', 'user: text'],
    ],
  ])('%s', (_, messages, shape) => {
    expect(open(messages, 'cline').shape).toEqual(shape)
  })
})

describe('what is found', () => {
  const found = (value: unknown): string[] =>
    check(Buffer.from(JSON.stringify(value)), {})
      .findings.filter(({ severity }) => severity !== 'info')
      .map(({ rule }) => rule)

  it.each<[string, unknown, string[]]>([
    ['users in a row, which the client joins', task(user(text('a')), user(text('b'))), []],
    [
      'results in messages of their own',
      session(user(text('a')), assistant(use('t1'), use('t2')), user(got('t2')), user(got('t1'))),
      [],
    ],
    [
      'tools in plain text',
      task(
        user(text('a')),
        assistant(text('<read_file><path>a</path></read_file>')),
        user(text('[read_file] Result: a')),
      ),
      [],
    ],
    [
      'a call whose result is a text',
      task(user(text('a')), assistant(use('t1', 'subagents')), user(text('[subagents] Result:\nall done'))),
      [],
    ],
    [
      'another tool’s text',
      task(user(text('a')), assistant(use('t1', 'subagents')), user(text('[read_file] Result: a'))),
      ['orphan-tool-call'],
    ],
    [
      'a result that a hidden call had',
      task(
        assistant(use('t1')),
        marked(user(text('sum')), { isSummary: true, condenseId: 'C' }),
        user(got('t1'), text('b')),
      ),
      [],
    ],
    ['a result that none had', task(user(text('a')), user(got('t0'), text('b'))), ['orphan-tool-result']],
    [
      'a fault in what is hidden',
      task(
        marked(assistant(use('t1')), { truncationParent: 'M' }),
        marked(user(text('x')), { isTruncationMarker: true, truncationId: 'M' }),
      ),
      [],
    ],
  ])('%s', (_, value, rules) => {
    expect(found(value)).toEqual(rules)
  })
})

describe('edits', () => {
  it('a new message gets a time between its neighbours', () => {
    const before = task(user(text('a')), assistant(use('t1')), assistant(text('b')))
    const { output } = fix(Buffer.from(JSON.stringify(before)), {})
    const after = JSON.parse(Buffer.from(output).toString()) as Fields[]
    expect(after.filter((_, i) => i !== 3)).toEqual(before)
    expect(after[3]).toEqual({ role: 'user', content: [expect.objectContaining({ tool_use_id: 't1' })], ts: T + 21 })
  })

  it('never a later one than the next message has', () => {
    const before = task(user(text('a')), assistant(use('t1')), user(text('b')))
    before.splice(2, 1, { role: 'assistant', content: [text('b')], ts: T + 10 }, { ...user(text('c')), ts: T + 10 })
    const opened = open(before, 'cline')
    expect(opened.edit([{ do: 'insert-message', before: opened.messages[3]!, role: 'user', text: 'x' }])).toEqual([
      true,
    ])
    expect((JSON.parse(opened.text) as Fields[])[3]).toMatchObject({ ts: T + 10 })
  })

  it('in messages.json an id too', () => {
    const { output } = fix(Buffer.from(JSON.stringify(session(user(text('a')), assistant(use('t1'))))), {})
    const { messages } = JSON.parse(Buffer.from(output).toString()) as { messages: Fields[] }
    expect(messages[2]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      role: 'user',
      content: [expect.objectContaining({ tool_use_id: 't1' })],
      ts: T + 11,
    })
  })
})
