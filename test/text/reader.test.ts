import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RecordReader } from '../../src/text/reader.ts'
import { brief, bytesOf, jsonText, readRows } from './support.ts'

describe('lines', () => {
  test('records, blank lines, CRLF, white space', () => {
    expect(brief('{"a":1}\n\n  {"b":2} \r\n \t\r\n[3]\n"x"\n4')).toEqual([
      '1 record {"a":1}',
      '3 record {"b":2}',
      '5 record [3]',
      '6 record "x"',
      '7 record 4',
    ])
  })

  test('the end of the file', () => {
    const ends = (text: string) => readRows(bytesOf(text)).end
    expect(ends('')).toEqual({ size: 0, lines: 0, endsWithNewline: false })
    expect(ends('1')).toEqual({ size: 1, lines: 1, endsWithNewline: false })
    expect(ends('1\n')).toEqual({ size: 2, lines: 1, endsWithNewline: true })
    expect(ends('1\n\n')).toEqual({ size: 3, lines: 2, endsWithNewline: true })
    expect(ends('{"a":1}\n{"b')).toEqual({ size: 11, lines: 2, endsWithNewline: false })
    expect(ends('{"a":1}\n{"b\n')).toEqual({ size: 12, lines: 2, endsWithNewline: true })
  })

  test('U+2028 and U+0085 are no line ends', () => {
    expect(brief('{"a":"\u2028\u2029\u0085"}\n{"b":1}')).toHaveLength(2)
  })

  test('where a row stands', () => {
    const { rows } = readRows(bytesOf('{"a":1}\r\n  {"b":2}{"c":3}\n'))
    expect(rows.map(({ start, line, lineStart }) => [start, line, lineStart])).toEqual([
      [0, 1, 0],
      [11, 2, 9],
      [18, 2, 9],
    ])
  })

  test('a byte order mark', () => {
    expect(brief('\ufeff{"a":1}\n\ufeff{"b":2}')).toEqual([
      '1 bom ï»¿',
      '1 record {"a":1}',
      '2 torn ï»¿',
      '2 record (glued) {"b":2}',
    ])
    expect(brief('\ufeff')).toEqual(['1 bom ï»¿'])
    expect(brief('\ufeff{"a":"x\ny"}')).toEqual(['1 bom ï»¿', '1 record (split rawControls) {"a":"x\ny"}'])
    expect(brief('\ufeff{"a":"x\n1')).toEqual(['1 bom ï»¿', '1 torn {"a":"x', '2 record 1'])
  })

  test('flags for surrogates and ill-formed UTF-8', () => {
    const bad = Buffer.concat([bytesOf('{"a":"'), Buffer.from([0xe2, 0x82]), bytesOf('"}\n{"a":"\\ud83d"}\n{"é":1}\n')])
    expect(readRows(bad).rows.map((row) => row.flags)).toEqual(['invalidUtf8', 'loneSurrogate', ''])
    expect(readRows(bad.subarray(0, 8)).rows[0]!.flags).toBe('invalidUtf8')
  })
})

