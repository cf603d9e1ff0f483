import { createHash } from 'node:crypto'
import type { Span } from './spans.ts'

/** A part of a message, as the judge reads it. */
export interface Part {
  readonly kind: 'text' | 'call' | 'result' | 'media' | 'thinking' | 'other'
  readonly id: string
  readonly name: string
  readonly value: unknown
  /** Every text in it, for marks. */
  readonly text: string
  /** What stands in the file for its content: a text, an input, a result as a whole. */
  readonly raw: string
  /** What stands in the file for all of it. */
  readonly whole: string
  readonly inner: readonly Part[]
}

/** A message that the client loads. */
export interface Said {
  readonly role: string
  readonly parts: Part[]
  /** How the content is stored: an empty string and an empty list are judged differently. */
  readonly content: unknown
  /** Line or index, for the reader of a failed test. */
  readonly where: string
}

export interface Loaded {
  readonly conversations: Said[][]
  /** What is wrong with the file or its links. */
  readonly faults: string[]
}

/** A parsed value with the text that it was parsed from. */
export interface Node {
  readonly value: Record<string, unknown>
  readonly span: Span
  readonly text: string
  readonly where: string
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const asString = (value: unknown): string => (typeof value === 'string' ? value : '')

/** All strings of a value in one text. */
export function stringsIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(stringsIn).join('\n')
  return isObject(value) ? Object.values(value).map(stringsIn).join('\n') : ''
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
