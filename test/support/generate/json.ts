import type { Dice } from '../dice.ts'

/** JSON text that is written as it stands: numbers that no double holds, odd escapes. */
export class Verbatim {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** An object in which a key stands twice; readers take the last one. */
export class Doubled {
  readonly members: readonly (readonly [string, Value])[]

  constructor(...members: readonly (readonly [string, Value])[]) {
    this.members = members
  }
}

export type Value = null | boolean | number | string | Verbatim | Doubled | Value[] | Fields
export interface Fields {
  [key: string]: Value
}

export function isFields(value: Value | undefined): value is Fields {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Verbatim) &&
    !(value instanceof Doubled)
  )
}

/** A deep copy; what is never changed is shared. */
export function copy<T extends Value>(value: T): T {
  if (Array.isArray(value)) return value.map((item) => copy(item)) as T
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)])) as T
}

/** Writes JSON in one of the many ways in which it may stand in a file. */
export function write(value: Value, dice: Dice, indent: number | undefined, depth = 0): string {
  if (typeof value === 'string') return writeString(value, dice)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (value instanceof Verbatim) return value.text
  const isList = Array.isArray(value)
  const items = isList
    ? value.map((item) => write(item, dice, indent, depth + 1))
    : membersOf(value).map(
        ([key, item]) => `${writeString(key, dice)}:${gap(dice, indent)}${write(item, dice, indent, depth + 1)}`,
      )
  const [open, close] = isList ? '[]' : '{}'
  if (items.length === 0) return `${open}${close}`
  if (indent === undefined) return `${open}${gap(dice)}${items.join(`,${gap(dice)}`)}${gap(dice)}${close}`
  const pad = `\n${' '.repeat(indent * (depth + 1))}`
  return `${open}${pad}${items.join(`,${pad}`)}\n${' '.repeat(indent * depth)}${close}`
}

function membersOf(value: Doubled | Fields): readonly (readonly [string, Value])[] {
  return value instanceof Doubled ? value.members : Object.entries(value)
}

const gap = (dice: Dice, indent?: number): string => (indent !== undefined ? ' ' : dice.once(40) ? ' ' : '')

function writeString(text: string, dice: Dice): string {
  const plain = JSON.stringify(text)
  if (!dice.once(6)) return plain
  const all = dice.once(2)
  return plain.replace(/\\u[0-9a-f]{4}|\\.|[^\\"]/g, (unit) => {
    if (unit === '/') return '\\/'
    if (unit.length > 1 || !(all || unit > '~')) return unit
    const hex = unit.charCodeAt(0).toString(16).padStart(4, '0')
    return `\\u${dice.once(2) ? hex.toUpperCase() : hex}`
  })
}
