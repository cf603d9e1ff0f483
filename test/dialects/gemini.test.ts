import { describe, expect, it } from 'vitest'
import { gemini } from '../../src/dialects/gemini.ts'
import { nameUnnamed } from '../../src/dialects/unnamed.ts'
import { Flag } from '../../src/model/blocks.ts'
import { Entry } from '../../src/model/document.ts'
import { toPlain } from '../../src/text/edit.ts'
import { Ids } from '../../src/text/ids.ts'
import { ValueView } from '../../src/text/value-view.ts'

const ids = new Ids()

function read(message: unknown): Entry {
  const entry = new Entry(0, [])
  gemini.read(new ValueView(message), entry, ids)
  return entry
}

const part = (value: unknown, role = 'model') => read({ role, parts: [value] }).blocks[0]!
const FLAGS = Object.entries(Flag)
const flagsOf = (flags: number): string[] => FLAGS.filter(([, bit]) => (flags & bit) !== 0).map(([name]) => name)
const response = (body: unknown, more = {}) => ({ functionResponse: { id: 'c', name: 'ls', response: body, ...more } })

describe('roles', () => {
  it.each([
    ['user', 'user'],
    ['model', 'assistant'],
    ['function', 'user'],
    ['system', 'system'],
    ['narrator', 'unknown'],
    [undefined, 'unknown'],
  ])('%s is %s', (role, expected) => {
    expect(read({ role, parts: [] }).role).toBe(expected)
  })
})

describe('parts', () => {
  it.each<[string, unknown, string, string[]]>([
    ['a text', { text: 'hi' }, 'text', []],
    ['an empty text', { text: '' }, 'text', ['empty']],
    ['a blank text', { text: ' \n' }, 'text', ['blank']],
    ['a bare string', 'hi', 'text', []],
    ['a text that is no thought', { text: 'hi', thought: false }, 'text', []],
    ['a thought', { text: 'hm', thought: true }, 'thinking', ['unsigned']],
    ['a signed thought', { text: 'hm', thought: true, thoughtSignature: 'AAAA' }, 'thinking', []],
    ['a signature on an empty text', { text: '', thoughtSignature: 'AAAA' }, 'opaque', []],
    ['a call', { functionCall: { id: 'c', name: 'ls', args: {} }, thoughtSignature: 'A' }, 'tool-call', []],
    ['a call without signature', { functionCall: { id: 'c', name: 'ls', args: {} } }, 'tool-call', ['unsigned']],
    ['a call without arguments', { functionCall: { id: 'c', name: 'ls' }, thoughtSignature: 'A' }, 'tool-call', []],
    [
      'a call whose arguments are text',
      { functionCall: { id: 'c', name: 'ls', args: '{"a":' }, thoughtSignature: 'A' },
      'tool-call',
      ['inputNotObject'],
    ],
    [
      'a call that goes on',
      { functionCall: { id: 'c', name: 'ls', willContinue: true }, thoughtSignature: 'A' },
      'tool-call',
      ['partial'],
    ],
    ['a call without id', { functionCall: { name: 'ls', args: {} }, thoughtSignature: 'A' }, 'tool-call', ['unnamed']],
    ['an image', { inlineData: { mimeType: 'image/png', data: 'AAAA' } }, 'media', []],
    ['a document', { inlineData: { mimeType: 'application/pdf', data: 'AAAA' } }, 'media', ['document']],
    ['a file', { fileData: { mimeType: 'image/png', fileUri: 'gs://x' } }, 'media', []],
    ['code', { executableCode: { language: 'PYTHON', code: '1' } }, 'opaque', []],
    ['the outcome of code', { codeExecutionResult: { outcome: 'OUTCOME_OK' } }, 'opaque', []],
    ['something new', { hologram: {} }, 'opaque', []],
    ['nothing', {}, 'opaque', []],
    ['null', null, 'opaque', []],
  ])('reads %s', (_, value, kind, flags) => {
    const block = part(value)
    expect(block.kind).toBe(kind)
    expect(flagsOf(block.flags)).toEqual(flags)
    expect(block.tail).toEqual(['parts', 0])
  })

  it.each<[string, unknown, string[], number]>([
    ['an output', response({ output: 'abc' }), [], 3],
    ['an error', response({ error: 'no' }), ['error'], 2],
    ['an empty output', response({ output: '' }), ['empty'], 0],
    ['an empty body', response({}), ['empty'], 0],
    ['no body', response(undefined), ['empty'], 0],
    ['a body of its own shape', response({ rows: [1] }), [], 0],
    ['no id', { functionResponse: { name: 'ls', response: { output: 'x' } } }, ['unnamed'], 1],
    [
      "Qwen Code's placeholder",
      response({ error: 'Tool execution result was not recorded — likely interrupted' }),
      ['error', 'synthetic'],
      59,
    ],
    [
      "Gemini CLI's placeholder",
      response({ output: 'The tool execution result was lost due to context management truncation.' }),
      ['synthetic'],
      72,
    ],
    ["convfix's own", response({ error: '[convfix] No result was recorded' }), ['error', 'synthetic'], 32],
    [
      'a text that only tells of a placeholder',
      response({ output: 'it said: Tool execution result was not recorded' }),
      [],
      47,
    ],
  ])('reads a result with %s', (_, value, flags, size) => {
    const block = part(value, 'user')
    expect(block.kind).toBe('tool-result')
    expect(flagsOf(block.flags)).toEqual(flags)
    expect(block.size).toBe(size)
  })

  it('reads media inside a result', () => {
    const block = part(
      response({ output: '' }, { parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] }),
      'user',
    )
    expect(block.content.map(({ kind, tail }) => [kind, tail])).toEqual([
      ['media', ['parts', 0, 'functionResponse', 'parts', 0]],
    ])
  })

  it.each([undefined, null, 'text', {}])('reads no parts in %j', (parts) => {
    expect(read({ role: 'user', parts }).blocks).toEqual([])
  })
})

