import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scanDocument, scanValue } from '../../src/text/scan.ts'
import { Fact, Tape } from '../../src/text/tape.ts'
import { parseView, TextView } from '../../src/text/text-view.ts'
import { bytesOf, jsonText, judge, plain } from './support.ts'

const tape = new Tape()

/** The scanner has to agree with JSON.parse on these bytes, at any place in a buffer. */
function agrees(bytes: Uint8Array): void {
  const expected = judge(bytes)
  for (const [before, after] of [
    [0, 0],
    [3, 9],
  ] as const) {
    const buffer = new Uint8Array(before + bytes.length + after).fill(0x22)
    buffer.set(bytes, before)
    const end = scanDocument(buffer, before, before + bytes.length, tape)
    if (end >= 0 !== (expected !== undefined)) {
      throw new Error(`${expected ? 'rejects' : 'accepts'} ${JSON.stringify(Buffer.from(bytes).toString('latin1'))}`)
    }
    if (expected === undefined) {
      const error = ~end
      expect(error).toBeGreaterThanOrEqual(before)
      expect(error).toBeLessThanOrEqual(before + bytes.length)
    } else {
      const view = new TextView(tape)
      expect(plain(view)).toStrictEqual(expected.value)
      expect(view.value()).toStrictEqual(expected.value)
    }
  }
}

const text = (t: string): void => agrees(bytesOf(t))

describe('against JSON.parse', () => {
  test('generated documents', () => {
    fc.assert(fc.property(jsonText, text), { numRuns: 500 })
  })

  test('documents of JSON.stringify, compact and pretty', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('', '  ', '\t'), (json, indent) =>
        text(JSON.stringify(JSON.parse(json), null, indent)),
      ),
      { numRuns: 300 },
    )
  })

  test('damaged documents: flips, cuts, inserts, swaps', () => {
    const damage = fc.array(
      fc.tuple(fc.constantFrom('flip', 'cut', 'insert', 'swap', 'end'), fc.nat(), fc.nat(), fc.nat(255)),
      { minLength: 1, maxLength: 3 },
    )
    fc.assert(
      fc.property(jsonText, damage, (json, steps) => {
        let bytes = [...bytesOf(json)]
        for (const [how, a, b, byte] of steps) {
          if (bytes.length === 0) break
          const i = a % bytes.length
          const j = b % bytes.length
          if (how === 'flip') bytes[i] = byte
          else if (how === 'cut') bytes.splice(i, 1 + (b % 3))
          else if (how === 'insert') bytes.splice(i, 0, b % 2 === 0 ? byte : bytes[j]!)
          else if (how === 'end') bytes = bytes.slice(0, i)
          else [bytes[i], bytes[j]] = [bytes[j]!, bytes[i]!]
        }
        agrees(Uint8Array.from(bytes))
      }),
      { numRuns: 3000 },
    )
  })

  test('soups of tokens and of bytes', () => {
    const token = fc.constantFrom(
      ...'{ } [ ] : , " "a" "\\ \\" \\u \\ud83d 0 1 -1 1. .5 1e 1e5 - + true fals false null nul NaN \u0000 \n \t \u00a0 \ufeff'.split(
        ' ',
      ),
      ' ',
    )
    const soup = fc.array(token, { maxLength: 12 }).map((of) => bytesOf(of.join('')))
    fc.assert(fc.property(soup, agrees), { numRuns: 3000 })
    fc.assert(fc.property(fc.uint8Array({ maxLength: 12 }), agrees), { numRuns: 1000 })
  })

  test('every byte inside, before and behind every kind of token', () => {
    for (const [before, after] of [
      ['', ''],
      ['"', '"'],
      ['"\\', '"'],
      ['"\\u', '041"'],
      ['"\\u004', '"'],
      ['"abcdefghijklm', 'nopqrstuvwxyz"'],
      ['1', ''],
      ['-', ''],
      ['1.', ''],
      ['1e', ''],
      ['tru', ''],
      ['', '0'],
      ['', 'null'],
      ['[', '1]'],
      ['[1', ']'],
      ['{"a"', '1}'],
      ['{', '"a":1}'],
      ['{"a":1', '"b":2}'],
    ]) {
      for (let byte = 0; byte < 256; byte++) {
        agrees(Buffer.concat([bytesOf(before!), Buffer.from([byte]), bytesOf(after!)]))
      }
    }
  })

  test('a special byte at every distance from the start of a string and of the buffer', () => {
    for (let length = 0; length < 100; length++) {
      for (const special of ['\\n', '\\"', '\u0001', '\u001f', ' ', '#', '\u007f', 'é', '漢', '😀', '"']) {
        text(`"${'x'.repeat(length)}${special}${'y'.repeat(length % 23)}"`)
        text(`{"${'x'.repeat(length)}${special}":"`)
      }
    }
  })

  test('long strings', () => {
    const dense = 'ABCD+/09'.repeat(5000)
    text(`["${dense}","${dense}=="]`)
    text(`["${dense}\n"]`)
    text(`["${dense}\\n${dense}\\u00e9"]`)
    text(`["${dense}\\${dense}"]`)
    text(`["${dense}é${dense}"]`)
    text(`["${dense}`)
  })

  test('forms of numbers', () => {
    const digits = ['', '0', '1', '00', '01', '10', '123456789012345678901234567890']
    for (const sign of ['', '-', '+', '--']) {
      for (const whole of digits) {
        for (const fraction of ['', '.', '.0', '.50', '.e1']) {
          for (const exponent of ['', 'e', 'E5', 'e+5', 'e-05', 'e+', 'e999', 'e1.5']) {
            text(sign + whole + fraction + exponent)
            text(`[${sign}${whole}${fraction}${exponent}]`)
          }
        }
      }
    }
  })

  test('ill-formed UTF-8 inside and outside of strings, a byte order mark', () => {
    for (const bad of [
      [0xff],
      [0xc3],
      [0xe2, 0x82],
      [0xed, 0xa0, 0x80],
      [0xf0, 0x9f, 0x98],
      [0xc0, 0x80],
      [0xf5, 0x80, 0x80, 0x80],
    ]) {
      agrees(Buffer.from([0x22, ...bad, 0x22]))
      agrees(Buffer.from([0x22, ...bad, 0x5c, 0x6e, 0x22]))
      agrees(Buffer.from([0x7b, 0x22, ...bad, 0x22, 0x3a, 0x31, 0x7d]))
      agrees(Buffer.from([...bad, 0x31]))
    }
    text('\ufeff1')
    text('1\ufeff')
  })
})

