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

describe('AI SDK model messages', () => {
  const call = (id: string, more: Item = {}): Item => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: 'ls',
    input: {},
    ...more,
  })
  const result = (id: string, value = 'a.txt'): Item => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: 'ls',
    output: { type: 'text', value },
  })
  const user = { role: 'user', content: 'go' }
  const says = (...content: Item[]): Item => ({ role: 'assistant', content })
  const tool = (...content: Item[]): Item => ({ role: 'tool', content })
  const text = { type: 'text', text: 'ok' }
  const error = (id: string): Item => ({ ...result(id), output: { type: 'error-text', value: TEXT } })

  it.each<[string, unknown, string]>([
    ['calls', [user, says(call('c'))], 'ai-sdk'],
    ['a file', [{ role: 'user', content: [{ type: 'file', data: 'AA==', mediaType: 'application/pdf' }] }], 'ai-sdk'],
    ['a body', { messages: [user, says(call('c'))] }, 'ai-sdk-body'],
    [
      'a file of Chat Completions',
      [{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }],
      'openai-chat',
    ],
    ['an image of Anthropic', [{ role: 'user', content: [{ type: 'image', source: {} }] }], 'anthropic'],
    ['texts alone', [user], 'openai-chat'],
  ])('knows %s', (_, value, format) => {
    expect(formatOf(value)).toBe(format)
  })

  it.each<[string, Item[]]>([
    ['results in one message', [user, says(call('a'), call('b')), tool(result('b'), result('a')), user]],
    ['results in messages in a row', [user, says(call('a'), call('b')), tool(result('b')), tool(result('a')), user]],
    [
      'a call that the provider ran',
      [user, says(call('a', { providerExecuted: true }), result('a'), { type: 'text', text: 'ok' }), user],
    ],
    [
      'a call that waits for approval',
      [user, says(call('a'), { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' })],
    ],
    [
      'an approved call',
      [
        user,
        says(call('a'), { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' }),
        tool({ type: 'tool-approval-response', approvalId: 'p', approved: true }),
      ],
    ],
    [
      'an approved call that ran',
      [
        user,
        says(call('a'), { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' }),
        tool({ type: 'tool-approval-response', approvalId: 'p', approved: true }),
        tool(result('a')),
      ],
    ],
  ])('says nothing of %s', (_, messages) => {
    expect(outcome(messages)).toEqual({ found: [], fixed: messages })
  })

  it('answers what is open at the end of the run of results', () => {
    expect(outcome([user, says(call('a'), call('b')), tool(result('b')), user])).toEqual({
      found: ['error orphan-tool-call'],
      fixed: [user, says(call('a'), call('b')), tool(result('b')), tool(error('a')), user],
    })
    const old = { type: 'tool-call', toolCallId: 'a', toolName: 'ls', args: {} }
    const { output, ...named } = error('a')
    expect(outcome([user, says(old), user]).fixed).toEqual([
      user,
      says(old),
      tool({ ...named, result: TEXT, isError: true }),
      user,
    ])
  })

  it('does not forgive a request for approval that the conversation went past', () => {
    const asked = says(call('a'), { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' })
    expect(outcome([user, asked, user]).found).toEqual(['error orphan-tool-call'])
  })

  it.each<[string, Item[], string[], Item[]]>([
    [
      'moves a result out of a message that has others',
      [user, says(call('a')), user, tool(result('a')), says(call('b')), tool(result('b'))],
      ['error misordered-tool-result'],
      [user, says(call('a')), tool(result('a')), user, says(call('b')), tool(result('b'))],
    ],
    [
      'moves one of two results',
      [user, says(call('a')), says(call('b')), tool(result('b'), result('a'))],
      ['error misordered-tool-result'],
      [user, says(call('a')), tool(result('a')), says(call('b')), tool(result('b'))],
    ],
    [
      'removes one of two results',
      [user, says(call('a')), tool(result('a'), result('z')), user],
      ['error orphan-tool-result'],
      [user, says(call('a')), tool(result('a')), user],
    ],
    [
      'removes a message of one result',
      [user, tool(result('z')), says(text)],
      ['error orphan-tool-result'],
      [user, says(text)],
    ],
    [
      'joins two texts',
      [user, says(call('a')), tool(result('a'), result('a', 'b.txt'))],
      ['error duplicate-tool-result'],
      [user, says(call('a')), tool(result('a', 'a.txt\n\nb.txt'))],
    ],
  ])('%s', (_, messages, found, fixed) => {
    expect(outcome(messages)).toEqual({ found, fixed })
  })

  it('joins a text and a value as parts', () => {
    const json = { ...result('a'), output: { type: 'json', value: { n: 1 } } }
    const { fixed } = outcome([user, says(call('a')), tool(result('a'), json)])
    const parts = [
      { type: 'text', text: 'a.txt' },
      { type: 'text', text: '{"n":1}' },
    ]
    expect(fixed).toEqual([user, says(call('a')), tool({ ...result('a'), output: { type: 'content', value: parts } })])
  })

  it('keeps an orphan as text of the user', () => {
    const messages = [user, says(call('a')), tool(result('z'), result('a')), says(text)]
    const said = {
      role: 'user',
      content: [{ type: 'text', text: '[convfix] Result of a tool call that is not recorded:\na.txt' }],
    }
    const { output } = fix(JSON.stringify(messages), { orphanResults: 'text' })
    expect(JSON.parse(output)).toEqual([user, says(call('a')), tool(result('a')), said, says(text)])
  })
})

describe('AI SDK UI messages', () => {
  const part = (id: string, state: string, more: Item = {}): Item => ({
    type: 'tool-ls',
    toolCallId: id,
    state,
    input: {},
    ...more,
  })
  const done = (id: string): Item => part(id, 'output-available', { output: 'a.txt' })
  const step = { type: 'step-start' }
  const text = { type: 'text', text: 'ok', state: 'done' }
  const user = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'go' }] }
  const says = (...parts: Item[]): Item => ({ id: 'a', role: 'assistant', parts })
  const next = { ...user, id: 'u2' }

  it.each<[string, unknown, string]>([
    ['messages', [user, says(step, text)], 'ai-sdk-ui'],
    ['a chat', { id: 'chat', messages: [user] }, 'ai-sdk-ui-body'],
    ['lines', [user], 'ai-sdk-ui'],
    ['parts of Gemini', [{ role: 'user', parts: [{ text: 'go' }] }], 'gemini'],
    ['parts under a role of its own', [{ role: 'model', parts: [{ type: 'text', text: 'x' }] }], 'unknown'],
  ])('knows %s', (_, value, format) => {
    if (format === 'unknown') expect(formatOf(value)).not.toMatch(/^ai-sdk/)
    else expect(formatOf(value)).toBe(format)
  })

  it('makes the messages that the SDK sends', () => {
    expect(open([user, says(step, text, done('a'), done('b'), step, text), next]).shape).toEqual([
      'user: text',
      'assistant: text tool-call(a) tool-call(b)',
      'tool: tool-result(a) tool-result(b)',
      'assistant: text',
      'user: text',
    ])
  })

  it.each<[string, Item[]]>([
    ['a call that is done', [user, says(step, done('a'), step, text), next]],
    ['a call that failed', [user, says(part('a', 'output-error', { errorText: 'no' })), next]],
    [
      'a call that was denied',
      [user, says(part('a', 'output-denied', { approval: { id: 'p', approved: false } })), next],
    ],
    ['input that still streams', [user, says(part('a', 'input-streaming')), next]],
    ['a call that the provider ran', [user, says(part('a', 'input-available', { providerExecuted: true })), next]],
    ['a call that waits for approval', [user, says(part('a', 'approval-requested', { approval: { id: 'p' } }))]],
    ['an empty answer', [user, says()]],
    ['steps without calls', [user, says(step, text, step, text), next]],
    ['a state of tomorrow', [user, says(part('a', 'dreaming')), next]],
  ])('says nothing of %s', (_, messages) => {
    expect(outcome(messages)).toEqual({ found: [], fixed: messages })
  })

  it.each<[string, Item, Item]>([
    ['a call', part('a', 'input-available'), part('a', 'output-error', { errorText: TEXT })],
    ['a call that nobody approved', part('a', 'approval-requested'), part('a', 'output-error', { errorText: TEXT })],
    [
      'a call of a tool of its own',
      { ...part('a', 'input-available'), type: 'dynamic-tool', toolName: 'ls' },
      { ...part('a', 'output-error', { errorText: TEXT }), type: 'dynamic-tool', toolName: 'ls' },
    ],
    [
      'a call of version 4',
      { type: 'tool-invocation', toolInvocation: { toolCallId: 'a', toolName: 'ls', state: 'call', args: {} } },
      {
        type: 'tool-invocation',
        toolInvocation: { toolCallId: 'a', toolName: 'ls', state: 'result', args: {}, result: TEXT },
      },
    ],
  ])('closes %s', (_, before, after) => {
    expect(outcome([user, says(step, done('z'), before, step, text), next])).toEqual({
      found: ['error orphan-tool-call'],
      fixed: [user, says(step, done('z'), after, step, text), next],
    })
  })

  it('joins what the user said in a row, although each message has an id', () => {
    expect(outcome([user, next])).toEqual({
      found: ['warning stacked-roles'],
      fixed: [{ ...user, parts: [...user.parts, ...next.parts] }],
    })
    const human = (id: string): Item => ({ type: 'human', id, content: 'go' })
    expect(outcome([human('1'), human('2')]).fixed).toEqual([
      {
        ...human('1'),
        content: [
          { type: 'text', text: 'go' },
          { type: 'text', text: 'go' },
        ],
      },
    ])
  })

  it('takes a call that stands twice out with its result', () => {
    const { found, fixed } = outcome([user, says(step, done('a'), done('a'), text), next])
    expect(found).toEqual(['error duplicate-tool-call'])
    expect(fixed).toEqual([user, says(step, done('a'), text), next])
  })
})

describe('Bedrock Converse', () => {
  const use = (id: string): Item => ({ toolUse: { toolUseId: id, name: 'ls', input: {} } })
  const result = (id: string, ...content: Item[]): Item => ({ toolResult: { toolUseId: id, content } })
  const user = (...content: Item[]): Item => ({ role: 'user', content })
  const says = (...content: Item[]): Item => ({ role: 'assistant', content })
  const go = { text: 'go' }

  it.each<[string, unknown, string]>([
    ['texts', [user(go)], 'bedrock-converse'],
    ['a body', { modelId: 'm', messages: [user(go)] }, 'bedrock-converse-body'],
    ['blocks with types', [user({ type: 'text', text: 'go' })], 'openai-chat'],
    ['parts of DashScope', [user({ image: 'https://example.org/a.png' }, go)], 'bedrock-converse-none'],
    ['parts of Gemini', [{ role: 'user', parts: [go] }], 'gemini'],
  ])('knows %s', (_, value, format) => {
    if (format.endsWith('none')) expect(formatOf(value)).not.toMatch(/^bedrock/)
    else expect(formatOf(value)).toBe(format)
  })

  it('reads every kind of block', () => {
    const image = { image: { format: 'png', source: { bytes: 'AA==' } } }
    const thinks = { reasoningContent: { reasoningText: { text: 'x', signature: 's' } } }
    const messages = [user(go, image, { cachePoint: {} }), says(thinks, use('a')), user(result('a', { json: {} }))]
    expect(open(messages).shape).toEqual([
      'user: text media opaque',
      'assistant: thinking tool-call(a)',
      'user: tool-result(a)',
    ])
  })

  it('answers a call in the next message of the user', () => {
    const error = { toolResult: { toolUseId: 'b', content: [{ text: TEXT }], status: 'error' } }
    expect(outcome([user(go), says(use('a'), use('b')), user(result('a', go), go)])).toEqual({
      found: ['error orphan-tool-call'],
      fixed: [user(go), says(use('a'), use('b')), user(result('a', go), error, go)],
    })
    expect(outcome([user(go), says(use('b'))]).fixed).toEqual([user(go), says(use('b')), user(error)])
  })

  it('joins messages in a row, which the API refuses', () => {
    expect(outcome([user(go), user(go)])).toEqual({ found: ['error stacked-roles'], fixed: [user(go, go)] })
  })

  it('joins two results of one call', () => {
    const twice = [user(go), says(use('a')), user(result('a', go), result('a', { json: { n: 1.0 } }))]
    expect(outcome(twice, { select: ['duplicate-tool-result'] }).fixed).toEqual([
      user(go),
      says(use('a')),
      user(result('a', go, { json: { n: 1 } })),
    ])
  })
})

describe('Mistral', () => {
  const call = (id: string): Item => ({ id, type: 'function', function: { name: 'ls', arguments: '{}' } })
  const chat = (a: string, b: string): Item[] => [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: '', tool_calls: [call(a), call(b)] },
    { role: 'tool', tool_call_id: a, content: 'a.txt' },
    { role: 'tool', tool_call_id: b, content: 'b.txt' },
  ]

  it('wants ids of nine letters and digits, and no two become one', () => {
    const { found, fixed } = outcome(chat('call_same_1', 'call_same_2'), { target: 'mistral' })
    expect(found).toEqual(['error invalid-tool-call-id', 'error invalid-tool-call-id'])
    const [, says, first, second] = fixed as { tool_calls: { id: string }[]; tool_call_id: string }[]
    const ids = says!.tool_calls.map(({ id }) => id)
    expect(ids).toEqual([first!.tool_call_id, second!.tool_call_id])
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
  })

  it('takes such ids as they are', () => {
    expect(outcome(chat('abcdefgh1', 'abcdefgh2'), { target: 'mistral' }).found).toEqual([])
  })
})

describe('Ollama', () => {
  const call = (name: string): Item => ({ function: { name, arguments: {} } })
  const user = (content: string, more: Item = {}): Item => ({ role: 'user', content, ...more })
  const says = (...names: string[]): Item => ({ role: 'assistant', content: '', tool_calls: names.map(call) })
  const result = (name: string, content = 'x'): Item => ({ role: 'tool', tool_name: name, content })

  it.each<[string, unknown, string]>([
    ['arguments that are an object', [user('go'), says('ls')], 'ollama'],
    ['images beside the text', [user('go', { images: ['AA=='] })], 'ollama'],
    ['a result that names its tool', { model: 'm', messages: [user('go'), result('ls')] }, 'ollama-body'],
    [
      'arguments that are a text',
      [{ role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'ls', arguments: '{}' } }] }],
      'openai-chat',
    ],
    ['texts alone', [user('go')], 'openai-chat'],
    ['paths of images beside the conversation', { messages: [user('<image>')], images: ['a.png'] }, 'openai-chat-body'],
  ])('knows %s', (_, value, format) => {
    expect(formatOf(value)).toBe(format)
  })

  it('pairs by the order in which one tool is called', () => {
    const messages = [
      user('go'),
      says('ls', 'cat', 'ls'),
      result('cat'),
      result('ls', '1'),
      result('ls', '2'),
      user('ok'),
    ]
    expect(outcome(messages)).toEqual({ found: [], fixed: messages })
  })

  it('never tells of an id that is not stored', () => {
    const [finding] = check(JSON.stringify([user('go'), says('ls'), user('ok')])).findings
    expect(finding).toMatchObject({ message: 'ls call has no result', ids: [] })
  })

  it('answers a call without writing an id', () => {
    expect(outcome([user('go'), says('ls', 'cat'), result('cat'), user('ok')])).toEqual({
      found: ['warning orphan-tool-call'],
      fixed: [user('go'), says('ls', 'cat'), result('cat'), result('ls', TEXT), user('ok')],
    })
  })

  it('joins texts and images as they are', () => {
    const [a, b] = [user('one', { images: ['AA=='] }), user('two', { images: ['BB=='] })]
    expect(outcome([a, b], { select: ['stacked-roles'] }).fixed).toEqual([
      user('one\n\ntwo', { images: ['AA==', 'BB=='] }),
    ])
  })
})