describe('ids', () => {
  const called = (...names: (string | [string, string])[]) =>
    read({
      role: 'model',
      parts: names.map((name) => ({
        functionCall: typeof name === 'string' ? { name } : { name: name[0], id: name[1] },
      })),
    })
  const answered = (...names: (string | [string, string])[]) =>
    read({
      role: 'user',
      parts: names.map((name) => ({
        functionResponse:
          typeof name === 'string' ? { name, response: {} } : { name: name[0], id: name[1], response: {} },
      })),
    })
  const paired = (...entries: Entry[]): number[][] => {
    nameUnnamed(entries, ids)
    const seen = new Map<number, number>()
    return entries.map(({ blocks }) =>
      blocks.map(({ id }) => {
        if (!seen.has(id)) seen.set(id, seen.size)
        return seen.get(id)!
      }),
    )
  }

  it('pairs by name and order inside the turn', () => {
    expect(paired(called('ls', 'cat', 'ls'), answered('cat', 'ls', 'ls'))).toEqual([
      [0, 1, 2],
      [1, 0, 2],
    ])
  })

  it('pairs results that are spread over several messages', () => {
    expect(paired(called('ls', 'ls'), answered('ls'), answered('ls'))).toEqual([[0, 1], [0], [1]])
  })

  it('does not reach into the next turn, nor over it', () => {
    expect(paired(called('ls'), answered(), called('cat'), answered('ls'))).toEqual([[0], [], [1], [2]])
  })

  it('lets a result without id answer a call with one, and passes by calls that are answered', () => {
    expect(paired(called(['ls', 'a'], ['ls', 'b']), answered(['ls', 'a'], 'ls'))).toEqual([
      [0, 1],
      [0, 1],
    ])
    expect(paired(called(['ls', 'a'], ['ls', 'b']), answered('ls', ['ls', 'a']))).toEqual([
      [0, 1],
      [1, 0],
    ])
  })

  it('gives a result without a call an id of its own', () => {
    expect(paired(answered('ls'), called('ls'))).toEqual([[0], [1]])
  })

  it('makes the same ids when it is asked again', () => {
    const entries = [called('ls'), answered('ls')]
    const before = paired(...entries)
    expect(paired(...entries)).toEqual(before)
    expect(entries[0]!.blocks[0]!.id).toBe(entries[1]!.blocks[0]!.id)
  })

  it('are never written where they were made up', () => {
    const entry = called('ls')
    nameUnnamed([entry], ids)
    const id = ids.text(entry.blocks[0]!.id)
    expect(toPlain(gemini.result({ id, name: 'ls' }, 'lost'))).toEqual({
      functionResponse: { name: 'ls', response: { error: 'lost' } },
    })
  })
})

