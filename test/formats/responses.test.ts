import { describe, expect, it } from 'vitest'
import { openaiResponses } from '../../src/dialects/openai-responses.ts'
import { type CheckOptions, check, fix } from '../../src/index.ts'
import { toText } from '../../src/text/edit.ts'
import { Opened } from './opened.ts'

type Item = { [key: string]: unknown }
const user = (text: string): Item => ({ role: 'user', content: [{ type: 'input_text', text }] })
const say = (text: string, more: Item = {}): Item => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
  ...more,
})
const call = (id: string, more: Item = {}): Item => ({
  type: 'function_call',
  call_id: id,
  name: 'ls',
  arguments: '{}',
  ...more,
})
const out = (id: string, output: unknown = 'a.txt', more: Item = {}): Item => ({
  type: 'function_call_output',
  call_id: id,
  output,
  ...more,
})
const reason = (id: string, more: Item = {}): Item => ({
  type: 'reasoning',
  id,
  summary: [],
  encrypted_content: 'gAAA',
  ...more,
})

const open = (items: readonly Item[] | Item): Opened => new Opened(JSON.stringify(items))
const RULES: CheckOptions = { format: 'openai-responses' }

/** What is found, and the items after the repair in a few words. */
function outcome(items: readonly Item[], options: CheckOptions = RULES): string[] {
  const text = JSON.stringify(items)
  const found = check(text, options).findings.map(({ rule, severity }) => `${severity} ${rule}`)
  const fixed = fix(text, options).output
  return [...found, ...(JSON.parse(fixed) as Item[]).map(words)]
}

const words = (item: Item): string =>
  [item.type ?? item.role, item.call_id, item.id].filter((word) => typeof word === 'string').join(' ')

describe('detection', () => {
  const chat = { role: 'user', content: 'hi' }
  it.each<[string, unknown, string]>([
    ['an array with parts of its own', [user('hi'), say('ho')], 'openai-responses'],
    ['an array that begins with plain messages', [chat, call('c'), out('c')], 'openai-responses'],
    ['plain messages alone', [chat], 'openai-chat'],
    [
      'Anthropic blocks',
      [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] }],
      'anthropic',
    ],
    ['a request body', { model: 'm', input: [chat] }, 'openai-responses-body'],
    ['a response body', { object: 'response', output: [say('ho')] }, 'openai-responses-body'],
    ['a chat body', { model: 'm', messages: [chat] }, 'openai-chat-body'],
    ['an output that is no response', { output: [{ type: 'text' }] }, 'unknown'],
  ])('%s', (_, value, format) => {
    expect(new Opened(JSON.stringify(value)).transcript.format).toBe(format)
  })

  it('knows lines of items and rows of bodies', () => {
    expect(Opened.lines([chat, call('c'), out('c')]).transcript.format).toBe('openai-responses-lines')
    expect(Opened.lines([{ input: [chat] }, { input: [user('hi')] }]).transcript.format).toBe('openai-responses-rows')
  })
})

