import { describe, expect, test } from 'vitest'
import { type CheckOptions, check, fix } from '../../src/index.ts'
import { RULES } from '../../src/rules/index.ts'
import { assistant, call, chat, image, LOST, result, serverCall, serverResult, thinking, user } from './build.ts'

interface Case {
  readonly messages: readonly unknown[]
  readonly options?: CheckOptions
}

const ANTHROPIC = { format: 'anthropic-lines', target: 'anthropic' }
const OPENAI = { format: 'openai-chat-lines', target: 'openai-chat' }
const STRICT = { format: 'openai-chat-lines', target: 'local-template' }
const QWEN = { format: 'openai-chat-lines', target: 'qwen' }
const on = (options: CheckOptions, ...messages: unknown[]): Case => ({ messages, options })
const of = (...messages: unknown[]): Case => on(ANTHROPIC, ...messages)
const DEEPSEEK = { format: 'openai-chat-lines', target: 'deepseek' }
const thought = { ...chat.calls('1'), reasoning_content: 'hm' }
const q = user('q')
const results = ['1', '2', '3'].map((id) => result(id))
const pair = [assistant(call('1')), user(result('1'))]

/** What is found, and what the conversation is after the repair. */
function outcome({ messages, options }: Case): string {
  const found = check(messages, options).findings.map(
    ({ rule, severity, message, fix }) =>
      `${severity} ${rule}: ${message}${fix ? ` (${fix.safety}: ${fix.title})` : ''}`,
  )
  const fixed = fix(messages, options).output as Message[]
  return [...found, ...(found.length > 0 ? fixed.map(line) : [])].join('\n')
}

type Message = {
  role: string
  content: unknown
  tool_calls?: { id: string; function: { name: string; arguments: unknown } }[]
  tool_call_id?: string
}
type Block = { type: string; text?: string; id?: string; tool_use_id?: string; content?: unknown; input?: unknown }

function line({ role, content, tool_calls, tool_call_id }: Message): string {
  const parts = Array.isArray(content) ? content.map(words) : [JSON.stringify(content)]
  const calls =
    tool_calls?.map(
      ({ id, function: { arguments: input } }) => `call ${id}${input === '{}' ? '' : ` ${JSON.stringify(input)}`}`,
    ) ?? []
  return `  ${role}${tool_call_id ? ` ${tool_call_id}` : ''}: ${[...parts, ...calls].join(' · ')}`
}

function words({ type, text, id, tool_use_id, content, input }: Block): string {
  if (type === 'text') return JSON.stringify(text)
  if (type === 'tool_use') return `call ${id}${Object.keys(input ?? {}).length > 0 ? ` ${JSON.stringify(input)}` : ''}`
  if (type === 'tool_result') {
    return `result ${tool_use_id} ${Array.isArray(content) ? `[${content.map(words).join(' · ')}]` : JSON.stringify(content)}`
  }
  return type
}

