import { describe, expect, it } from 'vitest'
import { check, fix } from '../../src/index.ts'
import { Opened } from './opened.ts'

type Fields = { [key: string]: unknown }
let count = 0
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** Events in the order of the file, each naming the one before. */
function events(...list: Fields[]): Fields[] {
  return [start, ...list].map((event, i) => ({
    ...event,
    id: id(i + 1),
    timestamp: new Date(Date.UTC(2026, 4, 1, 9, 0, i)).toISOString(),
    parentId: i === 0 ? null : id(i),
  }))
}
const event = (type: string, data: Fields = {}, more: Fields = {}): Fields => ({ type, data, ...more })
const start = event('session.start', { sessionId: 'aaaaaaaa-0000-4000-8000-000000000001', version: 1 })
const user = (content: string): Fields => event('user.message', { content, attachments: [] })
const answer = (content: string, ...calls: string[]): Fields =>
  event('assistant.message', {
    messageId: `m${++count}`,
    content,
    toolRequests: calls.map((toolCallId) => ({ toolCallId, name: 'bash', arguments: {}, type: 'function' })),
  })
const began = (toolCallId: string): Fields =>
  event('tool.execution_start', { toolCallId, toolName: 'bash', arguments: {} })
const done = (toolCallId: string): Fields =>
  event('tool.execution_complete', { toolCallId, success: true, result: { content: `got ${toolCallId}` } })
const inside = (parentToolCallId: string, { type, data }: Fields): Fields =>
  event(String(type), { ...(data as Fields), parentToolCallId })

const open = (records: Fields[]): Opened => Opened.lines(records)
const bytes = (records: Fields[]): Buffer => Buffer.from(records.map((each) => `${JSON.stringify(each)}\n`).join(''))
const found = (records: Fields[]): string[] =>
  check(bytes(records), {}).findings.map(({ rule, severity, line }) => `${severity} ${rule}@${line}`)

it.each<[string, Fields[], string]>([
  ['a session', events(user('a')), 'copilot-cli'],
  ['types of a later version', events(user('a'), event('moon.phase'), event('moon.phase')), 'copilot-cli'],
  ['other events', [{ type: 'user.message', payload: {}, id: '1' }], 'unknown'],
])('detection: %s', (_, records, format) => {
  expect(open(records).transcript.format).toBe(format)
})

describe('what is sent', () => {
  it.each<[string, Fields[], string[]]>([
    [
      'a pair',
      events(user('a'), answer('', 'c1'), began('c1'), done('c1')),
      ['user: text', 'assistant: tool-call(c1)', 'tool: tool-result(c1)'],
    ],
    [
      'none of a subagent’s events',
      events(user('a'), answer('', 'c1'), inside('c1', answer('', 's1')), inside('c1', done('s1')), done('c1')),
      ['user: text', 'assistant: tool-call(c1)', 'tool: tool-result(c1)'],
    ],
    ['an answer of calls and text', events(answer('x', 'c1')), ['assistant: text tool-call(c1)']],
    [
      'the summary and what came since its compaction was begun',
      events(
        user('old'),
        answer('', 'c0'),
        event('session.compaction_start'),
        done('c0'),
        user('new'),
        event('session.compaction_complete', { success: true, summaryContent: 'So far.' }),
        answer('x'),
      ),
      ['user: text', 'user: text', 'assistant: text'],
    ],
    [
      'all, where a compaction failed',
      events(user('old'), event('session.compaction_complete', { success: false, summaryContent: 'x' }), user('new')),
      ['user: text', 'user: text'],
    ],
  ])('%s', (_, records, shape) => {
    expect(open(records).shape).toEqual(shape)
  })

  it('a subagent has a conversation of its own', () => {
    const { transcript } = open(events(user('a'), { ...answer('b'), agentId: 'helper' }))
    expect(transcript.conversations.map(({ label, role }) => `${label}: ${role}`)).toEqual([
      'session: main',
      'subagent helper: subagent',
    ])
  })
})

