import { createRequire } from 'node:module'
import { asBuffer } from './text-view.ts'

// Loaded when the first torn piece is met, and at once: a row has to be dealt with before the reader goes on.
const require = createRequire(import.meta.url)

/** The parser's kinds of tokens, whose own names exist for the compiler only. */
const Token = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  null: 7,
  true: 8,
  false: 9,
  string: 10,
  number: 11,
  end: 17,
} as const

/** So much of a torn piece is looked at: what identifies a record stands before its content, or right behind it. */
export const SALVAGE_LIMIT = 1 << 20

/** What a torn piece still says. */
export interface Salvage {
  /** Its complete scalar members; those of a member object as `message.id`, no deeper. */
  readonly fields: ReadonlyMap<string, string | number | boolean | null>
}

/**
 * Reads the complete members of an object that is torn or overwritten somewhere. Only the first {@link SALVAGE_LIMIT} bytes are
 * looked at. A string with damage inside is left out, and so is a number at the very end, which may have been longer. A key that
 * comes twice tells that the piece holds parts of two records: which part says what nobody knows, so it says nothing.
 */
export function salvage(bytes: Uint8Array): Salvage {
  const fields = new Map<string, string | number | boolean | null>()
  const text = asBuffer(bytes).toString('utf8', 0, SALVAGE_LIMIT)
  const { createScanner } = require('jsonc-parser') as typeof import('jsonc-parser')
  const scanner = createScanner(text, true)
  const keys = new Set<string>()
  let depth = 0
  // The keys that wait for their values: of the object itself, and of the member that is open.
  let outer: string | undefined
  let inner: string | undefined
  let inObject = false
  let string: string | undefined
  let number: { key: string; value: number } | undefined

  for (let token: number = scanner.scan(); token !== Token.end; token = scanner.scan()) {
    if (depth === 0 && token !== Token.openBrace) break
    if (number) fields.set(number.key, number.value)
    number = undefined
    const sound = scanner.getTokenError() === 0
    const key = depth === 1 ? outer : depth === 2 && inObject && inner !== undefined ? `${outer}.${inner}` : undefined
    switch (token) {
      case Token.openBrace:
      case Token.openBracket:
        depth++
        if (depth === 2) {
          inObject = token === Token.openBrace && outer !== undefined
          inner = undefined
        }
        break
      case Token.closeBrace:
      case Token.closeBracket:
        depth--
        if (depth <= 1) outer = undefined
        else if (depth === 2) inner = undefined
        break
      case Token.comma:
        if (depth === 1) outer = undefined
        else if (depth === 2) inner = undefined
        break
      case Token.colon:
        if (depth === 1) {
          if (string !== undefined && keys.has(string)) return { fields: new Map() }
          outer = string
          if (string !== undefined) keys.add(string)
        } else if (depth === 2) inner = string
        break
      case Token.string:
        if (key !== undefined && sound) fields.set(key, scanner.getTokenValue())
        break
      case Token.number:
        if (key !== undefined && sound) number = { key, value: Number(scanner.getTokenValue()) }
        break
      case Token.true:
      case Token.false:
        if (key !== undefined) fields.set(key, token === Token.true)
        break
      case Token.null:
        if (key !== undefined) fields.set(key, null)
        break
    }
    string = token === Token.string && sound && key === undefined ? scanner.getTokenValue() : undefined
    if (depth === 0) break
  }
  return { fields }
}
