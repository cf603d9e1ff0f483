import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { closeDocument } from '../../src/text/close-document.ts'
import { escapeRawControls } from '../../src/text/escape-controls.ts'
import { columnAfter, LineIndex } from '../../src/text/position.ts'
import { salvage } from '../../src/text/salvage.ts'
import { replaceInvalid, replaceLoneSurrogates } from '../../src/text/utf8.ts'
import { bytesOf, jsonText, judge } from './support.ts'

describe('replaceInvalid', () => {
  test('as TextDecoder, and every other byte stays', () => {
    const byte = fc.constantFrom(
      0x61,
      0x80,
      0xbf,
      0xc0,
      0xc3,
      0xe2,
      0x82,
      0xac,
      0xed,
      0xa0,
      0xf0,
      0x9f,
      0x98,
      0x80,
      0xef,
      0xbb,
      0xff,
    )
    fc.assert(
      fc.property(fc.array(byte), (bytes) => {
        const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes))
        expect(replaceInvalid(Uint8Array.from(bytes)).toString()).toBe(Buffer.from(text).toString())
      }),
      { numRuns: 1000 },
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const bytes = bytesOf(text)
        expect(Buffer.from(replaceInvalid(bytes)).equals(bytes)).toBe(true)
      }),
    )
  })

  test('over the seams of its steps', () => {
    const long = bytesOf('漢'.repeat(1 << 19))
    expect(Buffer.from(replaceInvalid(long)).equals(long)).toBe(true)
  })
})

describe('replaceLoneSurrogates', () => {
  const replace = (text: string) => Buffer.from(replaceLoneSurrogates(bytesOf(text))).toString()
  test.each([
    ['"\\ud83d"', '"\\ufffd"'],
    ['"\\uD83D"', '"\\uFFFD"'],
    ['"\\ude00\\ud83d"', '"\\ufffd\\ufffd"'],
    ['"\\ud83d\\ude00"', '"\\ud83d\\ude00"'],
    ['"\\ud83d\\ud83d\\ude00"', '"\\ufffd\\ud83d\\ude00"'],
    ['"\\\\ud83d"', '"\\\\ud83d"'],
    ['"\\\\\\ud83d"', '"\\\\\\ufffd"'],
    ['"\\ud83d\\\\ude00"', '"\\ufffd\\\\ude00"'],
    ['"\\ud8', '"\\ud8'],
    ['"\\', '"\\'],
  ])('%s', (from, to) => {
    expect(replace(from)).toBe(to)
  })

  test('as toWellFormed, for any text', () => {
    fc.assert(
      fc.property(jsonText, (json) => {
        const after = replace(json)
        expect(after.length).toBe(json.length)
        const wellFormed = JSON.parse(json, (_, value: unknown) =>
          typeof value === 'string' ? bytesOf(value).toString() : value,
        )
        const read: unknown = JSON.parse(after)
        // Keys may fall together, so only documents without such keys are compared as values.
        if (!/\\u[dD][89a-fA-F]..[^,]*:/.test(json)) expect(read).toEqual(wellFormed)
      }),
      { numRuns: 500 },
    )
  })
})

describe('escapeRawControls', () => {
  test('inside strings only, and no NUL', () => {
    const escaped = escapeRawControls(bytesOf('{\n"a\t":\t"x\ny\r\u001b\\\\\n\\\n\0"}'))
    expect(Buffer.from(escaped).toString()).toBe('{\n"a\\t":\t"x\\ny\\r\\u001b\\\\\\n\\\n\0"}')
  })

  test('what is valid stays', () => {
    fc.assert(
      fc.property(jsonText, (json) => {
        const bytes = bytesOf(json)
        expect(escapeRawControls(bytes)).toBe(bytes)
      }),
    )
  })
})