describe('writing', () => {
  it('makes texts, messages and results', () => {
    expect(gemini.message('assistant', [gemini.text('hi')])).toEqual({ role: 'model', parts: [{ text: 'hi' }] })
    expect(toPlain(gemini.result({ id: 'c', name: 'ls' }, 'lost'))).toEqual({
      functionResponse: { id: 'c', name: 'ls', response: { error: 'lost' } },
    })
  })

  it('knows where ids and arguments stand', () => {
    expect(gemini.idPath(part({ functionCall: { id: 'c', name: 'ls' } }))).toEqual(['parts', 0, 'functionCall', 'id'])
    expect(gemini.idPath(part(response({})))).toEqual(['parts', 0, 'functionResponse', 'id'])
    expect(gemini.inputPath(part({ functionCall: { name: 'ls' } }))).toEqual(['parts', 0, 'functionCall', 'args'])
  })

  it('folds messages with all their parts as they stand', () => {
    const messages = [{ parts: [{ text: 'a', extra: 1 }, 'b'] }, { parts: [{ text: 'c' }] }, {}].map(
      (each) => new ValueView(each),
    )
    expect(toPlain(gemini.carry('user', messages))).toEqual({
      role: 'user',
      parts: [{ text: 'a', extra: 1 }, { text: 'b' }, { text: 'c' }],
    })
  })

  it.each<[string, unknown]>([
    ['a text', { text: 'hi' }],
    ['a call', { functionCall: { id: 'c', name: 'ls', args: { path: '.' } } }],
    ['a result', { functionResponse: { id: 'c', name: 'ls', response: { output: 'a' } } }],
    ['an error', { functionResponse: { id: 'c', name: 'ls', response: { error: 'a' } } }],
    ['an image', { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
    ['a file', { fileData: { mimeType: 'image/png', fileUri: 'gs://x' } }],
    ['code', { executableCode: { language: 'PYTHON', code: '1' } }],
  ])('loads %s and renders it again', (_, value) => {
    const message = { role: 'model', parts: [value] }
    const content = gemini.load(new ValueView(message), read(message).blocks[0]!)
    expect(gemini.render('assistant', [content]).map(toPlain)).toEqual([{ role: 'model', parts: [value] }])
  })

  it.each<[string, unknown, string]>([
    ['the output', { output: 'a', error: 'b' }, 'a'],
    ['the error', { error: 'b' }, 'b'],
    ['all of it as JSON', { rows: [1] }, '{"rows":[1]}'],
    ['what is a text by itself', 'c', 'c'],
  ])('loads of a response %s', (_, body, expected) => {
    const message = { role: 'user', parts: [response(body)] }
    const content = gemini.load(new ValueView(message), read(message).blocks[0]!)
    expect(content).toMatchObject({ kind: 'tool-result', content: [{ kind: 'text', text: expected }] })
  })

  it('gives a call without id and its result one in common, for shapes that need it', () => {
    const messages = [
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { output: 'a' } } }] },
    ]
    const entries = messages.map(read)
    nameUnnamed(entries, ids)
    const [first, second] = messages.map((message, i) => gemini.load(new ValueView(message), entries[i]!.blocks[0]!))
    expect(first).toMatchObject({ kind: 'tool-call', id: expect.stringMatching(/^call_\d+$/) })
    expect((second as { id: string }).id).toBe((first as { id: string }).id)
  })
})
