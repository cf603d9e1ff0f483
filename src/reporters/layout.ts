/** Characters of a report that stand for something, and what stands for them where only ASCII can be shown. */
export interface Symbols {
  readonly cross: string
  readonly check: string
  readonly warn: string
  readonly note: string
  readonly pointer: string
  readonly dot: string
  readonly dots: string
  readonly times: string
}

const UNICODE: Symbols = { cross: '✖', check: '✔', warn: '⚠', note: 'ℹ', pointer: '▸', dot: '·', dots: '…', times: '×' }
const ASCII: Symbols = {
  cross: 'x',
  check: 'ok:',
  warn: '!',
  note: 'i',
  pointer: '>',
  dot: '-',
  dots: '...',
  times: 'x',
}

/** The symbols for a terminal. */
export function symbols(unicode: boolean): Symbols {
  return unicode ? UNICODE : ASCII
}

/**
 * Columns that a text takes on a terminal: none for combining marks, two for East Asian characters and emoji, and no more for an
 * emoji that is made of several (a family, a flag, a tone of skin).
 */
export function columns(text: string): number {
  if (ASCII_ONLY.test(text)) return text.length
  let width = 0
  for (const seen of characters(text)) width += columnsOf(seen)
  return width
}

const ASCII_ONLY = /^[ -~]*$/

let segmenter: Intl.Segmenter | undefined

/** The characters of a text as people count them. */
function* characters(text: string): Generator<string> {
  // Most reports need none, and making one takes time.
  segmenter ??= new Intl.Segmenter('en')
  for (const { segment } of segmenter.segment(text)) yield segment
}

/** A character is as wide as the widest of what it is made of; the mark for a picture (U+FE0F) makes it one. */
function columnsOf(character: string): number {
  if (character.includes('\ufe0f')) return 2
  let width = 0
  for (const part of character) width = Math.max(width, columnsOfPart(part))
  return width
}

function columnsOfPart(character: string): number {
  if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(character)) return 0
  return /^[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]$/u.test(
    character,
  )
    ? 2
    : 1
}

/** Fills a text up to a number of columns. */
export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columns(text)))
}

/** Cuts a text that takes more than `width` columns, and says so by dots. */
export function truncate(text: string, width: number, dots: string): string {
  if (columns(text) <= width) return text
  const room = width - columns(dots)
  let out = ''
  let used = 0
  for (const character of ASCII_ONLY.test(text) ? text : characters(text)) {
    used += columnsOf(character)
    if (used > room) break
    out += character
  }
  return out.trimEnd() + dots
}

/** Breaks a text at spaces so that no line takes more than `width` columns; a single longer word stays whole. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && columns(line) + 1 + columns(word) > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  lines.push(line)
  return lines
}

/** `1 file`, `12,034 records`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${thousands(number)} ${number === 1 ? one : many}`
}

/** `12,034`. */
export function thousands(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `0.8 s`. */
export function seconds(milliseconds: number): string {
  return milliseconds < 100 ? `${Math.max(1, Math.round(milliseconds))} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}

/** `a`, `a and b`, `a, b and c`. */
export function enumerate(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
