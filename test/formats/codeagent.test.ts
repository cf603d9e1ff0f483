import { describe, expect, it } from 'vitest'
import { Flag } from '../../src/model/blocks.ts'
import { Opened } from './opened.ts'

type Record = { [key: string]: unknown }
let clock = 0
let count = 0
const record = (role: string, content: string | null, more: Record = {}): Record => ({
  id: `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`,
  role,
  content,
  tool_calls: null,
  tool_call_id: null,
  name: null,
  timestamp: `2026-07-01T00:00:${String(clock++ % 60).padStart(2, '0')}.123456+00:00`,
  turn_index: 1,
  ...more,
})
const calls = (...ids: string[]): Record =>
  record('assistant', null, {
    tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'ls', arguments: '{}' } })),
  })
const result = (id: string, content = 'out'): Record => record('tool', content, { tool_call_id: id, name: 'ls' })
const NOTE = '{"note": "此工具调用的结果因上下文压缩而丢失"}'
const SUMMARY = '[之前的对话已自动总结]'

describe('detection', () => {
  const bare = { role: 'user', content: 'hi' }
  it.each<[string, Record[], string]>([
    ['a session', [record('user', 'hi')], 'codeagent'],
    ['a session with a foreign line', [record('user', 'hi'), record('assistant', 'ho'), bare], 'codeagent'],
    ['a pinned message', [record('user', 'hi', { pinned: true })], 'codeagent'],
    ['a message that lacks one key', [{ ...record('user', 'hi'), turn_index: undefined }, bare], 'openai-chat-lines'],
    ['bare messages', [bare, { role: 'assistant', content: 'ho' }], 'openai-chat-lines'],
    [
      'a snapshot',
      [{ seq: 0, ts: '2026-07-01T00:00:00', ...bare }, { _meta: { session_id: 's', orig_len: 1 } }],
      'codeagent-transcript',
    ],
  ])('%s', (_, records, format) => {
    expect(Opened.lines(records).transcript.format).toBe(format)
  })

  it('knows a snapshot by its numbers and times', () => {
    const opened = Opened.lines([
      { seq: 0, ts: '2026-07-01T00:00:00', role: 'system', content: 'be kind' },
      { seq: 1, ts: '2026-07-01T00:00:00', role: 'user', content: 'hi' },
      { _meta: { session_id: 's', reason: 'pre_llm_compact', orig_len: 2 } },
    ])
    expect(opened.transcript.format).toBe('codeagent-transcript')
    expect(opened.shape).toEqual(['system: text', 'user: text'])
  })
})

describe('what codeAgent loads', () => {
  const texts = (opened: Opened): string[] =>
    opened.messages.map(({ entries }) =>
      String(opened.transcript.records.view(entries[0]!.record)!.get('content')!.string()),
    )

  it.each<[string, [string, string][], string[]]>([
    [
      'drops the system prompt',
      [
        ['system', 'be kind'],
        ['user', 'a'],
      ],
      ['a'],
    ],
    [
      'cuts at the last boundary',
      [
        ['user', 'a'],
        ['user', '[COMPACT_BOUNDARY]\nfirst'],
        ['user', 'b'],
        ['user', '[COMPACT_BOUNDARY]\nsecond'],
        ['user', 'c'],
      ],
      ['[COMPACT_BOUNDARY]\nsecond', 'c'],
    ],
    [
      'does not cut where an assistant speaks of a boundary',
      [
        ['user', 'a'],
        ['assistant', '[COMPACT_BOUNDARY] is a mark'],
      ],
      ['a', '[COMPACT_BOUNDARY] is a mark'],
    ],
    [
      'does not cut where the mark stands inside a text',
      [
        ['user', 'a'],
        ['user', 'see [COMPACT_BOUNDARY]'],
      ],
      ['a', 'see [COMPACT_BOUNDARY]'],
    ],
    [
      'drops the mark of a compaction that was cut short',
      [
        ['user', 'a'],
        ['user', '[COMPACT_START] 12'],
        ['user', 'b'],
      ],
      ['a', 'b'],
    ],
    [
      'keeps the newest summary',
      [
        ['user', `${SUMMARY}\none`],
        ['user', 'a'],
        ['user', '[紧急上下文压缩] two'],
        ['user', 'b'],
      ],
      ['a', '[紧急上下文压缩] two', 'b'],
    ],
    [
      'prefers a later bare summary to the boundary',
      [
        ['user', '[COMPACT_BOUNDARY]\none'],
        ['user', 'a'],
        ['user', `${SUMMARY}\ntwo`],
      ],
      ['a', `${SUMMARY}\ntwo`],
    ],
  ])('%s', (_, messages, expected) => {
    expect(texts(Opened.lines(messages.map(([role, content]) => record(role, content))))).toEqual(expected)
  })

  it('takes the mark off the summary that it sends', () => {
    const opened = Opened.lines([record('user', '[COMPACT_BOUNDARY]\nthe story so far'), record('user', 'go on')])
    const { dialect } = opened.transcript.of
    const views = opened.messages[0]!.entries.map((entry) => opened.transcript.records.view(entry.record)!)
    expect(dialect.carry('user', views)).toMatchObject({ content: 'the story so far' })
  })

  it('knows its own placeholder, and no other note, for one', () => {
    const opened = Opened.lines([calls('c1', 'c2'), result('c1', NOTE), result('c2', '{"note": "buy milk"}')])
    expect(opened.block('tool-result', 'c1').is(Flag.synthetic)).toBe(true)
    expect(opened.block('tool-result', 'c2').is(Flag.synthetic)).toBe(false)
  })
})

