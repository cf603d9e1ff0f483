/**
 * Reads the YAML that this project writes: mappings and lists in blocks, plain and quoted scalars on one line, texts behind `|`, comments on
 * lines of their own. Anything else throws, so that a file never means more to others than to this.
 */
export function readYaml(text: string): unknown {
  const lines = text.split('\n')
  const { value, next } = node(lines, skip(lines, 0), 0)
  const end = skip(lines, next)
  if (end < lines.length) throw new Error(`line ${end + 1} stands at no level: ${lines[end]}`)
  return value
}

interface Node {
  readonly value: unknown
  readonly next: number
}

const indentOf = (line: string): number => line.length - line.trimStart().length

/** The next line that says something. */
function skip(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && /^\s*(?:#.*)?$/.test(lines[at]!)) at++
  return at
}

function node(lines: readonly string[], at: number, least: number): Node {
  const line = lines[at]
  if (line === undefined || indentOf(line) < least) return { value: null, next: at }
  return /^\s*- /.test(line) ? list(lines, at, indentOf(line)) : mapping(lines, at, indentOf(line))
}

function list(lines: readonly string[], from: number, indent: number): Node {
  const items: unknown[] = []
  let at = from
  while (at < lines.length && indentOf(lines[at]!) === indent && lines[at]!.startsWith('- ', indent)) {
    // The first line of an item is read as if the dash were a space.
    const inside = lines.with(at, lines[at]!.replace('-', ' '))
    const text = lines[at]!.slice(indent + 2)
    const item = KEY.test(text)
      ? mapping(inside, at, indent + 2)
      : { value: scalar(text, at), next: skip(lines, at + 1) }
    items.push(item.value)
    at = item.next
  }
  return { value: items, next: at }
}

const KEY = /^([\w.$-]+):(?: (.*))?$/

function mapping(lines: readonly string[], from: number, indent: number): Node {
  const entries: [string, unknown][] = []
  let at = from
  while (at < lines.length && indentOf(lines[at]!) === indent) {
    const [, key, text] = KEY.exec(lines[at]!.slice(indent)) ?? []
    if (key === undefined) throw new Error(`line ${at + 1} is no key: ${lines[at]}`)
    if (text === '|') {
      const block = literal(lines, at + 1, indent)
      entries.push([key, block.value])
      at = skip(lines, block.next)
    } else if (text === undefined || text === '') {
      const inner = node(lines, skip(lines, at + 1), indent + 1)
      entries.push([key, inner.value])
      at = inner.next
    } else {
      entries.push([key, scalar(text, at)])
      at = skip(lines, at + 1)
    }
  }
  return { value: Object.fromEntries(entries), next: at }
}

/** What stands deeper behind a `|`, as it is written. */
function literal(lines: readonly string[], from: number, indent: number): Node {
  let next = from
  while (next < lines.length && (lines[next]!.trim() === '' || indentOf(lines[next]!) > indent)) next++
  const block = lines.slice(from, next)
  const margin = Math.min(...block.filter((line) => line.trim() !== '').map(indentOf))
  const text = block.map((line) => line.slice(margin)).join('\n')
  return { value: `${text.trimEnd()}\n`, next }
}

function scalar(text: string, at: number): unknown {
  if (/^"(?:[^"\\]|\\.)*"$/.test(text)) return JSON.parse(text)
  if (/^(?:true|false)$/.test(text)) return text === 'true'
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text)
  if (/^[[\]{}&*!|>%@`"'?]|: | #/.test(text)) throw new Error(`line ${at + 1} is not understood: ${text}`)
  return text
}
