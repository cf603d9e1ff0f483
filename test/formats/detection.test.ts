import { expect, test } from 'vitest'
import { check } from '../../src/index.ts'

const lines = (...records: unknown[]): string => `${records.map((record) => JSON.stringify(record)).join('\n')}\n`
const document = (value: unknown): string => JSON.stringify(value)

const SESSION = '5d0c7a10-8f7e-4b0a-9a51-3c2f1e0d9b77'
const HI = { role: 'user', content: 'hi' }

/**
 * What a file is taken for, by content alone; the healthy files of every format stand in `fixtures/formats`. Each line here is a
 * near miss of another format: what tells the two apart is all that differs. `null`: no transcript.
 */
const TABLE: readonly (readonly [what: string, text: string, format: string | null])[] = [
  ['Claude Code', lines({ type: 'user', uuid: 'u', parentUuid: null, sessionId: SESSION, message: HI }), 'claude-code'],
  [
    'Qwen Code: the same envelope around parts',
    lines({
      type: 'user',
      uuid: 'u',
      parentUuid: null,
      sessionId: SESSION,
      message: { role: 'user', parts: [{ text: 'hi' }] },
    }),
    'qwen-code',
  ],
  [
    'pi',
    lines(
      { type: 'session', version: 3, id: SESSION, timestamp: '2026-01-01T00:00:00.000Z', cwd: '/mill' },
      { type: 'message', id: 'a', parentId: null, timestamp: '2026-01-01T00:00:00.000Z', message: HI },
    ),
    'pi',
  ],
  ['a line of the type session that is of no session', lines({ type: 'session', user: 'ada' }), null],
  [
    'Codex: items in an envelope',
    lines({ timestamp: '2026-01-01T00:00:00Z', type: 'response_item', payload: { type: 'message', ...HI } }),
    'codex',
  ],
  [
    'the same items without it',
    lines({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }),
    'openai-responses-lines',
  ],
  [
    'Anthropic: a block of its own',
    document([{ role: 'user', content: [{ type: 'image', source: {} }] }]),
    'anthropic',
  ],
  ['OpenAI: a part of its own', document([{ role: 'user', content: [{ type: 'image_url' }] }]), 'openai-chat'],
  ['texts that both have', document([{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]), 'openai-chat'],
  ['Converse: texts without a type', document([{ role: 'user', content: [{ text: 'hi' }] }]), 'bedrock-converse'],
  [
    'DashScope: so, too, but images by name',
    document([{ role: 'user', content: [{ text: 'hi' }, { image: 'x.png' }] }]),
    'openai-chat',
  ],
  ['Gemini: parts without a type', document([{ role: 'user', parts: [{ text: 'hi' }] }]), 'gemini'],
  ['AI SDK: parts with a type', document([{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }]), 'ai-sdk-ui'],
  [
    'Responses: parts of its own',
    document([{ type: 'message', role: 'user', content: [{ type: 'output_text', text: 'hi' }] }]),
    'openai-responses',
  ],
  ['a message with a type and nothing else of Responses', document([{ type: 'message', ...HI }]), 'openai-chat'],
  ['Ollama: images beside the text', document([{ ...HI, images: ['aGk='] }]), 'ollama'],
  [
    'Ollama: arguments that are an object',
    document([{ role: 'assistant', content: '', tool_calls: [{ function: { name: 'look', arguments: {} } }] }]),
    'ollama',
  ],
  [
    'OpenAI: arguments that are a text',
    document([
      { role: 'assistant', content: '', tool_calls: [{ id: 'c', function: { name: 'look', arguments: '{}' } }] },
    ]),
    'openai-chat',
  ],
  ['LangChain: a role of its own', document([{ type: 'human', content: 'hi' }]), 'langchain'],
  ['a state of LangGraph', document({ values: { messages: [{ type: 'human', content: 'hi' }] } }), 'langchain-body'],
  ['values without messages', document({ values: { messages: 3 } }), null],
  ['a row of ShareGPT', lines({ conversations: [{ from: 'human', value: 'hi' }] }), 'sharegpt'],
  ['a row of OpenAI', lines({ messages: [HI] }, { messages: [HI] }), 'openai-chat-rows'],
  [
    'a pair of answers',
    lines({ input: { messages: [HI] }, preferred_output: [], non_preferred_output: [] }),
    'openai-preferences',
  ],
  ['an export of ChatGPT', document([{ title: 'Mill', mapping: { a: { parent: null, children: [] } } }]), 'chatgpt'],
  ['a mapping of something else', document([{ title: 'Mill', mapping: { a: 'b' } }]), null],
  ['events', document([{ type: 'ping', data: {} }]), null],
  ['messages of a chat program', document([{ type: 'message', user: 'ada', text: 'hi' }]), null],
  ['people with roles', document([{ role: 'admin', name: 'ada' }]), null],
  ['a log', lines({ level: 'info', msg: 'x' }, { level: 'warn', msg: 'y' }), null],
  ['a package', document({ name: 'mill', version: '1.0.0' }), null],
  ['numbers', document([1, 2, 3]), null],
  ['a list without a message', '[]', 'openai-chat'],
  ['a body without a message', document({ messages: [] }), 'openai-chat-body'],
]

test.each(TABLE)('%s', (_, text, format) => {
  const found = check(text)
  expect(found.format).toBe(format)
  const rules = found.findings.map(({ rule }) => rule)
  if (format === null) expect(rules).toEqual(['not-a-transcript'])
  else expect(rules).not.toContain('not-a-transcript')
})
