import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Ids } from '../../src/text/ids.ts'
import { parseView } from '../../src/text/text-view.ts'
import { ValueView } from '../../src/text/value-view.ts'
import { type JsonView, lookup } from '../../src/text/view.ts'
import { bytesOf, jsonText, plain } from './support.ts'

const view = (json: string) => parseView(bytesOf(json))!

/** Both views have to answer alike, all the way down. */
function agree(a: JsonView, b: JsonView): void {
  expect(a.kind).toBe(b.kind)
  expect(a.string()).toBe(b.string())
  expect(a.boolean()).toBe(b.boolean())
  expect(a.number()).toBe(b.number())
  expect(a.value()).toStrictEqual(b.value())
  if (a.kind === 'string') {
    for (const n of [0, 1, 2, 5, 64, -1, -2, -7, -64]) {
      const text = a.string()!
      expect(a.peek(n)).toBe(n < 0 ? text.slice(n) : text.slice(0, n))
      expect(b.peek(n)).toBe(a.peek(n))
    }
  } else {
    expect([a.peek(3), a.length]).toEqual([undefined, 0])
    expect([b.peek(3), b.length]).toEqual([undefined, 0])
  }
  const [first, second] = [[...a.items()], [...b.items()]]
  expect(first.length).toBe(second.length)
  for (const [i, item] of first.entries()) agree(item, second[i]!)
  if (a.kind === 'array') expect([a.size, b.size]).toEqual([first.length, first.length])
  const keys = new Set([...a.members()].map(([key]) => key))
  expect(keys).toEqual(new Set([...b.members()].map(([key]) => key)))
  for (const key of [...keys, 'missing', 'toString', '__proto__', 'é']) {
    const [x, y] = [a.get(key), b.get(key)]
    expect(x === undefined).toBe(!keys.has(key))
    expect(y === undefined).toBe(!keys.has(key))
    if (x && y) agree(x, y)
  }
}

test('a view over text and a view over the parsed value agree', () => {
  fc.assert(
    fc.property(jsonText, (json) => {
      // An infinite number has no JSON form, but text can say one.
      if (!json.includes('1e999')) agree(view(json), new ValueView(JSON.parse(json)))
    }),
    { numRuns: 400 },
  )
})

test('the beginning and the end of long strings', () => {
  const unit = fc.constantFrom(
    'a',
    'é',
    '漢',
    '😀',
    '\\n',
    '\\\\',
    '\\"',
    '\\u00e9',
    '\\ud83d\\ude00',
    '\\ud83d',
    '\\u0075',
  )
  fc.assert(
    fc.property(fc.array(unit, { minLength: 20, maxLength: 120 }), fc.integer({ min: -20, max: 20 }), (units, n) => {
      const json = `["${units.join('')}"]`
      const text = (JSON.parse(json) as string[])[0]!
      expect([...view(json).items()][0]!.peek(n)).toBe(n < 0 ? text.slice(n) : text.slice(0, n))
    }),
    { numRuns: 2000 },
  )
})

describe('over text', () => {
  test('byte ranges, counted from the record', () => {
    const json = '{"é":[1,{"b":"x"}]}'
    const b = lookup(view(json), ['é', 1, 'b'])!
    expect(bytesOf(json).toString('utf8', b.start, b.end)).toBe('"x"')
    const bytes = bytesOf(json)
    const { text } = parseView(bytes)!.get('é')!.verbatim()
    bytes.fill(0)
    expect(Buffer.from(text!).toString()).toBe('[1,{"b":"x"}]')
  })

  test('of duplicate keys the last one counts, but all are members', () => {
    const twice = view('{"a":1,"b":2,"\\u0061":3}')
    expect(twice.get('a')!.number()).toBe(3)
    expect([...twice.members()].map(([key, value]) => [key, value.value()])).toEqual([
      ['a', 1],
      ['b', 2],
      ['a', 3],
    ])
    expect(twice.size).toBe(3)
  })

  test('numbers keep their spelling only in the text', () => {
    const n = lookup(view('[12345678901234567890,1.0]'), [0])!
    expect(n.number()).toBe(12345678901234567000)
    expect(Buffer.from(n.verbatim().text!).toString()).toBe('12345678901234567890')
  })

  test('length counts stored bytes', () => {
    expect(view('"é\\n"').length).toBe(4)
    expect(new ValueView('é\n').length).toBe(2)
  })

  test('ill-formed UTF-8 decodes as TextDecoder has it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 12 }), (raw) => {
        const inside = raw.map((byte) => (byte < 0x80 ? 0x61 : byte))
        const bytes = Buffer.concat([Buffer.from('"'), inside, Buffer.from('"')])
        expect(parseView(bytes)!.string()).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(inside))
      }),
      { numRuns: 1000 },
    )
  })

  test('what is no value has no view', () => {
    for (const json of ['', '{', '1 2', 'undefined']) expect(parseView(bytesOf(json))).toBeUndefined()
  })
})

