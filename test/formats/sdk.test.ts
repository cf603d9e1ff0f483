import { describe, expect, it } from 'vitest'
import { type CheckOptions, check, fix } from '../../src/index.ts'
import { Opened } from './opened.ts'

type Item = { readonly [key: string]: unknown }

const open = (value: unknown): Opened => new Opened(JSON.stringify(value))
const formatOf = (value: unknown): string => open(value).transcript.format

/** What is found, and the value that the repair makes of it. */
function outcome(value: unknown, options: CheckOptions = {}): { found: string[]; fixed: unknown } {
  const text = JSON.stringify(value)
  const found = check(text, options).findings.map(({ rule, severity }) => `${severity} ${rule}`)
  const { output } = fix(text, options)
  expect(fix(output, options).output).toBe(output)
  return { found, fixed: JSON.parse(output) }
}

const TEXT =
  '[convfix] No result was recorded for this tool call: it was interrupted, or its result was lost. Whether it took effect is unknown.'

describe('LangChain', () => {
  const path = (name: string): string[] => ['langchain_core', 'messages', name]
  const lc = (name: string, kwargs: Item): Item => ({ lc: 1, type: 'constructor', id: path(name), kwargs })
  const call = (id: string, more: Item = {}): Item => ({ id, name: 'ls', args: {}, type: 'tool_call', ...more })
  const raw = (id: string): Item => ({ id, type: 'function', function: { name: 'ls', arguments: '{}' } })
  const human = { type: 'human', content: 'go' }
  const ai = (...calls: Item[]): Item => ({ type: 'ai', content: '', tool_calls: calls })
  const tool = (id: string): Item => ({ type: 'tool', content: 'a.txt', tool_call_id: id, name: 'ls' })

  it.each<[string, unknown, string]>([
    ['flat messages', [human, ai()], 'langchain'],
    ['flat messages by role', [{ role: 'human', content: 'go' }], 'langchain'],
    ['stored messages', [{ type: 'human', data: { content: 'go' } }], 'langchain'],
    ['constructors', [lc('HumanMessage', { content: 'go' })], 'langchain'],
    ['the state of an agent', { messages: [human] }, 'langchain-body'],
    ['a chat message of the role user', [{ role: 'user', content: 'go' }], 'openai-chat'],
    [
      'a chat message of the role tool',
      [{ role: 'tool', type: 'tool', content: 'x', tool_call_id: 'c' }],
      'openai-chat',
    ],
  ])('knows %s', (_, value, format) => {
    expect(formatOf(value)).toBe(format)
  })

  it.each<[string, unknown]>([
    ['constructors of something else', { lc: 1, type: 'constructor', id: ['langchain', 'llms', 'OpenAI'], kwargs: {} }],
    ['events with data', { type: 'ping', data: { content: 'go' } }],
    ['a tool of a request', { type: 'tool', content: 'ls' }],
    ['a system record of a session', { type: 'system', content: 'hook ran' }],
  ])('takes %s for none of its own', (_, item) => {
    expect(formatOf([item])).not.toMatch(/^langchain/)
  })

  it.each<[string, Item[], string[]]>([
    [
      'calls and results',
      [human, ai(call('c')), tool('c')],
      ['user: text', 'assistant: text tool-call(c)', 'tool: tool-result(c)'],
    ],
    [
      'a call that stands in the content, too',
      [human, { type: 'ai', content: [{ type: 'tool_use', id: 'c', name: 'ls', input: {} }], tool_calls: [call('c')] }],
      ['user: text', 'assistant: opaque tool-call(c)'],
    ],
    [
      'a call that stands in the content alone',
      [human, { type: 'ai', content: [{ type: 'tool_use', id: 'c', name: 'ls', input: {} }] }],
      ['user: text', 'assistant: tool-call(c)'],
    ],
    [
      'a call as the provider sent it, too',
      [human, { ...ai(call('c')), additional_kwargs: { tool_calls: [raw('c')] } }],
      ['user: text', 'assistant: text tool-call(c)'],
    ],
    [
      'a call as the provider sent it alone',
      [human, { ...ai(), additional_kwargs: { tool_calls: [raw('c')] } }],
      ['user: text', 'assistant: text tool-call(c)'],
    ],
    [
      'a call whose arguments did not parse',
      [human, { ...ai(), invalid_tool_calls: [call('c', { args: '{', type: 'invalid_tool_call' })] }],
      ['user: text', 'assistant: text tool-call(c)'],
    ],
    ['an order to remove', [human, { type: 'remove', id: 'm1', content: '' }, ai()], ['user: text', 'assistant: text']],
    ['a named role', [human, { type: 'generic', role: 'assistant', content: 'ok' }], ['user: text', 'assistant: text']],
  ])('reads %s', (_, messages, shape) => {
    expect(open(messages).shape).toEqual(shape)
    const stored = messages.map(({ type, ...data }) => ({ type, data }))
    expect(open(stored).shape).toEqual(shape)
  })

  it('answers a call in the envelope of its neighbour', () => {
    const answer = { content: TEXT, tool_call_id: 'c', name: 'ls', status: 'error' }
    const flat = [human, ai(call('c')), human]
    expect(outcome(flat)).toEqual({
      found: ['error orphan-tool-call'],
      fixed: [human, ai(call('c')), { type: 'tool', ...answer }, human],
    })
    const stored = flat.map(({ type, ...data }: Item) => ({ type, data }))
    expect(outcome({ messages: stored }).fixed).toEqual({
      messages: [stored[0], stored[1], { type: 'tool', data: answer }, stored[2]],
    })
    const made = [
      lc('HumanMessage', { content: 'go' }),
      lc('AIMessage', { content: '', tool_calls: [call('c')] }),
      lc('HumanMessage', { content: 'go' }),
    ]
    expect(outcome(made).fixed).toEqual([made[0], made[1], lc('ToolMessage', answer), made[2]])
  })

  it('moves a result as it stands', () => {
    const late = lc('ToolMessage', { content: 'a.txt', tool_call_id: 'c', status: 'success', artifact: { n: 1 } })
    const made = [
      lc('HumanMessage', { content: 'go' }),
      lc('AIMessage', { content: '', tool_calls: [call('c')] }),
      lc('HumanMessage', { content: 'go' }),
    ]
    expect(outcome([...made, late])).toEqual({
      found: ['error misordered-tool-result'],
      fixed: [made[0], made[1], late, made[2]],
    })
  })

  it('keeps a lone result as a message of the user', () => {
    const quoted = '[convfix] Result of a tool call that is not recorded:\na.txt'
    expect(
      outcome([lc('ToolMessage', { content: 'a.txt', tool_call_id: 'c' })], { format: 'langchain' }).fixed,
    ).toEqual([lc('HumanMessage', { content: quoted })])
  })

  it('renames and removes a call at all places where it stands', () => {
    const everywhere = {
      type: 'ai',
      content: [
        { type: 'text', text: 'Looking.' },
        { type: 'tool_use', id: 'a', name: 'ls', input: {} },
      ],
      tool_calls: [call('a'), call('b')],
      additional_kwargs: { tool_calls: [raw('a'), raw('b')] },
    }
    const renamed = open([human, everywhere, tool('a'), tool('b')])
    expect(renamed.edit([{ do: 'rename-id', block: renamed.block('tool-call', 'a'), id: 'z' }])).toEqual([true])
    expect(renamed.text.match(/"z"/g)).toHaveLength(3)
    expect(renamed.shape[1]).toBe('assistant: text opaque tool-call(z) tool-call(b)')
    const removed = open([human, everywhere, tool('b')])
    expect(removed.edit([{ do: 'remove-block', block: removed.block('tool-call', 'a') }])).toEqual([true])
    expect(JSON.parse(removed.text)[1]).toEqual({
      type: 'ai',
      content: [{ type: 'text', text: 'Looking.' }],
      tool_calls: [call('b')],
      additional_kwargs: { tool_calls: [raw('b')] },
    })
  })
})