describe('what is found', () => {
  it.each<[string, Fields[], string[]]>([
    [
      'a subagent between a call and its result',
      events(
        user('a'),
        answer('', 'c1'),
        began('c1'),
        inside('c1', answer('', 's1')),
        inside('c1', done('s1')),
        done('c1'),
        answer('x'),
      ),
      [],
    ],
    [
      'a call that was begun and never done',
      events(user('a'), answer('', 'c1'), began('c1'), event('abort'), user('b')),
      ['error orphan-tool-call@3'],
    ],
    [
      'one of a subagent',
      events(user('a'), answer('', 'c1'), inside('c1', answer('', 's1')), done('c1'), answer('x')),
      ['info orphan-tool-call@4'],
    ],
    ['a result without a call', events(user('a'), done('c0')), ['error orphan-tool-result@3']],
    ['a parent that is not there', events(user('a'), { ...user('b'), parentId: 'gone' }), []],
  ])('%s', (_, records, rules) => {
    expect(found(records)).toEqual(rules)
  })
})

describe('edits', () => {
  it('a failed execution is put behind the start of its call, before the abort', () => {
    const before = events(user('a'), answer('', 'c1'), began('c1'), event('abort'), user('b'))
    const { output } = fix(bytes(before), {})
    const after = Buffer.from(output)
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Fields)
    expect(after.map(({ type }) => type)).toEqual([
      'session.start',
      'user.message',
      'assistant.message',
      'tool.execution_start',
      'tool.execution_complete',
      'abort',
      'user.message',
    ])
    const [, , , started, added, abort] = after
    expect(added).toEqual({
      type: 'tool.execution_complete',
      data: { toolCallId: 'c1', success: false, error: { message: expect.any(String), code: 'interrupted' } },
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
      timestamp: '2026-05-01T09:00:03.001Z',
      parentId: started!.id,
    })
    expect(abort!.parentId).toBe(added!.id)
    expect(after.filter((each) => each !== added).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  })

  it('an orphan that is kept becomes a prompt', () => {
    const { output } = fix(bytes(events(user('a'), done('c0'), answer('x'))), { orphanResults: 'text' })
    const [, , kept] = Buffer.from(output)
      .toString()
      .split('\n')
      .map((line) => (line ? JSON.parse(line) : {}) as Fields)
    expect(kept).toMatchObject({
      type: 'user.message',
      data: { content: expect.stringContaining('got c0'), attachments: [] },
      parentId: id(2),
    })
  })

  it('what hung on a record that goes hangs on the one before', () => {
    const { output } = fix(bytes(events(user('a'), done('c0'), answer('x'))), {})
    const after = Buffer.from(output)
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Fields)
    expect(after.map(({ parentId }) => parentId)).toEqual([null, id(1), id(2)])
  })
})

it('names the command that resumes the session', () => {
  const { transcript } = open(events(user('a')))
  expect(transcript.of.resume!(transcript)).toBe('copilot --resume=aaaaaaaa-0000-4000-8000-000000000001')
})

it.each([
  ['claude-x', 'anthropic'],
  ['gpt-9', 'openai-chat'],
  [undefined, 'anthropic'],
])('the target of %s', (model, target) => {
  const { transcript } = open(events(user('a'), event('session.model_change', { newModel: model })))
  expect(transcript.target).toBe(target)
})

describe('a parent that is not there', () => {
  const [head, first, second, third] = events(user('a'), answer('b'), user('c'))

  it('is no fault where no event is torn: not all events are kept', () => {
    expect(found([head!, first!, third!])).toEqual([])
  })

  it('is no fault behind a torn event that it is not', () => {
    const torn = Buffer.concat([bytes([head!]), Buffer.from('{"type":"user.mes\n'), bytes([first!, second!, third!])])
    expect(check(torn, {}).findings.map(({ rule }) => rule)).toEqual(['torn-record'])
  })

  it('is the event before where the torn one stood', () => {
    const torn = Buffer.concat([bytes([head!, first!]), Buffer.from('{"type":"assis\n'), bytes([third!])])
    expect(check(torn, {}).findings.map(({ rule }) => rule)).toEqual(['torn-record', 'missing-parent'])
    const lines = Buffer.from(fix(torn, {}).output).toString().trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as Fields).parentId)).toEqual([null, id(1), id(2)])
  })
})