const BREAKS: Record<string, Case[]> = {
  'orphan-tool-call': [
    of(q, assistant(call('1', 'Bash'), call('2', 'Bash')), user(result('1'), 'thanks')),
    of(q, assistant('on it', call('1', 'Bash'))),
    on({ ...ANTHROPIC, live: 'open in process 7' }, q, assistant('on it', call('1', 'Bash'))),
    on(OPENAI, chat.user('q'), chat.calls('1'), chat.user('and?')),
    on(STRICT, chat.user('q'), chat.calls('1'), chat.user('and?')),
  ],
  // What it says of itself is a field that the provider does not know.
  'partial-tool-call': [
    on(
      { ...ANTHROPIC, select: ['pairing'] },
      q,
      assistant({ ...call('1', 'Bash'), partialJson: '{"comm' }),
      user('again'),
    ),
  ],
  'orphan-tool-result': [
    of(user(result('0'), 'my question'), assistant('answer')),
    on(
      { ...ANTHROPIC, orphanResults: 'text' },
      user(result('0', [{ type: 'text', text: 'nine rows' }]), 'my question'),
    ),
    of(user(result('0', 'nine rows'))),
    on(OPENAI, chat.user('q'), chat.calls('1'), chat.tool('1'), chat.tool('0'), chat.say('ok')),
    on({ ...OPENAI, orphanResults: 'text' }, chat.user('q'), chat.tool('0'), chat.say('ok')),
  ],
  'misordered-tool-result': [
    of(q, assistant(call('1')), user('wait'), user(result('1'))),
    of(q, assistant(call('1')), user('wait'), assistant('yes?'), user(result('1'))),
    of(q, user(result('1')), assistant(call('1')), user('and?')),
    of(q, assistant(call('1')), user(result('x'))),
    on(OPENAI, chat.user('q'), chat.calls('1'), chat.say('mid'), chat.tool('1')),
  ],
  'tool-result-not-first': [
    of(q, assistant(call('1')), user('note', result('1'))),
    of(q, assistant(call('1'), call('2')), user('note', result('1'), 'more', result('2'))),
  ],
  'duplicate-tool-call': [
    of(q, assistant(call('1'), call('1')), user(result('1'))),
    of(q, assistant(call('1', 'A'), call('1', 'B')), user(result('1', 'a'), result('1', 'b'))),
    of(q, assistant(call('1')), user(result('1')), assistant(call('1')), user(result('1', 'again'))),
    on(OPENAI, chat.user('q'), chat.calls('1'), chat.tool('1'), chat.calls('1'), chat.tool('1')),
    on(OPENAI, chat.user('q'), chat.calls({ id: '1', name: 'a' }, { id: '1', name: 'b' }), chat.tool('1')),
  ],
  'duplicate-tool-result': [
    of(q, assistant(call('1')), user(result('1'), result('1'))),
    of(q, assistant(call('1')), user(result('1', LOST), result('1', 'real'))),
    of(q, assistant(call('1')), user(result('1', 'first'), result('1', 'second'))),
    of(q, assistant(call('1')), user(result('1', LOST)), assistant('mid'), user(result('1', 'real'))),
  ],
  'orphan-server-tool-call': [of(q, assistant('Searching.', serverCall('srvtoolu_1')), user('never mind'))],
  'orphan-server-tool-result': [of(q, assistant(serverResult('srvtoolu_1'), 'Done.'))],
  'stacked-roles': [
    of(user('one'), user('two'), user('three')),
    on(STRICT, chat.user('one'), chat.user('two'), chat.say('ok'), chat.say('and')),
  ],
  'first-message-role': [of(assistant('How can I help?'), q), on(STRICT, chat.say('Hi'), chat.user('q'))],
  'wrong-role-block': [
    of(q, assistant('ok'), user(call('1'), thinking(), 'real text')),
    of(q, assistant('ok'), user(call('1')), user(result('1'), 'more')),
    of(q, assistant('ok'), user(thinking(), call('1'))),
  ],
  'missing-reasoning-content': [on(DEEPSEEK, chat.user('q'), thought, chat.tool('1'), chat.calls('2'), chat.tool('2'))],
  'empty-text': [
    of(user('q', ''), assistant('ok')),
    of(q, assistant(call('1')), user(result('1', [{ type: 'text', text: '' }]))),
  ],
  'blank-text': [
    of(q, assistant('\n\n', call('1')), user(result('1'))),
    of(q, assistant(call('1')), user(result('1', [{ type: 'text', text: ' ' }]))),
  ],
  'empty-message': [
    of(q, assistant('ok'), { role: 'user', content: '' }),
    of(q, assistant('a'), user(), assistant('b')),
    of({ role: 'user', content: '  ' }, assistant('a')),
    of(q, assistant(''), user('and?')),
    on(OPENAI, chat.user('q'), chat.say(null), chat.user('and?')),
  ],
  'invalid-tool-call-id': [
    of(q, assistant({ type: 'tool_use', name: 'Look', input: {} }), user('and?')),
    of(q, assistant(call('a:1'), call('a|1')), user(result('a:1'), result('a|1'))),
    of(q, assistant(call('a_1'), call('a:1')), user(result('a_1'), result('a:1'))),
    of(q, assistant(call('x'.repeat(70))), user(result('x'.repeat(70)))),
  ],
  'tool-input-not-object': [
    of(q, assistant(call('1', 'Bash', '{"command": "npm test"}')), user(result('1'))),
    of(q, assistant(call('1', 'Bash', null)), user(result('1'))),
    of(q, assistant(call('1', 'Bash', '{"comm')), user(result('1'))),
    of(q, assistant(call('1', 'Bash', [7])), user(result('1'))),
  ],
  'tool-arguments-not-json': [
    on(QWEN, chat.user('q'), chat.calls({ id: '1', arguments: '' }), chat.tool('1')),
    on(QWEN, chat.user('q'), chat.calls({ id: '1', arguments: null }), chat.tool('1')),
    on(OPENAI, chat.user('q'), chat.calls({ id: '1', arguments: '{"path": "a' }), chat.tool('1')),
    on(STRICT, chat.user('q'), chat.calls({ id: '1', arguments: '{' }, '2'), chat.tool('1'), chat.tool('2')),
  ],
  'invalid-tool-name': [
    of(q, assistant(call('1', 'tab.open'), call('2', 'tab open'), call('3', 'tab_open')), user(...results)),
    of(q, assistant(call('1', ''), call('2', ' '), call('3', 'x'.repeat(201))), user(...results)),
    on(OPENAI, chat.user('q'), chat.calls({ id: '1', name: 'x'.repeat(65) }), chat.tool('1')),
    on(OPENAI, chat.user('q'), chat.calls({ id: '1', name: 'a/b' }), { ...chat.tool('1'), name: 'a/b' }),
  ],
  'media-overflow': [
    on(
      { ...ANTHROPIC, maxMedia: 2 },
      user('a', image(1), image(2)),
      assistant(call('1')),
      user(result('1', [image(3)]), image(4)),
    ),
  ],
}

