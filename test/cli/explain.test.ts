import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadEngine } from '../../src/cli/engine.ts'
import { convfix, folder } from './fake.ts'

const ERROR =
  'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_k1"}}'

const call = { type: 'tool_use', id: 'toolu_k1', name: 'Look', input: { at: 'kettle' } }
const messages = [
  { role: 'user', content: 'Is it on?' },
  { role: 'assistant', content: [call] },
  { role: 'user', content: 'Hello?' },
]

function saved(value: unknown): { readonly cwd: string } {
  const cwd = folder()
  writeFileSync(join(cwd, 'kettle.json'), JSON.stringify(value, null, 1))
  return { cwd }
}

describe('explain', () => {
  test('an error and the file that it came from', async () => {
    const { code, stdout } = await convfix(['explain', ERROR, 'kettle.json'], await loadEngine(), saved(messages))
    expect(code).toBe(0)
    expect(stdout).toMatch(/^orphan-tool-call {2}A tool call has no result\n/)
    expect(stdout).toContain('the same error may also come from: misordered-tool-result')
    expect(stdout).toMatch(/^messages\.1 · line \d+$/m)
    expect(stdout).toMatch(/error {2}Look call toolu_k1 has no result/)
    expect(stdout).toMatch(/▸ +\d+ +assistant +call Look toolu_k1/)
    expect(stdout).toMatch(/repair it with: convfix check --fix kettle\.json\n$/)
  })

  test('an id that the file does not hold', async () => {
    const text = ERROR.replace('toolu_k1', 'toolu_z9')
    const { stdout } = await convfix(['explain', text, 'kettle.json'], await loadEngine(), saved(messages))
    expect(stdout).toContain('toolu_z9: not in this file')
  })

  test('a file that holds no such fault', async () => {
    const { stdout } = await convfix(['explain', ERROR, 'kettle.json'], await loadEngine(), saved([messages[0]]))
    expect(stdout).toContain('convfix finds nothing of the kind in kettle.json')
  })

  test('an item that its id names', async () => {
    const input = [
      { role: 'user', content: 'Is it on?' },
      { type: 'reasoning', id: 'rs_k1', summary: [] },
      { role: 'user', content: 'Hello?' },
    ]
    const text = "Item 'rs_k1' of type 'reasoning' was provided without its required following item."
    const { stdout } = await convfix(['explain', text, 'kettle.json'], await loadEngine(), saved({ input }))
    expect(stdout).toMatch(/^rs_k1 · line \d+$/m)
    expect(stdout).toMatch(/^ +\d+:\d+ +error .*dangling-reasoning$/m)
  })

  test('an id that the edge of a terminal has cut', async () => {
    const cut = ERROR.replace('messages.1: ', '').replace('toolu_k1', 'toolu_k\n  1')
    const { stdout } = await convfix(['explain', cut, 'kettle.json'], await loadEngine(), saved(messages))
    expect(stdout).toMatch(/^toolu_k1 · line \d+$/m)
    expect(stdout).not.toContain('not in this file')
  })

  test('a call that is stored without an id is shown without one', async () => {
    const contents = [
      { role: 'user', parts: [{ text: 'Is it on?' }] },
      { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
      { role: 'user', parts: [{ text: 'Hello?' }] },
    ]
    const text = 'the number of function response parts is equal to the number of function call parts: contents[1]'
    const { stdout } = await convfix(['explain', text, 'kettle.json'], await loadEngine(), saved({ contents }))
    expect(stdout).toMatch(/^ +▸ +\d+ +assistant +call look$/m)
  })

  test.each([
    ['context_length_exceeded', 0, 'The conversation is too long for the model'],
    ['Overloaded', 0, 'The provider is overloaded'],
    ['some_other_code', 1, 'convfix does not know this error'],
  ])('an error of one word: %s', async (word, expected, first) => {
    const { code, stdout } = await convfix(['explain', word], await loadEngine())
    expect([code, stdout.split('\n')[0]]).toEqual([expected, first])
  })

  test('nothing is said to be absent that was not looked for', async () => {
    const files = saved(messages)
    const unknown = await convfix(['explain', 'my cat sat on messages.[1]', 'kettle.json'], await loadEngine(), files)
    expect(unknown.stdout).toMatch(/^messages\.\[1\] · line \d+$/m)
    expect(unknown.stdout).not.toContain('finds nothing of the kind')
    const busy = await convfix(['explain', 'Overloaded', 'kettle.json'], await loadEngine(), files)
    expect(busy.stdout).not.toContain('finds nothing')
  })

  test('an error that is not the transcript’s', async () => {
    const { code, stdout } = await convfix(['explain', 'Error 529: {"message": "Overloaded"}'], await loadEngine())
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'The provider is overloaded'])
  })

  test('an error that nobody knows', async () => {
    const { code, stdout } = await convfix(['explain', 'my cat sat on it'], await loadEngine())
    expect([code, stdout.split('\n')[0]]).toEqual([1, 'convfix does not know this error'])
  })

  test('for machines', async () => {
    const { stdout } = await convfix(['explain', '--json', ERROR, 'kettle.json'], await loadEngine(), saved(messages))
    const told = JSON.parse(stdout) as {
      meanings: { rule: string }[]
      places: { text: string; pointer: string; findings: { rule: string }[] }[]
    }
    expect(told.meanings.map(({ rule }) => rule)).toContain('orphan-tool-call')
    // The call that is named as well stands at the same message.
    expect(told.places.map(({ text, pointer }) => [text, pointer])).toEqual([['messages.1', '/1']])
    expect(told.places[0]!.findings.map(({ rule }) => rule)).toEqual(['orphan-tool-call'])
  })
})