describe('items', () => {
  it.each<[string, Item, string]>([
    ['a string', { role: 'developer', content: 'be brief' }, 'system: text'],
    [
      'parts',
      { role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AA' }] },
      'user: media',
    ],
    ['a call', call('c'), 'assistant: tool-call(c)'],
    ['an output', out('c'), 'tool: tool-result(c)'],
    ['a custom call', { type: 'custom_tool_call', call_id: 'c', name: 'p', input: '' }, 'assistant: tool-call(c)'],
    ['a shell call of old', { type: 'local_shell_call', id: 'lsh_1', action: {} }, 'assistant: tool-call(lsh_1)'],
    [
      'a search of the client',
      { type: 'tool_search_call', call_id: 'c', execution: 'client' },
      'assistant: tool-call(c)',
    ],
    ['a search of the server', { type: 'tool_search_call', call_id: 'c', execution: 'server' }, 'assistant: opaque'],
    ['a hosted call', { type: 'web_search_call', id: 'ws_1', status: 'completed' }, 'assistant: opaque'],
    ['a program', { type: 'program', call_id: 'c', code: '' }, 'assistant: opaque'],
    ['an output of no call', { type: 'function_call_output', call_id: null, output: 'x' }, 'tool: opaque'],
    ['reasoning', reason('rs_1'), 'assistant: thinking'],
    ['a type of tomorrow', { type: 'dream', id: 'd' }, 'assistant: opaque'],
  ])('%s', (_, item, shape) => {
    expect(open([user('q'), item]).shape[1]).toBe(shape)
  })
})

describe('pairing', () => {
  it.each<[string, Item[]]>([
    ['an output far behind its call', [user('q'), call('c'), say('meanwhile'), user('and?'), out('c')]],
    ['calls made together', [user('q'), reason('rs_1'), call('a'), call('b'), out('b'), out('a'), say('done')]],
    ['an output of no call', [user('q'), out('', 'x', { call_id: null }), say('ok')]],
    ['hosted calls', [user('q'), { type: 'web_search_call', id: 'ws_1', status: 'completed' }, say('ok')]],
    [
      'a shell output that names its call by item',
      [
        user('q'),
        { type: 'local_shell_call', id: 'lsh_1', call_id: 'c', action: {} },
        { type: 'local_shell_call_output', id: 'lsh_1', output: 'x' },
      ],
    ],
    [
      'one id in two kinds',
      [
        user('q'),
        call('c'),
        { type: 'custom_tool_call', call_id: 'c', name: 'p', input: '' },
        out('c'),
        { type: 'custom_tool_call_output', call_id: 'c', output: 'x' },
      ],
    ],
    ['messages in a row', [user('one'), user('two'), say('a'), say('b')]],
  ])('says nothing of %s', (_, items) => {
    expect(check(JSON.stringify(items), RULES).findings).toEqual([])
    expect(fix(JSON.stringify(items), RULES).output).toBe(JSON.stringify(items))
  })

  it('answers calls behind the last of those that were made together', () => {
    expect(outcome([user('q'), reason('rs_1'), call('a'), call('b'), out('b'), user('and?')])).toEqual([
      'error orphan-tool-call',
      'user',
      'reasoning rs_1',
      'function_call a',
      'function_call b',
      'function_call_output b',
      'function_call_output a',
      'user',
    ])
  })

  it.each<[string, Item, string]>([
    ['custom_tool_call', { name: 'p', input: '' }, 'custom_tool_call_output'],
    ['local_shell_call', { action: {} }, 'function_call_output'],
    ['shell_call', { action: {} }, 'shell_call_output'],
    ['apply_patch_call', { operation: {} }, 'apply_patch_call_output'],
    ['computer_call', { action: {} }, 'computer_call_output'],
    ['tool_search_call', { execution: 'client', arguments: {} }, 'tool_search_output'],
  ])('answers a %s in its own kind', (type, more, output) => {
    expect(outcome([user('q'), { type, call_id: 'c', ...more }, user('and?')])).toEqual([
      'error orphan-tool-call',
      'user',
      `${type} c`,
      `${output} c`,
      'user',
    ])
  })

  it('writes an output of the wrong kind as the one that its call wants', () => {
    const items = [
      user('q'),
      { type: 'custom_tool_call', call_id: 'c', name: 'p', input: '' },
      out('c', 'patched'),
      user('and?'),
    ]
    expect(outcome(items)).toEqual([
      'error misordered-tool-result',
      'user',
      'custom_tool_call c',
      'custom_tool_call_output c',
      'user',
    ])
    expect(fix(JSON.stringify(items), RULES).output).toContain('"output":"patched"')
  })

  it('moves an output that stands before its call, and keeps the reasoning', () => {
    expect(outcome([user('q'), reason('rs_1'), out('c'), call('c'), user('and?')])).toEqual([
      'error dangling-reasoning',
      'error misordered-tool-result',
      'user',
      'reasoning rs_1',
      'function_call c',
      'function_call_output c',
      'user',
    ])
  })

  it.each<[string, unknown, unknown, unknown]>([
    ['texts', 'one', 'two', 'one\n\ntwo'],
    [
      'parts',
      'one',
      [{ type: 'input_image', image_url: 'https://example.com/u.png' }],
      [
        { type: 'input_text', text: 'one' },
        { type: 'input_image', image_url: 'https://example.com/u.png' },
      ],
    ],
  ])('appends a second output: %s', (_, first, second, both) => {
    const fixed = fix(JSON.stringify([user('q'), call('c'), out('c', first), out('c', second)]), RULES).output
    expect((JSON.parse(fixed) as Item[])[2]!.output).toEqual(both)
  })

  it('keeps an output as text where nothing else would be left', () => {
    const fixed = fix(JSON.stringify([out('gone', 'nine rows')]), RULES).output
    expect(JSON.parse(fixed)).toEqual([
      {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: '[convfix] Result of a tool call that is not recorded:\nnine rows' }],
      },
    ])
  })

  it('leaves the calls of an answer to whoever gets it', () => {
    const answer = { object: 'response', output: [reason('rs_1'), call('c', { id: 'fc_1' })] }
    expect(check(JSON.stringify(answer)).findings).toEqual([])
    const request = { input: [user('q'), reason('rs_1'), call('c', { id: 'fc_1' })] }
    expect(check(JSON.stringify(request)).findings.map(({ rule }) => rule)).toEqual(['orphan-tool-call'])
  })
})

