/** Where the parts of a JSON text stand. The text must be one that `JSON.parse` takes. */
export interface Span {
  readonly start: number
  readonly end: number
  /** Of an object; a key that stands twice leads to its last value. */
  readonly members: ReadonlyMap<string, Span>
  readonly items: readonly Span[]
}

export function spansOf(text: string): Span {
  let at = 0
  const skip = (): void => {
    while (' \n\r\t'.includes(text[at] ?? '-')) at++
  }
  const string = (): string => {
    const start = at++
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    at++
    return JSON.parse(text.slice(start, at)) as string
  }
  const value = (): Span => {
    skip()
    const start = at
    const members = new Map<string, Span>()
    const items: Span[] = []
    const first = text[at]
    if (first === '"') string()
    else if (first === '{' || first === '[') {
      at++
      for (skip(); text[at] !== '}' && text[at] !== ']'; skip()) {
        if (text[at] === ',') at++
        skip()
        if (first === '[') {
          items.push(value())
          continue
        }
        const key = string()
        skip()
        at++
        members.set(key, value())
      }
      at++
    } else while (at < text.length && !' \n\r\t,]}'.includes(text[at]!)) at++
    return { start, end: at, members, items }
  }
  return value()
}

/** The text of a part, found by keys and indices. */
export function sliceOf(text: string, span: Span | undefined, ...path: readonly (string | number)[]): string {
  let at = span
  for (const step of path) at = typeof step === 'string' ? at?.members.get(step) : at?.items[step]
  return at ? text.slice(at.start, at.end) : ''
}
