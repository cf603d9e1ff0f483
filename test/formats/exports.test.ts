import { describe, expect, it } from 'vitest'
import { check, fix } from '../../src/index.ts'
import { Opened } from './opened.ts'

type Fields = { [key: string]: unknown }

const open = (value: unknown): Opened => new Opened(JSON.stringify(value))
const text = (value: string): Fields => ({ type: 'text', text: value })

const request = (id: string): Fields => ({
  type: 'toolRequest',
  id,
  toolCall: { status: 'success', value: { name: 'dig', arguments: {} } },
})
const response = (id: string, said = `got ${id}`): Fields => ({
  type: 'toolResponse',
  id,
  toolResult: { status: 'success', value: { content: [text(said)], isError: false } },
})
const said = (role: string, ...content: Fields[]): Fields => ({
  role,
  created: 1_780_000_000,
  content,
  metadata: { userVisible: true, agentVisible: true },
})
const session = (...conversation: Fields[]): Fields => ({ id: 's', working_dir: '/srv', name: 'n', conversation })

const part = (info: Fields, ...parts: Fields[]): Fields => ({ info, parts })
const tool = (callID: string, state: Fields): Fields => ({ type: 'tool', tool: 'dig', callID, state })
const exported = (...messages: Fields[]): Fields => ({ info: { id: 'ses_a' }, messages })
const answered = tool('c1', { status: 'completed', input: {}, output: 'ok', time: { start: 1, end: 2 } })
const running = tool('c2', { status: 'running', input: { a: 1.5 }, time: { start: 5 } })

describe('detection', () => {
  it.each<[string, unknown, string]>([
    ['a goose session', session(said('user', text('a'))), 'goose'],
    ['a conversation with the blocks of goose', { conversation: [said('assistant', request('a'))] }, 'goose'],
    ['a conversation of other things', { conversation: [{ role: 'user', content: 'a' }] }, 'unknown'],
    ['an opencode export', exported(part({ role: 'user' }, text('a'))), 'opencode'],
    ['messages with a role beside their parts', { messages: [{ role: 'user', parts: [{ text: 'a' }] }] }, 'unknown'],
    ['messages with content', { info: { id: 'x' }, messages: [{ role: 'user', content: 'a' }] }, 'openai-chat-body'],
  ])('%s', (_, value, format) => {
    expect(open(value).transcript.format).toBe(format)
  })

  it.each<[string, unknown[], string]>([
    [
      'what is told of the session first',
      [{ working_dir: '/', description: 'd' }, said('user', text('a'))],
      'goose-lines',
    ],
    ['a first line that is a message', [said('user', text('a')), said('assistant', request('a'))], 'goose-lines'],
    [
      'messages with a time and plain texts',
      [said('user', text('a')), said('assistant', text('b'))],
      'openai-chat-lines',
    ],
  ])('%s', (_, records, format) => {
    expect(Opened.lines(records).transcript.format).toBe(format)
  })
})

describe('goose', () => {
  it('leaves out what the agent does not see', () => {
    const hidden = { ...said('assistant', request('x')), metadata: { userVisible: true, agentVisible: false } }
    expect(open(session(hidden, said('user', text('a')))).shape).toEqual(['user: text'])
  })

  it('answers in a message of its own, with what goose needs to read it', () => {
    const file = open(session(said('user', text('a')), said('assistant', request('x')), said('user', text('b'))))
    expect(file.edit([{ do: 'answer', call: file.block('tool-call', 'x'), text: 'lost' }])).toEqual([true])
    expect(file.shape).toEqual(['user: text', 'assistant: tool-call(x)', 'user: tool-result(x)', 'user: text'])
    expect(JSON.parse(file.text).conversation[2]).toMatchObject({
      role: 'user',
      created: 1_780_000_000,
      metadata: { userVisible: true, agentVisible: true },
    })
  })

  it('joins two results of one call', () => {
    const file = open(session(said('assistant', request('x')), said('user', response('x', 'a'), response('x', 'b'))))
    const [into, from] = [file.block('tool-result', 'x'), file.block('tool-result', 'x', 1)]
    expect(file.edit([{ do: 'merge-result', from, into }])).toEqual([true])
    expect(JSON.parse(file.text).conversation[1].content).toEqual([
      {
        ...response('x'),
        toolResult: { status: 'success', value: { content: [text('a'), text('b')], isError: false } },
      },
    ])
  })
})

