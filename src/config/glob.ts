/** Longest pattern that is taken, in UTF-16 units. */
const LONGEST = 1024
/** Most patterns that the braces of one stand for. */
const MOST = 256
/** Most braces inside each other. */
const DEEPEST = 8

export type Glob = (path: string) => boolean

/** What is wrong with a pattern; a RangeError, since it is never a fault of the program. */
export class GlobError extends RangeError {}

/**
 * A pattern as `.gitignore` and editors know it: `*` and `?` stay within a folder, `**` crosses folders, `[a-z]` and `[!a]` are
 * sets, `{a,b}` alternatives, a backslash takes the next character as it is. One without a slash means a name in any folder, one
 * that ends with a slash everything in that folder.
 *
 * It is matched without regular expressions and without going back further than the last star: time is at most pattern times path,
 * whatever somebody writes into a configuration.
 *
 * @throws GlobError for one that is too long, too deep, or stands for too many
 */
export function compileGlob(pattern: string): Glob {
  if (pattern === '') throw new GlobError('an empty pattern matches nothing')
  if (pattern.length > LONGEST) throw new GlobError(`a pattern has at most ${LONGEST} characters`)
  const each = alternatives(pattern).map(segmentsOf)
  return (path) => {
    const names = path.split('/')
    return each.some((segments) => matchPath(segments, names))
  }
}

/** A list of patterns; those that begin with `!` take out again what the others match. @throws GlobError */
export function compileGlobs(patterns: readonly string[]): Glob {
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!')).map(compileGlob)
  const unwanted = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => compileGlob(pattern.slice(1)))
  return (path) => wanted.some((glob) => glob(path)) && !unwanted.some((glob) => glob(path))
}

type Segment = '**' | readonly Token[]
type Token = { readonly is: 'star' | 'any' } | { readonly is: 'char'; readonly char: string } | CharSet
interface CharSet {
  readonly is: 'set'
  readonly negated: boolean
  readonly ranges: readonly (readonly [string, string])[]
}

/** The patterns that one with braces stands for. */
function alternatives(pattern: string): string[] {
  const done: string[] = []
  const waiting = [{ text: pattern, depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const group = firstGroup(next.text)
    if (!group) done.push(next.text)
    else {
      if (group.deepest > DEEPEST) throw new GlobError(`braces stand at most ${DEEPEST} deep`)
      for (const part of group.parts) waiting.push({ text: group.before + part + group.behind, depth: next.depth + 1 })
    }
    if (done.length + waiting.length > MOST) throw new GlobError(`a pattern stands for at most ${MOST} others`)
  }
  return done
}

function firstGroup(text: string) {
  const start = indexOutside(text, '{', 0)
  if (start < 0) return undefined
  const parts: string[] = []
  let depth = 0
  let deepest = 0
  let from = start + 1
  for (let i = start; i < text.length; i++) {
    const char = text[i]
    if (char === '\\') i++
    else if (char === '{') deepest = Math.max(deepest, ++depth)
    else if (char === ',' && depth === 1) {
      parts.push(text.slice(from, i))
      from = i + 1
    } else if (char === '}' && --depth === 0) {
      parts.push(text.slice(from, i))
      return { before: text.slice(0, start), parts, behind: text.slice(i + 1), deepest }
    }
  }
  throw new GlobError('a brace is not closed')
}

function indexOutside(text: string, char: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === char) return i
  }
  return -1
}

function segmentsOf(pattern: string): Segment[] {
  let text = pattern.replace(/^(?:\.\/)+/, '')
  if (text.endsWith('/')) text += '**'
  if (!text.includes('/') && text === pattern) text = `**/${text}`
  const segments: Segment[] = []
  for (const name of text.replace(/^\//, '').split('/')) {
    if (name !== '**') segments.push(tokensOf(name))
    else if (segments.at(-1) !== '**') segments.push('**')
  }
  return segments
}

function tokensOf(name: string): Token[] {
  const tokens: Token[] = []
  for (let i = 0; i < name.length; i++) {
    const char = name[i]!
    if (char === '*') {
      if (tokens.at(-1)?.is !== 'star') tokens.push({ is: 'star' })
    } else if (char === '?') tokens.push({ is: 'any' })
    else if (char === '[') {
      const end = name.indexOf(']', i + 2)
      if (end < 0) throw new GlobError('a bracket is not closed')
      tokens.push(setOf(name.slice(i + 1, end)))
      i = end
    } else if (char === '\\' && i + 1 < name.length) tokens.push({ is: 'char', char: name[++i]! })
    else tokens.push({ is: 'char', char })
  }
  return tokens
}

function setOf(inside: string): CharSet {
  const negated = /^[!^]/.test(inside)
  const ranges: [string, string][] = []
  for (let i = negated ? 1 : 0; i < inside.length; i++) {
    const isRange = inside[i + 1] === '-' && i + 2 < inside.length
    ranges.push([inside[i]!, inside[isRange ? i + 2 : i]!])
    if (isRange) i += 2
  }
  return { is: 'set', negated, ranges }
}

const matchPath = (segments: readonly Segment[], names: readonly string[]): boolean =>
  greedy(
    segments,
    names,
    (segment) => segment === '**',
    (segment, name) => segment !== '**' && matchName(segment, name),
  )

const matchName = (tokens: readonly Token[], name: string): boolean =>
  greedy(tokens, name, (token) => token.is === 'star', matchChar)

function matchChar(token: Token, char: string): boolean {
  if (token.is === 'any') return true
  if (token.is === 'char') return token.char === char
  return token.is === 'set' && token.ranges.some(([from, to]) => from <= char && char <= to) !== token.negated
}

/** Each wild one takes as little as it can; only the last one is ever asked to take more. */
function greedy<P, T>(
  pattern: readonly P[],
  given: ArrayLike<T>,
  isWild: (part: P) => boolean,
  matches: (part: P, item: T) => boolean,
): boolean {
  let p = 0
  let wild = -1
  let resume = 0
  for (let i = 0; i < given.length; ) {
    const part = pattern[p]
    if (part !== undefined && isWild(part)) {
      wild = p++
      resume = i
    } else if (part !== undefined && matches(part, given[i]!)) {
      p++
      i++
    } else if (wild >= 0) {
      p = wild + 1
      i = ++resume
    } else return false
  }
  while (p < pattern.length && isWild(pattern[p]!)) p++
  return p === pattern.length
}
