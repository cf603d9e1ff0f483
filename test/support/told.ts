import type { AppliedFix } from '../../src/index.ts'
import { sha256 } from './judge/said.ts'
import { type Span, spansOf } from './judge/spans.ts'

/**
 * The texts in a file of any format that a fix neither left in it nor named as removed. Texts are strings with a blank in them: ids,
 * roles, numbers and what holds JSON may be written anew. What does not parse says nothing that could be lost.
 */
export function untold(input: Uint8Array, output: Uint8Array, applied: readonly AppliedFix[]): string[] {
  const left = `${Buffer.from(output)}`
  const kept = new Set(piecesOf(left).flatMap(({ texts }) => texts.map(plain)))
  const removed = applied.flatMap((each) => each.removed)
  const digests = new Set(removed.map(({ sha256: digest }) => digest))
  const pieces = piecesOf(`${Buffer.from(input)}`)
  const stood = new Set(pieces.flatMap(({ text, span }) => (span ? digestsIn(text, span) : [])))
  // What was mended before it was removed has another digest by then.
  const unnamed = removed.filter(({ sha256: digest }) => !stood.has(digest)).length
  const isExcerpted = (text: string): boolean =>
    removed.some(({ excerpt }) => {
      const start = plain(excerpt.replace(/^"|…?"?$/g, '')).slice(0, 20)
      return start.length > 4 && plain(text).includes(start)
    })
  const whole = plain(decoded(left))
  return pieces
    .flatMap(({ text, span, texts }) => {
      const named = span ? namedIn(text, span, digests) : []
      return texts.filter((each) => !named.includes(each) && !isExcerpted(each))
    })
    .filter((text) => !kept.has(plain(text)) && !whole.includes(plain(text)) && unnamed === 0)
}

/** What a provider takes only in some form, and what is therefore written anew. */
const NAMES = /^(type|name|toolName|.*id)$/i

/** As far as a repair may change a text: white space at its ends, halves of characters, raw line breaks. */
const plain = (text: string): string => text.replace(/[\s\ud800-\udfff\ufffd\0]+/g, '')

const decoded = (json: string): string => json.replace(/\\[nrt]/g, '').replace(/\\(["\\/])/g, '$1')

interface Piece {
  readonly text: string
  readonly span: Span | undefined
  readonly texts: readonly string[]
}

/** The document, or the lines, that parse. */
function piecesOf(file: string): Piece[] {
  const whole = piece(file)
  return whole ? [whole] : file.split('\n').flatMap((line) => piece(line) ?? [])
}

function piece(text: string): Piece | undefined {
  try {
    const texts: string[] = []
    JSON.parse(text, (key, value: unknown) => {
      if (typeof value === 'string' && /\S\s+\S/.test(value) && !NAMES.test(key) && !/^\s*[{[]/.test(value))
        texts.push(value)
      return value
    })
    return { text, span: spansOf(text), texts }
  } catch {
    return undefined
  }
}

function digestsIn(text: string, span: Span): string[] {
  const inner = [...span.members.values(), ...span.items].flatMap((each) => digestsIn(text, each))
  return [sha256(text.slice(span.start, span.end)), ...inner]
}

/** The texts in the parts of a record whose digests a report names. */
function namedIn(text: string, span: Span, digests: ReadonlySet<string>): string[] {
  const raw = text.slice(span.start, span.end)
  if (digests.has(sha256(raw))) return [...(piece(raw)?.texts ?? [])]
  return [...span.members.values(), ...span.items].flatMap((inner) => namedIn(text, inner, digests))
}
