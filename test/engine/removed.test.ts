import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
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

describe('what was changed before it was taken out', () => {
  const digest = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')
  const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAADElEQVR4nGNgGB4AAADIAAGtQHYiAAAAAElFTkSuQmCC'
  const image = (data: string, type = 'image/png') => ({
    type: 'image',
    source: { type: 'base64', media_type: type, data },
  })

  test('is named by the bytes that stand in the file, and by their line', () => {
    // Both are cleaned first; then one is too many.
    const first = JSON.stringify(image(`data:image/png;base64,${PNG}`, 'image/jpeg'))
    const second = JSON.stringify(image(PNG, 'image/gif'))
    const text = `[\n{"role":"user","content":""},\n{"role":"user","content":[{"type":"text","text":"a"},\n${first},\n${second}]}\n]`
    const { output, applied } = fix(text, { maxMedia: 1 })
    const overflow = applied.find(({ rule }) => rule === 'media-overflow')!
    expect(overflow.removed).toMatchObject([{ bytes: first.length, sha256: digest(first) }])
    expect(text).toContain(first)
    expect(overflow).toMatchObject({ line: 4, pointer: '/1/content/1' })
    expect(JSON.parse(output)).toHaveLength(1)
  })

  test('is told with its own line in a file of one document', () => {
    const turns = Array.from({ length: 4 }, (_, i) => [
      { role: 'user', content: `q${i}` },
      { role: 'tool', tool_call_id: `call_${i}`, content: `r${i}` },
    ])
    const text = JSON.stringify(turns.flat(), null, 2)
    const { applied } = fix(text)
    const told = (name: string) =>
      applied.filter(({ rule }) => rule === name).map(({ line, pointer }) => `${line} ${pointer}`)
    expect(told('orphan-tool-result')).toEqual(['6 /1', '15 /3', '24 /5', '33 /7'])
    // By then what stood between them is gone.
    expect(told('stacked-roles')).toEqual(['11 /2', '20 /4', '29 /6'])
  })

  test('is found in the line of a session, too', () => {
    const result = (id: string) => ({ role: 'tool', content: 'a\ud800b', tool_call_id: id })
    const lines = [{ role: 'user', content: 'q' }, result('c1'), { role: 'user', content: 'w' }].map((each) =>
      JSON.stringify(each),
    )
    const { applied } = fix(`${lines.join('\n')}\n`)
    const orphan = applied.find(({ rule }) => rule === 'orphan-tool-result')!
    expect(applied.map(({ rule }) => rule)).toContain('lone-surrogate')
    expect(orphan.line).toBe(2)
    expect(orphan.removed.map(({ sha256 }) => sha256)).toEqual([digest(lines[1]!)])
  })
})

describe('an empty message goes', () => {
  const record = (role: string, content: string | null, more: object = {}) => ({
    ...{ id: `00000000-0000-4000-8000-00000000000${content?.length ?? 9}`, role, content },
    ...{ tool_calls: null, tool_call_id: null, name: null, timestamp: '2026-07-01T00:00:00+00:00', turn_index: 1 },
    ...more,
  })
  const session = (empty: object): string =>
    [record('user', 'hi'), record('assistant', 'Hello.'), empty, record('user', 'Go on')]
      .map((each) => `${JSON.stringify(each)}\n`)
      .join('')
  const gone = (empty: object) => {
    const { output, applied } = fix(session(empty), { format: 'codeagent', select: ['empty-message', 'stacked-roles'] })
    expect(output.split('\n')).toHaveLength(4)
    return applied.map(({ title, removed }) => ({ title, removed }))
  }

  test.each([
    ['with nothing else in it', {}],
    ['with fields that hold nothing', { pinned: false, notes: '', tags: [], more: {}, other: null }],
  ])('%s', (_, more) => {
    expect(gone(record('assistant', null, more))).toEqual([{ title: 'remove the message', removed: [] }])
  })

  test.each<[string, object, string]>([
    ['with a field that nobody reads', { pinned: true, notes: 'keep this' }, 'pinned, notes'],
    ['with a content that is no text', { content: { text: 'hi' } }, 'content'],
  ])('%s: it is named', (_, more, fields) => {
    const empty = record('assistant', null, more)
    const line = JSON.stringify(empty)
    expect(gone(empty)).toMatchObject([
      {
        title: `remove the message, and with it its ${fields}`,
        removed: [{ kind: 'text', bytes: line.length, sha256: createHash('sha256').update(line).digest('hex') }],
      },
    ])
  })
})