describe('damaged lines', () => {
  test('glued records', () => {
    expect(brief('{"a":1}{"b":2} {"c":3}\n')).toEqual([
      '1 record {"a":1}',
      '1 record (glued) {"b":2}',
      '1 record (glued) {"c":3}',
    ])
    expect(brief('[1][2]')).toEqual(['1 record [1]', '1 record (glued) [2]'])
  })

  const stubs = {
    'in a key': '{"type":"pr-link","prNu',
    'in a string': '{"type":"user","text":"hello {wor',
    'behind a backslash': '{"type":"user","text":"a\\',
    'in a \\u escape': '{"type":"user","text":"a\\u00',
    'in a literal': '{"type":"user","x":tru',
    'in a number': '{"type":"user","x":-',
    'behind a number': '{"type":"user","x":1',
    'behind a comma': '{"type":"user",',
    'behind a string': '{"type":"user"',
    'behind a nested object': '{"type":"user","m":{"a":{"b":1}',
    'behind the brace': '{',
  }
  test.each(Object.entries(stubs))('a stub torn %s, then a whole record', (_, stub) => {
    expect(brief(`${stub}{"parentUuid":"x","m":{"{":"}"}}\n`)).toEqual([
      `1 torn ${stub}`,
      '1 record (glued) {"parentUuid":"x","m":{"{":"}"}}',
    ])
    expect(brief(`${stub}{"p":"x"}{"q":"y"}{"r"`)).toEqual([
      `1 torn ${stub}`,
      '1 record (glued) {"p":"x"}',
      '1 record (glued) {"q":"y"}',
      '1 torn (glued) {"r"',
    ])
  })

  test('a stub torn between tokens swallows the record: told by its first key', () => {
    for (const stub of ['{"type":"user","m":', '{"type":"user","m":[1,', '{"type":"user","m":{"a":']) {
      const record = '{"type":"x","m":{"a":1}}'
      expect(brief(`${stub}${record}\n`)).toEqual([`1 torn ${stub}`, `1 record (glued) ${record}`])
      expect(brief(`${stub}${record}${record}`)).toEqual([
        `1 torn ${stub}`,
        `1 record (glued) ${record}`,
        `1 record (glued) ${record}`,
      ])
      expect(brief(`${stub}{"role":"user"}\n`)).toEqual([`1 torn ${stub}{"role":"user"}`])
    }
  })

  test('a record, then a stub', () => {
    expect(brief('{"a":1}{"b":"{\n{"c":1}\n')).toEqual([
      '1 record {"a":1}',
      '1 torn (glued) {"b":"{',
      '2 record {"c":1}',
    ])
  })

  test('a brace inside a string is no glue point', () => {
    const record = JSON.stringify({ text: '{"a":1}{"b":2}', more: ['{', '}{'] })
    expect(brief(`${record}${record}`)).toEqual([`1 record ${record}`, `1 record (glued) ${record}`])
    expect(brief(`${record.slice(0, -1)}`)).toEqual([`1 torn ${record.slice(0, -1)}`])
  })

  test('garbage', () => {
    expect(brief('hello\n{"a":1},\nnull null\n# {"b":2}\n')).toEqual([
      '1 torn hello',
      '2 record {"a":1}',
      '2 torn (glued) ,',
      '3 torn null null',
      '4 torn #',
      '4 record (glued) {"b":2}',
    ])
    expect(brief('{"path":"C:\\dir","m":{"a":1}}')).toEqual(['1 torn {"path":"C:\\dir","m":{"a":1}}'])
  })

  test('NUL bytes', () => {
    expect(brief('\0\0\n')).toEqual(['1 nul \0\0'])
    expect(brief('\0\0{"a":1}\0 \0\0\n')).toEqual(['1 nul \0\0', '1 record {"a":1}', '1 nul \0', '1 nul \0\0'])
    expect(brief('{"a":1}\0{"b":2}')).toEqual(['1 record {"a":1}', '1 nul \0', '1 record (glued) {"b":2}'])
    expect(brief('{"a":"x\0\0{"b":2}')).toEqual(['1 torn {"a":"x', '1 nul \0\0', '1 record (glued) {"b":2}'])
    expect(brief('{"a":"x\0\0')).toEqual(['1 torn {"a":"x', '1 nul \0\0'])
    expect(brief('{"a":"x\0\0y","m":{"c":1}}\n')).toEqual(['1 torn {"a":"x\0\0y","m":{"c":1}}'])
    expect(brief('{"a":"x\n\0\0{"b":1}\n')).toEqual(['1 torn {"a":"x', '2 nul \0\0', '2 record {"b":1}'])
  })
})

describe('split records', () => {
  test('raw line breaks inside a string', () => {
    const { rows } = readRows(bytesOf('{"a":"one\ntwo\r\n\n  {three","b":["}"]}\n{"c":1}\n'))
    expect(rows.map((row) => [row.kind, row.flags, row.line])).toEqual([
      ['record', 'split rawControls', 1],
      ['record', '', 5],
    ])
    expect(rows[0]!.value).toEqual({ a: 'one\ntwo\r\n\n  {three', b: ['}'] })
  })

  test('a pretty-printed record', () => {
    const value = { a: [1, { b: '}' }], c: {} }
    const text = JSON.stringify(value, null, 2)
    const { rows } = readRows(bytesOf(`${text}\n${text.replaceAll('\n', '\r\n')}\r\n{"d":1}`))
    expect(rows.map((row) => [row.kind, row.flags, row.line, row.value])).toEqual([
      ['record', 'split', 1, value],
      ['record', 'split', 10, value],
      ['record', '', 19, { d: 1 }],
    ])
  })

  test('raw control characters on a line that is indented', () => {
    expect(brief('{"a":1}\n  {"a":"x\ty"} \n  ["x\ty"}\n')).toEqual([
      '1 record {"a":1}',
      '2 record (rawControls) {"a":"x\ty"}',
      '3 torn ["x\ty"}',
    ])
  })

  test('raw control characters on one line', () => {
    const { rows } = readRows(bytesOf('{"a":"x\ty\u001b"}\n{"a":"x\ry"}{"b":1}\n'))
    expect(rows.map((row) => [row.kind, row.flags, row.value])).toEqual([
      ['record', 'rawControls', { a: 'x\ty\u001b' }],
      ['record', 'split rawControls', { a: 'x\ry' }],
      ['record', 'glued', { b: 1 }],
    ])
  })

  test('a line that begins with a brace ends it', () => {
    expect(brief('{"a":"x\ny\n{"b":1}\n')).toEqual(['1 torn {"a":"x', '2 torn y', '3 record {"b":1}'])
    expect(brief('{"a":"x\n [1]\n\n')).toEqual(['1 torn {"a":"x', '2 record [1]'])
  })

  test('what closes but is no record is read line by line', () => {
    expect(brief('{"a":\n {"b":2}\n}x\n')).toEqual(['1 record (split) {"a":\n {"b":2}\n}', '3 torn (glued) x'])
    expect(brief('{"a":"x\n {"b":2}\n"}\n}\n')).toEqual(['1 torn {"a":"x', '2 record {"b":2}', '3 torn "}', '4 torn }'])
  })
})