describe('depth', () => {
  const depth = 100_000
  const cases: Record<string, [string, boolean]> = {
    arrays: ['['.repeat(depth) + ']'.repeat(depth), true],
    objects: [`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`, true],
    mixed: [`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`, true],
    unclosed: ['['.repeat(depth), false],
    crossed: [`${'['.repeat(depth)}}${']'.repeat(depth)}`, false],
  }
  test.each(Object.entries(cases))('%s', (_, [json, valid]) => {
    const bytes = bytesOf(json)
    expect(scanDocument(bytes, 0, bytes.length, tape) >= 0).toBe(valid)
    if (valid) {
      const view = new TextView(tape)
      expect(view.end).toBe(bytes.length)
      expect(view.value()).toBeTypeOf('object')
    }
  })
})

describe('offsets and facts', () => {
  const scan = (json: string): number => scanValue(bytesOf(json), 0, Buffer.byteLength(json), tape)

  test('a value ends where it ends, and what follows is not looked at', () => {
    expect(scan(' {"a":1}{"b"')).toBe(8)
    expect(scan('12,')).toBe(2)
    expect(scan('"x" nonsense')).toBe(3)
  })

  test('the first error', () => {
    expect(~scan('{"a":x}')).toBe(5)
    expect(~scan('{"type":"pr-link","prNu{"parentUuid":1}')).toBe(25)
    expect(~scan('["a\nb"]')).toBe(3)
    for (const short of ['', '[', '{"a"', '{"a":', '{"a":1', '"abc', '"a\\', '"\\u12', 'tru', '-', '1.', '1e']) {
      expect(~scan(short)).toBe(short.length)
    }
  })

  test('facts', () => {
    const factsOf = (json: string): number => {
      expect(scan(json)).toBe(Buffer.byteLength(json))
      return tape.facts
    }
    expect(factsOf('{"a":["b",1]}')).toBe(0)
    expect(factsOf('["\\n"]')).toBe(Fact.escapes)
    expect(factsOf('{"é":1}')).toBe(Fact.nonAscii)
    expect(factsOf('["\\ud83d\\ude00"]')).toBe(Fact.escapes)
    for (const lone of ['\\ud83d', '\\ude00', '\\ud83d\\ud83d', '\\ud83dx\\ude00', '\\\\ude00\\ude00']) {
      expect(factsOf(`["${lone}"]`)).toBe(Fact.escapes | Fact.loneSurrogate)
    }
    expect(factsOf('["\\\\ud83d"]')).toBe(Fact.escapes)
  })

  test('a key is not taken for non-ASCII because of its neighbour', () => {
    const view = parseView(bytesOf('{"a":"é","bc":"漢字","def":"é"}'))!
    for (const [key] of view.keyed()) expect(key.isPlain).toBe(true)
    for (const [, value] of view.keyed()) expect(value.isPlain).toBe(false)
  })
})
