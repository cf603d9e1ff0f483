import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FORMATS } from '../../src/formats/index.ts'
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

const KEYS = /"(?:messages|contents|input|conversation)"/g
const OTHER_LIST = [KEYS, '"turns"', null] as const
const NO_ROLES = [/"role"/g, '"from"', null] as const

/** The healthy file of each format with one word changed, and what it is taken for then: all that shows the format is that word. */
const NEAR: Readonly<Record<string, readonly [word: RegExp, instead: string, format: string | null]>> = {
  'claude-code': [/"content"/g, '"parts"', 'qwen-code'],
  'qwen-code': [/"parts"/g, '"content"', 'claude-code'],
  pi: [/"type":"(?:session|message)"/g, '"type":"entry"', null],
  'copilot-cli': [/"parentId"/g, '"parent"', null],
  cline: [/"content"/g, '"said"', null],
  'cline-messages': [/"version"/, '"edition"', 'anthropic-body'],
  goose: [/"conversation"/, '"messages"', 'openai-chat-body'],
  'goose-lines': [/"created"/g, '"time"', null],
  opencode: [/"info"/g, '"about"', null],
  codeagent: [/"turn_index"/g, '"turn"', 'openai-chat-lines'],
  'codeagent-transcript': [/"seq"/g, '"number"', null],
  codex: [/"payload"/g, '"body"', null],
  'codex-bare': [/"timestamp"/, '"time"', null],
  'codex-document': [/"session"/, '"about"', null],
  'gemini-cli': [/"type":"gemini"/g, '"type":"qwen"', null],
  'gemini-cli-document': [/"projectHash"/g, '"project"', null],
  'gemini-checkpoint': [/"(?:clientHistory|history)"/, '"contents"', 'gemini-body'],
  langchain: [/"(?:AI|Human|Tool|System)Message"/g, '"Document"', null],
  'langchain-body': OTHER_LIST,
  'langchain-rows': OTHER_LIST,
  'langchain-lines': [/"(?:AI|Human|Tool|System)Message"/g, '"Document"', null],
  'ai-sdk-ui': [/"type"/g, '"kind"', null],
  'ai-sdk-ui-body': OTHER_LIST,
  'ai-sdk-ui-rows': OTHER_LIST,
  'ai-sdk-ui-lines': [/"type"/g, '"kind"', null],
  'ai-sdk': [/"type"/g, '"kind"', 'bedrock-converse'],
  'ai-sdk-body': [/"type"/g, '"kind"', 'bedrock-converse-body'],
  'ai-sdk-rows': [/"type"/g, '"kind"', 'bedrock-converse-rows'],
  'ai-sdk-lines': [/"type"/g, '"kind"', 'bedrock-converse-lines'],
  'openai-preferences': [/"preferred_output"/g, '"liked"', null],
  'openai-batch': [/"custom_id"/g, '"name"', null],
  'openai-batch-responses': [/"body"/g, '"request"', null],
  'openai-batch-responses-output': [/"output":/g, '"answers":', 'openai-batch-output'],
  'anthropic-batch': [/"params"/g, '"request"', null],
  'anthropic-batch-body': [/"requests"/g, '"asked"', null],
  sharegpt: [/"from"/g, '"role"', null],
  'sharegpt-array': [/"conversations"/g, '"turns"', null],
  chatgpt: [/"mapping"/g, '"map"', null],
  'openai-batch-output': [/"response"/g, '"answer"', null],
  'anthropic-batch-results': [/"result"/g, '"outcome"', null],
  'openai-responses': [/"type"/g, '"kind"', 'bedrock-converse'],
  'openai-responses-body': OTHER_LIST,
  'openai-responses-rows': OTHER_LIST,
  'openai-responses-lines': [/"type"/g, '"kind"', null],
  anthropic: [/"type"/g, '"kind"', 'openai-chat'],
  'anthropic-body': [/"type"/g, '"kind"', 'openai-chat-body'],
  'anthropic-rows': [/"type"/g, '"kind"', 'openai-chat-rows'],
  'anthropic-lines': [/"type"/g, '"kind"', 'openai-chat-lines'],
  'bedrock-converse': [/"content"/g, '"parts"', 'gemini'],
  'bedrock-converse-body': OTHER_LIST,
  'bedrock-converse-rows': OTHER_LIST,
  'bedrock-converse-lines': NO_ROLES,
  gemini: [/"parts"/g, '"content"', 'bedrock-converse'],
  'gemini-body': OTHER_LIST,
  'gemini-rows': OTHER_LIST,
  'gemini-lines': [/"parts"/g, '"content"', 'bedrock-converse-lines'],
  'openai-chat-examples': OTHER_LIST,
  ollama: NO_ROLES,
  'ollama-body': OTHER_LIST,
  'ollama-rows': OTHER_LIST,
  'ollama-lines': NO_ROLES,
  'openai-chat': [/"type"/g, '"kind"', 'bedrock-converse'],
  'openai-chat-body': [/"type"/g, '"kind"', 'bedrock-converse-body'],
  'openai-chat-rows': [/"type"/g, '"kind"', 'bedrock-converse-rows'],
  'openai-chat-lines': [/"type"/g, '"kind"', 'bedrock-converse-lines'],
}

test.each(FORMATS.map(({ name }) => name))('a near miss of %s', (name) => {
  const folder = join(import.meta.dirname, '..', '..', 'fixtures', 'formats', name, 'healthy')
  const input = readdirSync(folder).find((each) => each.startsWith('input.'))!
  const healthy = readFileSync(join(folder, input), 'utf8')
  expect(check(healthy).format).toBe(name)
  const [word, instead, format] = NEAR[name]!
  const other = healthy.replace(word, instead)
  expect(other).not.toBe(healthy)
  expect(check(other).format).toBe(format)
})
