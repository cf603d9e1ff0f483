import { expect, test } from 'vitest'
import { fix } from '../../src/index.ts'

const settled = (text: string): string => {
  const { output, findings } = fix(text)
  expect(findings.filter(({ severity, fix: repair }) => severity !== 'info' && repair?.safety === 'safe')).toEqual([])
  expect(fix(output).output).toBe(output)
  return output
}

test('a raw control character in a record does not keep its call from being answered once', () => {
  const call = `{"timestamp":"2026-10-05T06:00:04.500Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"a\fb","call_id":"call_a"}}\n`
  const said = `{"timestamp":"2026-10-05T06:00:09.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Forty."}]}}\n`
  const lines = settled(call + said).split('\n')
  expect(lines).toHaveLength(4)
  expect(lines[1]).toContain('"payload":{"type":"function_call_output","call_id":"call_a"')
})

test('what stands among tool calls without being an object is carried along', () => {
  const calls = ['call', ['x'], null, { id: 'call_1', type: 'function', function: { name: 'ls', arguments: '{}' } }]
  const messages = [
    { role: 'user', content: 'list' },
    { role: 'assistant', content: null, tool_calls: calls },
    { role: 'tool', tool_call_id: 'call_1', content: 'a.txt' },
  ]
  const text = JSON.stringify(messages)
  expect(settled(text)).toBe(text)
})

test('parts of Gemini that are a string become a list when they are filled', () => {
  const text = '[{"role":"user","parts":" "},{"role":"model","parts":[{"text":"Yes."}]}]'
  expect(settled(text)).toContain('"parts":[{"text":"[convfix] This message is empty."}]')
})

test('an answer nested deeper than the stack is quoted as it stands', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  const text = `[{"role":"user","parts":[{"functionResponse":{"name":"ls","response":{"a":${deep}}}}]}]`
  expect(fix(text).output).toContain(deep)
})