/** What looks like one of them and is none: nothing is said above info. */
const LOOKS_ALIKE: Record<string, Case[]> = {
  'orphan-tool-call': [of(q, assistant(call('1'), call('2')), user(result('2')), user(result('1')))],
  'partial-tool-call': [
    on(
      { ...ANTHROPIC, select: ['pairing'] },
      q,
      assistant({ ...call('1'), partialJson: '{"a":1}' }),
      user(result('1')),
    ),
  ],
  'orphan-tool-result': [of(q, ...pair, user('thanks'))],
  'misordered-tool-result': [
    of(q, assistant(call('1'), call('2')), user(result('2')), user(result('1'))),
    on(OPENAI, chat.user('q'), chat.calls('1', '2'), chat.tool('2'), chat.tool('1')),
  ],
  'tool-result-not-first': [of(q, assistant(call('1')), user(result('1'), 'note'))],
  'duplicate-tool-call': [on(OPENAI, chat.user('q'), chat.calls('1'), chat.tool('1'), chat.calls('1'), chat.tool('1'))],
  'duplicate-tool-result': [of(q, ...pair)],
  'orphan-server-tool-call': [
    of(q, assistant(serverCall('s'), serverResult('s'), 'ok'), user('n')),
    of(q, assistant(serverCall('s'))),
    of(q, assistant(serverCall('s'), call('1')), user(result('1'))),
  ],
  'orphan-server-tool-result': [of(q, assistant(serverCall('s'), serverResult('s')))],
  'stacked-roles': [
    of(q, ...pair, user('thanks')),
    of(q, assistant(thinking(), 'a'), assistant(thinking(), 'b')),
    on(STRICT, chat.user('q'), chat.calls('1'), chat.tool('1'), chat.say('ok')),
  ],
  'first-message-role': [
    on(STRICT, { role: 'system', content: 's' }, chat.user('q')),
    on(OPENAI, chat.say('Hi'), chat.user('q')),
  ],
  'wrong-role-block': [
    of(q, assistant(thinking(), call('1')), user(result('1', [{ type: 'text', text: 'tool_use' }]), 'ok')),
  ],
  'missing-reasoning-content': [
    on(DEEPSEEK, chat.user('q'), thought, chat.tool('1'), chat.say('ok')),
    on(
      DEEPSEEK,
      chat.user('q'),
      thought,
      chat.tool('1'),
      { ...chat.calls('2'), reasoning_content: '' },
      chat.tool('2'),
    ),
    on(DEEPSEEK, chat.user('q'), chat.calls('1'), chat.tool('1')),
    on(OPENAI, chat.user('q'), thought, chat.tool('1'), chat.calls('2'), chat.tool('2')),
  ],
  'empty-text': [on(OPENAI, chat.user('q'), chat.calls('1'), chat.tool('1', ''))],
  'blank-text': [of(q, assistant(' a ')), of(q, assistant(call('1')), user(result('1', ' ')))],
  'empty-message': [
    of(q, { role: 'assistant', content: '' }, user('n')),
    of(q, assistant(), user('n')),
    on(OPENAI, chat.user('q'), chat.say(''), chat.user('')),
  ],
  'invalid-tool-call-id': [of(q, ...pair), on(OPENAI, chat.user('q'), chat.calls('a:1'), chat.tool('a:1'))],
  'tool-input-not-object': [of(q, ...pair)],
  'tool-arguments-not-json': [
    on(QWEN, chat.user('q'), chat.calls({ id: '1', arguments: ' {"a": "{"}\n' }), chat.tool('1')),
    on(QWEN, chat.user('q'), chat.calls({ id: '1', arguments: '7' }), chat.tool('1')),
  ],
  'invalid-tool-name': [
    of(q, assistant(call('1', 'mcp__tab-bar__open'), call('2', 'x'.repeat(200)), call('3')), user(...results)),
    on(OPENAI, chat.user('q'), chat.calls({ id: '1', name: 'x'.repeat(64) }), chat.tool('1')),
    on(STRICT, chat.user('q'), chat.calls({ id: '1', name: 'a.b' }), chat.tool('1')),
  ],
  'media-overflow': [on({ ...ANTHROPIC, maxMedia: 2 }, user('a', image(1), image(2)))],
}

