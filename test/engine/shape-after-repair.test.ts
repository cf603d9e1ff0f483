import { expect, test } from 'vitest'
import { check, fix } from '../../src/index.ts'

/** Lists whose last block that shows their shape is a fault: what is left of it fits another shape as well, with rules of its own. */
const LISTS: readonly (readonly [what: string, messages: readonly unknown[], before: string, after: string])[] = [
  [
    'an output without a call, and prompts in a row that only the other shape minds',
    [
      { type: 'message', role: 'user', content: 'Is it open?' },
      { type: 'function_call_output', call_id: 'call_1', output: 'gone' },
      { role: 'assistant', content: 'It is.' },
      { role: 'user', content: 'Since when?' },
      { role: 'user', content: 'And until when?' },
    ],
    'openai-responses',
    'openai-chat',
  ],
  [
    'reasoning that is nothing but an id',
    [
      { role: 'user', content: 'Is it open?' },
      { type: 'reasoning', id: 'rs_1', summary: [] },
      { role: 'user', content: 'Well?' },
      { role: 'user', content: 'Hello?' },
    ],
    'openai-responses',
    'openai-chat',
  ],
  [
    'a result without a call',
    [
      { role: 'user', content: 'Is it open?' },
      { role: 'assistant', content: 'It is.' },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'gone' }] },
      { role: 'user', content: 'Since when?' },
    ],
    'anthropic',
    'openai-chat',
  ],
  [
    'a result without a call, where the calls still show the shape',
    [
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_0', content: 'gone' }] },
      { role: 'user', content: 'Is it open?' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'yes' }] },
    ],
    'anthropic',
    'anthropic',
  ],
]

const LAYOUTS: readonly (readonly [suffix: string, write: (messages: readonly unknown[]) => string])[] = [
  ['', (messages) => JSON.stringify(messages)],
  ['-lines', (messages) => messages.map((message) => `${JSON.stringify(message)}\n`).join('')],
]

test.each(
  LISTS.flatMap(([what, messages, before, after]) =>
    LAYOUTS.map(([suffix, write]) => [what, write(messages), `${before}${suffix}`, `${after}${suffix}`] as const),
  ),
)('%s: what is left is right as what another run takes it for (%#)', (_, text, before, after) => {
  expect(check(text).format).toBe(before)
  const { output, applied, findings } = fix(text)
  expect(applied).not.toEqual([])
  expect(check(output).format).toBe(after)
  expect(findings.filter(({ severity, fix }) => severity !== 'info' && fix?.safety === 'safe')).toEqual([])
  expect(fix(output).output).toBe(output)
})

test.each(LISTS)('%s: in memory', (_, messages) => {
  const { output } = fix(messages)
  expect(fix(output).output).toEqual(output)
})

test('who names the format has it judged as that, whatever is left', () => {
  const [, messages] = LISTS[0]!
  const { output } = fix(JSON.stringify(messages), { format: 'openai-responses' })
  expect(JSON.parse(output)).toHaveLength(4)
})