describe('the editor', () => {
  it('writes an answer with the envelope of its neighbour', () => {
    const opened = Opened.lines([
      record('user', 'go'),
      calls('c1', 'c2'),
      result('c2'),
      record('user', 'well?', { turn_index: 2 }),
    ])
    const before = opened.lines
    opened.edit([{ do: 'answer', call: opened.block('tool-call', 'c1'), text: '[convfix] lost' }])
    expect(opened.shape).toEqual([
      'user: text',
      'assistant: tool-call(c1) tool-call(c2)',
      'tool: tool-result(c2)',
      'tool: tool-result(c1)',
      'user: text',
    ])
    const made = opened.values[3]!
    expect(Object.keys(made)).toEqual([
      'id',
      'role',
      'content',
      'tool_calls',
      'tool_call_id',
      'name',
      'timestamp',
      'turn_index',
    ])
    expect(made).toMatchObject({
      role: 'tool',
      content: '[convfix] lost',
      tool_calls: null,
      tool_call_id: 'c1',
      name: 'ls',
      turn_index: 1,
    })
    expect(made.timestamp).toBe(String(opened.values[2]!.timestamp).replace('.123456', '.124456'))
    expect(opened.lines.filter((_, i) => i !== 3)).toEqual(before)
  })

  it('moves a result with its envelope, to the byte', () => {
    const opened = Opened.lines([calls('c1'), record('user', 'hm'), result('c1'), record('assistant', 'done')])
    const before = opened.lines
    opened.edit([
      { do: 'move-result', result: opened.block('tool-result', 'c1'), call: opened.block('tool-call', 'c1') },
    ])
    expect(opened.lines).toEqual([before[0], before[2], before[1], before[3]])
  })

  it('takes a result out and leaves the rest as it is', () => {
    const opened = Opened.lines([record('user', 'go'), result('c9'), record('assistant', 'done')])
    const before = opened.lines
    opened.edit([{ do: 'remove-block', block: opened.block('tool-result', 'c9') }])
    expect(opened.lines).toEqual([before[0], before[2]])
  })

  it('inserts a message before another one at the same time', () => {
    const opened = Opened.lines([record('assistant', 'hi', { turn_index: 0 }), record('user', 'ho')])
    opened.edit([{ do: 'insert-message', before: opened.messages[0]!, role: 'user', text: 'hello' }])
    expect(opened.values[0]).toMatchObject({
      role: 'user',
      content: 'hello',
      turn_index: 0,
      timestamp: opened.values[1]!.timestamp,
    })
  })

  it('writes a bare message with number and time into a snapshot', () => {
    const opened = Opened.lines([
      { seq: 0, ts: '2026-07-01T00:00:00', role: 'user', content: 'go' },
      { seq: 1, ts: '2026-07-01T00:00:00', role: 'assistant', content: null, tool_calls: calls('c1').tool_calls },
      { seq: 2, ts: '2026-07-01T00:00:00', role: 'user', content: 'well?' },
      { _meta: { session_id: 's', reason: 'pre_llm_compact', orig_len: 3 } },
    ])
    opened.edit([{ do: 'answer', call: opened.block('tool-call', 'c1'), text: 'lost' }])
    expect(opened.values[2]).toEqual({
      seq: 1,
      ts: '2026-07-01T00:00:00',
      role: 'tool',
      content: 'lost',
      tool_call_id: 'c1',
      name: 'ls',
    })
  })
})

it('names the command that resumes the session by the name of the file', () => {
  const { transcript } = Opened.lines([record('user', 'hi'), record('assistant', 'ho')])
  const at = (path: string | undefined) => transcript.of.resume!(Object.create(transcript, { path: { value: path } }))
  expect(at('/x/.sessions/abc.jsonl')).toBe('/resume abc')
  expect(at(undefined)).toBeUndefined()
})
