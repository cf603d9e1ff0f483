import { expect, test } from 'vitest'
import { fix } from '../../src/index.ts'

const PICTURE = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }

test('what is cut from a document that ends in the middle is named', () => {
  const text = '[{"role":"user","content":"Which nights were clear?"},{"role":"assistant","content":"The twel'
  const { output, applied } = fix(text)
  expect(output).toBe('[{"role":"user","content":"Which nights were clear?"}]')
  const [removed] = applied.find(({ rule }) => rule === 'torn-record')!.removed
  expect(removed).toMatchObject({ kind: 'text', excerpt: ',{"role":"assistant","content":"The twel' })
  expect(removed!.bytes).toBe(text.length - output.length + 1)
})

test('the picture of a result that is kept as text is named', () => {
  const content = [{ type: 'text', text: 'the north side' }, PICTURE]
  const { output, applied } = fix([{ role: 'tool', tool_call_id: 'call_1', content }], { target: 'openai-chat' })
  expect(output).toEqual([{ role: 'user', content: expect.stringContaining('the north side') }])
  expect(applied.flatMap(({ removed }) => removed.map(({ kind }) => kind))).toEqual(['media'])
})

test('a result of text alone is kept whole: nothing is named', () => {
  const content = [{ type: 'text', text: 'the north side' }]
  const { applied } = fix([{ role: 'tool', tool_call_id: 'call_1', content }], { target: 'openai-chat' })
  expect(applied).toMatchObject([{ rule: 'orphan-tool-result', removed: [] }])
})

test('an answer of Gemini that is kept as text is kept with all of its fields', () => {
  const response = { files: ['a.txt'], output: 'one file' }
  const { output } = fix(JSON.stringify([{ role: 'user', parts: [{ functionResponse: { name: 'ls', response } }] }]))
  expect(output).toContain('a.txt')
  expect(output).toContain('one file')
})