describe('opencode', () => {
  it('reads one part as a call and its result, step by step', () => {
    const step = { type: 'step-start' }
    const file = open(
      exported(part({ role: 'user' }, text('a')), part({ role: 'assistant' }, step, answered, step, text('b'))),
    )
    expect(file.shape).toEqual([
      'user: text',
      'assistant: opaque tool-call(c1)',
      'user: tool-result(c1)',
      'assistant: opaque text',
    ])
  })

  it.each<[string, Fields, string[]]>([
    ['an answer that failed', part({ role: 'assistant', error: { name: 'APIError' } }, running), []],
    [
      'an answer that was aborted after it had begun',
      part({ role: 'assistant', error: { name: 'MessageAbortedError' } }, text('b')),
      ['assistant: text'],
    ],
    ['a message without parts', part({ role: 'assistant' }), []],
  ])('%s', (_, message, shape) => {
    expect(open(exported(part({ role: 'user' }, text('a')), message)).shape).toEqual(['user: text', ...shape])
  })

  it('begins at a compaction that came to its summary', () => {
    const before = part({ id: 'm1', role: 'assistant' }, running)
    const asks = part({ id: 'm2', role: 'user' }, { type: 'compaction', auto: true })
    const summary = part({ id: 'm3', role: 'assistant', summary: true, finish: 'stop', parentID: 'm2' }, text('sum'))
    expect(open(exported(before, asks, summary)).shape).toEqual(['user: opaque', 'assistant: text'])
    expect(open(exported(before, asks)).shape).toEqual(['assistant: tool-call(c2)', 'user: opaque'])
  })

  it('answers a call inside its part and touches nothing else', () => {
    const value = exported(
      part({ role: 'user' }, text('a')),
      part({ role: 'assistant' }, answered, running),
      part({ role: 'user' }, text('b')),
    )
    const fixed = Buffer.from(fix(Buffer.from(JSON.stringify(value))).output).toString()
    const [, answer] = JSON.parse(fixed).messages
    expect(answer.parts[0]).toEqual(answered)
    expect(answer.parts[1].state).toMatchObject({ status: 'error', input: { a: 1.5 }, time: { start: 5, end: 5 } })
    expect(check(Buffer.from(fixed)).findings).toEqual([])
  })

  it('moves no result out of its part', () => {
    const file = open(exported(part({ role: 'assistant' }, answered, running)))
    const [result, call] = [file.block('tool-result', 'c1'), file.block('tool-call', 'c2')]
    expect(file.edit([{ do: 'move-result', result, call }], [{ do: 'remove-block', block: result }])).toEqual([
      false,
      false,
    ])
    expect(file.text).toBe(JSON.stringify(exported(part({ role: 'assistant' }, answered, running))))
  })
})

describe('ChatGPT export', () => {
  const node = (id: string, parent: string | null, role?: string): Fields => ({
    id,
    parent,
    message: role ? { author: { role }, content: { content_type: 'text', parts: [id] } } : null,
  })
  const tree = (current_node: string, ...nodes: Fields[]): Fields => ({
    current_node,
    mapping: Object.fromEntries(nodes.map((each) => [each.id, each])),
  })

  it.each<[string, Fields, string[]]>([
    [
      'the way from the current node to the root',
      tree('c', node('r', null), node('a', 'r', 'user'), node('b', 'a', 'assistant'), node('c', 'a', 'assistant')),
      ['user: text', 'assistant: text'],
    ],
    ['a ring', tree('b', node('a', 'b', 'user'), node('b', 'a', 'assistant')), ['user: text', 'assistant: text']],
    ['a parent that is not there', tree('b', node('b', 'x', 'assistant')), ['assistant: text']],
    ['a current node that is not there', tree('x', node('a', null, 'user')), []],
  ])('%s', (_, value, shape) => {
    const file = open([value])
    expect(file.transcript.format).toBe('chatgpt')
    expect(file.shape).toEqual(shape)
  })

  it('refuses to be edited', () => {
    const file = open(tree('a', node('a', null, 'user')))
    const before = file.text
    expect(file.edit([{ do: 'remove-message', message: file.messages[0]! }])).toEqual([false])
    expect(file.text).toBe(before)
  })
})