describe('over values', () => {
  class Stamp {
    toJSON() {
      return 'x'
    }
  }
  const odd: [unknown, string][] = [
    [undefined, 'null'],
    [() => 1, 'null'],
    [Symbol('x'), 'null'],
    [10n, 'null'],
    [Number.NaN, 'null'],
    [Number.POSITIVE_INFINITY, 'null'],
    [new Date(0), 'null'],
    [new Stamp(), 'null'],
    [new Map([[1, 2]]), 'object'],
    [Object.create(null), 'object'],
  ]
  test.each(odd)('%o', (value, kind) => {
    expect(new ValueView(value).kind).toBe(kind)
  })

  test('as JSON.stringify would write it', () => {
    const throws = Object.defineProperty({ a: 1 }, 'b', { enumerable: true, get: () => assertNever() })
    const hidden = Object.defineProperty({ a: 1 }, 'c', { enumerable: false, value: 2 })
    const value = { u: undefined, f() {}, s: Symbol('s'), list: [undefined, () => 1, 1], hidden, throws, big: 1n }
    const over = new ValueView(value)
    expect([...over.members()].map(([key]) => key)).toEqual(['list', 'hidden', 'throws', 'big'])
    expect(over.size).toBe(4)
    expect(over.get('u')).toBeUndefined()
    expect(over.get('constructor')).toBeUndefined()
    const expected = { list: [null, null, 1], hidden: { a: 1 }, throws: { a: 1, b: null }, big: null }
    expect(over.value()).toStrictEqual(expected)
    expect(plain(over)).toStrictEqual(expected)
    expect(over.verbatim().value).toBe(value)
    expect([over.start, over.end]).toEqual([-1, -1])
  })

  test('a copy shares nothing, survives depth and cycles, and keeps __proto__ a member', () => {
    const inner = { a: [1] }
    const copied = new ValueView({ inner, again: inner }).value() as { inner: typeof inner; again: typeof inner }
    expect(copied).toStrictEqual({ inner: { a: [1] }, again: { a: [1] } })
    expect(copied.inner).not.toBe(inner)
    const cyclic: Record<string, unknown> = { a: 1 }
    cyclic.self = cyclic
    expect(new ValueView(cyclic).value()).toEqual({ a: 1, self: null })
    let deep: unknown = 1
    for (let i = 0; i < 100_000; i++) deep = [deep]
    expect(new ValueView(deep).value()).toBeInstanceOf(Array)
    const proto: unknown = JSON.parse('{"__proto__":{"x":1}}')
    expect(new ValueView(proto).value()).toStrictEqual(proto)
    expect(new ValueView(proto).get('__proto__')!.get('x')!.number()).toBe(1)
  })
})

function assertNever(): never {
  throw new Error('read')
}

test('an id has the same handle whatever it is read from', () => {
  const ids = new Ids()
  for (const text of ['toolu_01', 'é', 'a"b', '', 'x'.repeat(1000)]) {
    const handle = ids.add(text)
    expect(ids.of(view(JSON.stringify(text)))).toBe(handle)
    expect(ids.of(new ValueView(text))).toBe(handle)
    expect(ids.text(handle)).toBe(text)
  }
  expect(ids.of(view('"\\u0074oolu_01"'))).toBe(ids.add('toolu_01'))
  expect(ids.of(view('1'))).toBe(0)
})
