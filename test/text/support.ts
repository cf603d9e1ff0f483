import fc from 'fast-check'
import { RecordReader, RowFlag, RowKind } from '../../src/text/reader.ts'
import type { JsonView } from '../../src/text/view.ts'

export const bytesOf = (text: string): Buffer => Buffer.from(text, 'utf8')

/** What `JSON.parse` makes of bytes: decoded as UTF-8, nothing stripped. */
export function judge(bytes: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)) }
  } catch {
    return undefined
  }
}

/** The plain value of a view, built with nothing but its methods. Recursive. */
export function plain(view: JsonView): unknown {
  switch (view.kind) {
    case 'object': {
      const object: Record<string, unknown> = {}
      for (const [key, value] of view.members()) {
        Object.defineProperty(object, key, {
          value: plain(value),
          writable: true,
          enumerable: true,
          configurable: true,
        })
      }
      return object
    }
    case 'array':
      return [...view.items()].map(plain)
    case 'string':
      return view.string()
    case 'number':
      return view.number()
    case 'boolean':
      return view.boolean()
    default:
      return null
  }
}

const KIND_NAMES = Object.keys(RowKind)
const FLAG_NAMES = Object.entries(RowFlag)

export interface SeenRow {
  kind: string
  flags: string
  text: string
  start: number
  line: number
  lineStart: number
  value: unknown
}

/** Reads bytes in chunks of the given sizes (in turn, for ever) and keeps a copy of each row. */
export function readRows(bytes: Uint8Array, sizes: readonly number[] = [1 << 30]) {
  const rows: SeenRow[] = []
  const reader = new RecordReader((row, from, at, view) => {
    const flags = FLAG_NAMES.filter(([, bit]) => (row.flags & bit) !== 0).map(([name]) => name)
    // NUL bytes come without their bytes.
    const nuls = row.kind === RowKind.nul ? '\0'.repeat(row.length) : undefined
    const text = nuls ?? Buffer.from(from.subarray(at, at + row.length)).toString('latin1')
    const kind = KIND_NAMES[row.kind]!
    const { start, line, lineStart } = row
    rows.push({ kind, flags: flags.join(' '), text, start, line, lineStart, value: view?.value() })
  })
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length]!
    // A copy, overwritten afterwards: whoever keeps a chunk is found out.
    const chunk = Uint8Array.from(bytes.subarray(at, at + size))
    reader.push(chunk)
    chunk.fill(0x21)
    at += size
  }
  return { rows, end: reader.end() }
}

/** One line per row, for short expectations. */
export function brief(bytes: Uint8Array | string, sizes?: readonly number[]): string[] {
  const { rows } = readRows(typeof bytes === 'string' ? bytesOf(bytes) : bytes, sizes)
  return rows.map((row) => `${row.line} ${row.kind}${row.flags ? ` (${row.flags})` : ''} ${row.text}`)
}

/** JSON text in many spellings: white space, escapes, duplicate keys. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => {
  const space = fc.constantFrom('', '', '', ' ', '\t', ' \r')
  const escaped = fc.constantFrom(
    '\\n',
    '\\"',
    '\\\\',
    '\\/',
    '\\u00e9',
    '\\ud83d\\ude00',
    '\\ud83d',
    '\\uDE00',
    '\\u0041',
  )
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text).slice(1, -1)) },
    { weight: 1, arbitrary: escaped },
    { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom('a', ' ', 'Z', '0', 'é', '漢'), maxLength: 200 }) },
  )
  const text = fc.array(piece, { maxLength: 4 }).map((pieces) => `"${pieces.join('')}"`)
  const key = fc.oneof(fc.constantFrom('"a"', '"b"', '"__proto__"', '"\\u0061"', '"é"', '""'), text)
  const number = fc.oneof(
    fc.constantFrom('0', '-0', '1.0', '1e5', '-1E+2', '12345678901234567890', '0.1e-7', '1e999'),
    fc.integer().map(String),
    fc.double({ noDefaultInfinity: true, noNaN: true }).map((n) => JSON.stringify(n)),
  )
  const member = fc.tuple(space, key, space, space, tie('value')).map(([a, k, b, c, v]) => `${a}${k}${b}:${c}${v}`)
  return {
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('null', 'true', 'false'),
      number,
      text,
      fc
        .tuple(space, fc.array(tie('value'), { maxLength: 5 }), space)
        .map(([a, of, b]) => `[${a}${of.join(`${b},${a}`)}${b}]`),
      fc.tuple(fc.array(member, { maxLength: 5 }), space).map(([of, a]) => `{${of.join(`${a},`)}${a}}`),
    ),
  }
}).value