describe('names of tools', () => {
  it.each<[string, Item, Item]>([
    [
      'LangChain, at all places',
      {
        type: 'ai',
        content: 'x',
        tool_calls: [{ id: 'a', name: 'old', args: {} }],
        additional_kwargs: { tool_calls: [{ id: 'a', function: { name: 'old', arguments: '{}' } }] },
      },
      {
        type: 'ai',
        content: 'x',
        tool_calls: [{ id: 'a', name: 'new', args: {} }],
        additional_kwargs: { tool_calls: [{ id: 'a', function: { name: 'new', arguments: '{}' } }] },
      },
    ],
    [
      'AI SDK UI, in the type',
      { role: 'assistant', parts: [{ type: 'tool-old', toolCallId: 'a', state: 'input-available', input: {} }] },
      { role: 'assistant', parts: [{ type: 'tool-new', toolCallId: 'a', state: 'input-available', input: {} }] },
    ],
    [
      'Bedrock Converse',
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'old', input: {} } }] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'new', input: {} } }] },
    ],
    [
      'Ollama',
      { role: 'assistant', content: '', tool_calls: [{ id: 'a', function: { name: 'old', arguments: {} } }] },
      { role: 'assistant', content: '', tool_calls: [{ id: 'a', function: { name: 'new', arguments: {} } }] },
    ],
  ])('%s', (_, before, after) => {
    const opened = open([before])
    expect(opened.edit([{ do: 'rename-tool', block: opened.block('tool-call', 'a'), name: 'new' }])).toEqual([true])
    expect(JSON.parse(opened.text)).toEqual([after])
  })
})