describe('salvage', () => {
  const fields = (text: string) => Object.fromEntries(salvage(bytesOf(text)).fields)

  test('complete members of the object and of its members', () => {
    expect(
      fields(
        '{"type":"user","n":1,"ok":true,"no":null,"message":{"id":"m1","content":[{"id":"deep"}],"role":"user"},"x":"to',
      ),
    ).toEqual({
      type: 'user',
      n: 1,
      ok: true,
      no: null,
      'message.id': 'm1',
      'message.role': 'user',
    })
  })

  test('what is cut off is left out', () => {
    expect(fields('{"a":1,"b":2')).toEqual({ a: 1 })
    expect(fields('{"a":1,"b":tru')).toEqual({ a: 1 })
    expect(fields('{"a":1,"b')).toEqual({ a: 1 })
    expect(fields('{"a":1,"b":"x"')).toEqual({ a: 1, b: 'x' })
    expect(fields('{"a":{"b":{"c":1},"d":[2,3],"e":4},"f":5,')).toEqual({ 'a.e': 4, f: 5 })
  })

  test('members behind damage', () => {
    expect(fields('{"a":"x\0\0y","b":"\\q","c":"z","d":1}')).toEqual({ c: 'z', d: 1 })
  })

  test('what is no object says nothing, and depth is no danger', () => {
    expect(fields('"a":1}')).toEqual({})
    expect(fields('')).toEqual({})
    expect(fields(`{"a":1,"b":${'['.repeat(200_000)}`)).toEqual({ a: 1 })
    expect(fields(`{"a":1,"b":${'{"x":'.repeat(100_000)}`)).toEqual({ a: 1 })
  })

  test('any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => void salvage(bytes)))
    fc.assert(
      fc.property(jsonText, fc.nat(), (json, at) => {
        salvage(bytesOf(json.slice(0, at % (json.length + 1))))
      }),
    )
  })
})

describe('closeDocument', () => {
  const closed = (text: string): string | undefined => {
    const how = closeDocument(bytesOf(text))
    return how && bytesOf(text).toString('utf8', 0, how.keep) + how.closing
  }
  test.each([
    ['[{"a":1},{"b":2},{"ro', '[{"a":1},{"b":2}]'],
    ['[{"a":1},{"b":2}', '[{"a":1},{"b":2}]'],
    ['[{"a":1},', '[{"a":1}]'],
    ['{"model":"m","messages":[{"a":[{"x":1}]},{', '{"model":"m","messages":[{"a":[{"x":1}]}]}'],
    ['{"model":"m","tools":[{"t":1}],"messages":[{"a":1},{"b', '{"model":"m","tools":[{"t":1}],"messages":[{"a":1}]}'],
    ['{"request":{"messages":[{"a":1},', '{"request":{"messages":[{"a":1}]}}'],
    ['{"messages":[{"a":1}],"model":"m","n":1', '{"messages":[{"a":1}],"model":"m"}'],
    ['[[1,2],[{"a":1},{', '[[1,2],[{"a":1}]]'],
    ['[{"role":"user","content":[{"t":1},{"t', undefined],
    ['[', undefined],
    ['', undefined],
    ['{"a":1', undefined],
    ['[1,2', undefined],
    ['[{"a":1}]', undefined],
    ['[{"a":1},}', undefined],
  ])('%s', (text, expected) => {
    expect(closed(text)).toBe(expected)
  })

  test('the answer is a document', () => {
    const list = fc.array(
      jsonText.map((json) => `{"a":${json}}`),
      { minLength: 1, maxLength: 4 },
    )
    fc.assert(
      fc.property(list, fc.boolean(), fc.nat(), (items, wrapped, cut) => {
        const text = wrapped ? `{"m":[${items.join(', ')}],"n":"x"}` : `[${items.join(',')}]`
        const torn = bytesOf(text).subarray(0, cut % Buffer.byteLength(text))
        const how = closeDocument(torn)
        if (how) expect(judge(Buffer.concat([torn.subarray(0, how.keep), bytesOf(how.closing)]))).toBeDefined()
      }),
      { numRuns: 500 },
    )
  })
})

describe('positions', () => {
  test('columns count UTF-16 units', () => {
    expect(columnAfter(bytesOf(''))).toBe(1)
    expect(columnAfter(bytesOf('abc'))).toBe(4)
    expect(columnAfter(bytesOf('é漢😀'))).toBe(5)
    expect(columnAfter(Buffer.from([0xff, 0xe2, 0x82]))).toBe(3)
  })

  test('as counting decoded text, in any order', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\n', '\r\n', '漢') })
    fc.assert(
      fc.property(text, fc.array(fc.nat()), (content, picks) => {
        const bytes = bytesOf(content)
        const index = new LineIndex(bytes)
        const units = [...content]
        for (const pick of picks) {
          const prefix = units.slice(0, pick % (units.length + 1)).join('')
          const lines = prefix.split('\n')
          expect(index.at(Buffer.byteLength(prefix))).toEqual({ line: lines.length, column: lines.at(-1)!.length + 1 })
        }
        expect(index.lines).toBe(content === '' ? 0 : content.split('\n').length - (content.endsWith('\n') ? 1 : 0))
      }),
      { numRuns: 500 },
    )
  })
})