describe.each(Object.keys(BREAKS))('%s', (name) => {
  test('finds, words and repairs', () => {
    for (const each of BREAKS[name]!) {
      const options = each.options!
      expect(check(each.messages, options).findings.map(({ rule }) => rule)).toContain(name)
      const { output, findings } = fix(each.messages, options)
      expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([])
      expect(fix(output as unknown[], options).output).toEqual(output)
    }
    expect(BREAKS[name]!.map(outcome).join('\n\n')).toMatchSnapshot()
  })

  test('does not accuse what looks alike', () => {
    for (const { messages, options } of LOOKS_ALIKE[name]!) {
      expect(check(messages, options).findings.filter(({ severity }) => severity !== 'info')).toEqual([])
      expect(fix(messages, options).output).toEqual(messages)
    }
  })
})

test('a limit goes by the model', () => {
  const messages = [user('a', ...Array.from({ length: 101 }, (_, n) => image(n)))]
  const overflows = (model: string | undefined): boolean =>
    check(messages, { ...ANTHROPIC, ...(model === undefined ? {} : { model }) }).findings.length > 0
  expect(
    [undefined, 'claude-haiku-4-5', 'claude-sonnet-4-5-20250929', 'claude-opus-4-20250514'].map(overflows),
  ).toEqual([true, true, true, true])
  expect(['claude-opus-4-6', 'anthropic/claude-sonnet-4.6', 'claude-opus-5', 'claude-fable-5'].map(overflows)).toEqual([
    false,
    false,
    false,
    false,
  ])
})

test('a role that nobody knows is reported, and left alone', () => {
  const messages = [{ role: 'narrator', content: 'x' }, chat.user('q'), chat.say('a')]
  const words = (options: CheckOptions): string[] =>
    check(messages, options).findings.map(({ rule, severity, message }) => `${severity} ${rule}: ${message}`)
  expect(words(OPENAI)).toEqual(['error unknown-role: the role narrator is not known'])
  expect(words(QWEN)).toEqual(['error unknown-role: the role narrator is not known'])
  expect(words({ target: 'deepseek' })).toEqual(['info unknown-role: the role narrator is not known'])
  expect(fix(messages, OPENAI).output).toEqual(messages)
  expect(check([{ role: 'developer', content: 's' }, ...messages.slice(1, 2)], OPENAI).findings).toEqual([])
})

test('a string becomes the object that it spells, to the last digit', () => {
  const text =
    '[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"B","input":"{\\"n\\": 12345678901234567890, \\"n\\": 1.0}"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"x"}]}]'
  expect(fix(text).output).toContain('"input":{"n": 12345678901234567890, "n": 1.0}')
})

describe.each(RULES)('$name', ({ name, family, scope, docs, errors, summary }) => {
  test('tells everything about itself', () => {
    expect(name).toMatch(/^[a-z]+(-[a-z0-9]+)*$/)
    for (const text of [summary, docs.finds, docs.why, docs.repair, docs.safety]) expect(text.trim()).not.toBe('')
    if (family !== 'file') expect(docs.sources).not.toEqual([])
    expect(summary).not.toMatch(/\.$/)
    for (const { text } of errors) expect(text).not.toBe('')
  })
  // What is over a limit of millions of bytes is too long to be shown.
  test.runIf(scope === 'conversation' && name !== 'media-too-large' && name !== 'request-too-large')(
    'shows an example of itself',
    () => {
      // Plain texts could be anybody's messages; items of Responses are judged as such.
      const found = [undefined, 'anthropic', 'deepseek', 'mistral'].flatMap(
        (target) => check(docs.example, { target, maxMedia: 1 }).findings,
      )
      expect(found.map((finding) => finding.rule)).toContain(name)
    },
  )
})