describe('reasoning', () => {
  it.each<[string, Item[], string[]]>([
    ['before a prompt', [user('q'), reason('rs_1'), user('and?')], ['error dangling-reasoning', 'user', 'user']],
    [
      'at the end',
      [user('q'), reason('rs_1'), reason('rs_2')],
      ['warning dangling-reasoning', 'warning dangling-reasoning', 'user'],
    ],
    ['without an id', [user('q'), reason('', { id: undefined }), user('and?')], ['user', 'reasoning', 'user']],
    [
      'before a hosted call',
      [user('q'), reason('rs_1'), { type: 'web_search_call', id: 'ws_1' }],
      ['user', 'reasoning rs_1', 'web_search_call ws_1'],
    ],
    [
      'with content that is no base64',
      [user('q'), reason('rs_1', { encrypted_content: 'gAA…' }), call('c', { id: 'fc_1' }), out('c')],
      ['error reasoning-not-portable', 'user', 'function_call c', 'function_call_output c'],
    ],
    [
      'without summary',
      [user('q'), reason('rs_1', { summary: undefined }), say('ok')],
      ['error missing-field', 'user', 'reasoning rs_1', 'message'],
    ],
  ])('%s', (_, items, expected) => {
    expect(outcome(items)).toEqual(expected)
  })

  it.each([
    [false, ['reasoning-not-portable']],
    [true, []],
    [undefined, []],
  ])('that has an id alone, with store %s', (store, rules) => {
    const body = { store, input: [user('q'), reason('rs_1', { encrypted_content: null }), say('ok', { id: 'msg_1' })] }
    expect(check(JSON.stringify(body)).findings.map(({ rule }) => rule)).toEqual(rules)
  })

  it('takes the ids from what lost reasoning led to', () => {
    const items = [
      user('q'),
      reason('rs_1'),
      say('a', { id: 'msg_1' }),
      reason('rs_2'),
      call('c', { id: 'fc_2' }),
      out('c'),
    ]
    const lines = items.map((item) => JSON.stringify(item))
    lines[3] = lines[3]!.slice(0, 30)
    const text = `${lines.join('\n')}\n`
    expect(check(text).findings.map(({ rule }) => rule)).toEqual(['torn-record', 'missing-reasoning'])
    expect(fix(text).output.split('\n')[3]).toBe(JSON.stringify(call('c')))
  })
})

describe('item ids', () => {
  it.each<[string, Item[], string[]]>([
    [
      'that repeat',
      [user('q'), say('a', { id: 'msg_1' }), say('a', { id: 'msg_1' })],
      ['error invalid-item-id', 'user', 'message msg_1', 'message'],
    ],
    [
      'of reasoning that has nothing else',
      [
        user('q'),
        reason('rs_1', { encrypted_content: undefined }),
        say('a'),
        reason('rs_1', { encrypted_content: undefined }),
        say('b'),
      ],
      ['error invalid-item-id', 'user', 'reasoning rs_1', 'message', 'message'],
    ],
    [
      'of another type',
      [user('q'), call('c', { id: 'call_9' }), out('c')],
      ['error invalid-item-id', 'user', 'function_call c', 'function_call_output c'],
    ],
    [
      'that are right',
      [user('q'), call('c', { id: 'fc_9' }), out('c', 'x', { id: 'fco_9' })],
      ['user', 'function_call c fc_9', 'function_call_output c fco_9'],
    ],
    [
      'of a copy that goes',
      [user('q'), call('c', { id: 'fc_9' }), call('c', { id: 'fc_9' }), out('c')],
      ['error duplicate-tool-call', 'error invalid-item-id', 'user', 'function_call c fc_9', 'function_call_output c'],
    ],
  ])('%s', (_, items, expected) => {
    expect(outcome(items)).toEqual(expected)
  })
})

describe('the wire shape', () => {
  const written = (json: unknown): unknown => JSON.parse(Buffer.from(toText(json as never)).toString())

  it('is carried without what clients keep beside it', () => {
    const opened = open([{ ...say('ok'), timestamp: 1, internal_chat_message_metadata_passthrough: {} }])
    const stored = opened.transcript.records.view(0)!.at(0)!
    expect(written(openaiResponses.carry('assistant', [stored]))).toEqual(say('ok'))
  })

  it('is rendered from the content of others', () => {
    const items = openaiResponses.render('assistant', [
      { kind: 'thinking', text: 'hm', stored: null },
      { kind: 'text', text: 'on it' },
      { kind: 'tool-call', id: 'c', name: 'ls', input: { n: 1 } },
    ])
    expect(written(items)).toEqual([say('on it'), call('c', { arguments: '{"n":1}' })])
    const results = openaiResponses.render('user', [
      { kind: 'tool-result', id: 'c', name: 'ls', error: false, content: [{ kind: 'text', text: 'a.txt' }] },
      { kind: 'text', text: 'thanks' },
    ])
    expect(written(results)).toEqual([out('c'), { type: 'message', ...user('thanks') }])
  })
})