describe('for any bytes', () => {
  const piece = fc.oneof(
    jsonText,
    jsonText.map((text) => text.slice(0, text.length / 2)),
    fc.constantFrom(...'\n|\n|\n|\r\n| |\0\0|{|"|\n{"a":|{"a":"x\n|\ufeff|}'.split('|')),
    fc.constantFrom('{"a":1}', '{"type":"x"}\n', '{"a":"b\nc"}', '{\n"a": 1\n}\n'),
  )
  const file = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => bytesOf(pieces.join(''))),
    fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.concat([bytesOf('{"a":1}\n'), bytes])),
  )

  test('the size of the chunks does not matter', () => {
    fc.assert(
      fc.property(file, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }), (bytes, sizes) => {
        const whole = readRows(bytes)
        expect(readRows(bytes, sizes)).toEqual(whole)
        expect(readRows(bytes, [1])).toEqual(whole)
      }),
      { numRuns: 1000 },
    )
  })

  test('rows and white space make up the file', () => {
    fc.assert(
      fc.property(file, (bytes) => {
        const { rows, end } = readRows(bytes, [7])
        let at = 0
        const gaps: string[] = []
        for (const row of rows) {
          expect(row.start).toBeGreaterThanOrEqual(at)
          expect(row.text.length).toBeGreaterThan(0)
          gaps.push(bytes.toString('latin1', at, row.start))
          at = row.start + row.text.length
          expect(row.text).toBe(bytes.toString('latin1', row.start, at))
          const before = bytes.subarray(0, row.start)
          expect(row.line).toBe(before.filter((byte) => byte === 0x0a).length + 1)
          expect(row.lineStart).toBe(before.lastIndexOf(0x0a) + 1)
        }
        gaps.push(bytes.toString('latin1', at))
        expect(gaps.join('')).toMatch(/^[ \t\r\n]*$/)
        expect(end.size).toBe(bytes.length)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('linear', () => {
  const read = (bytes: Buffer, size = 1 << 16) => {
    let rows = 0
    const reader = new RecordReader(() => {
      rows++
    })
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size))
    reader.end()
    return rows
  }

  // Each of these takes well under a second when it is linear and minutes when it is not.
  test.each([
    ['lines that never end', '{"a":\n'.repeat(200_000), 200_000],
    ['indented lines that never end', `{"a":\n${' {"a":\n'.repeat(200_000)}`, 200_001],
    ['torn in a string, then no line with a brace', `{"a":"\n${'x\n'.repeat(300_000)}`, 300_001],
    ['open braces with quotes', '{"'.repeat(1_000_000), 1],
    ['open members', '{"a":'.repeat(400_000), 1],
    ['open members behind garbage', `x${'{"a":'.repeat(400_000)}`, 1],
    ['arrays opened in vain', '[{"a":1,'.repeat(200_000), 1],
    ['glued stubs and records', '{"a{"b":1}'.repeat(200_000), 400_000],
    ['NUL bytes between braces', '{\0'.repeat(500_000), 2],
    ['backslashes', `{"a":"${'\\\\'.repeat(1_000_000)}`, 1],
  ])(
    '%s',
    (_, text, count) => {
      expect(read(Buffer.from(text))).toBe(count)
    },
    20_000,
  )

  test('a long record in small chunks', () => {
    expect(read(Buffer.from(`{"a":"${'x'.repeat(4_000_000)}"}`), 16)).toBe(1)
  })
})
