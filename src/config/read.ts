import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { compileGlob, GlobError } from './glob.ts'
import { type Config, type Shape, shapeOf, type Vocabulary } from './schema.ts'

/** Something wrong with a configuration. */
export interface Problem {
  readonly message: string
  /** 1-based; the column counts UTF-16 units. */
  readonly line: number
  readonly column: number
  /** What was written, and what could have been, where a name is not known. */
  readonly typed?: string | undefined
  readonly known?: readonly string[] | undefined
}

export type Read = { readonly config: Config } | { readonly problems: readonly Problem[] }

/** Longest configuration that is read, in UTF-16 units. */
const LONGEST = 1 << 20

/** Reads a configuration (JSON with comments and trailing commas), or the key `convfix` of a package.json. */
export function readConfig(text: string, words: Vocabulary, key?: string): Read {
  const problems: Problem[] = []
  const say = (offset: number, message: string, typed?: string, known?: readonly string[]): void => {
    problems.push({ message, ...positionOf(text, offset), typed, known })
  }
  if (text.length > LONGEST) {
    say(0, 'it is larger than 1 MiB')
    return { problems }
  }
  const errors: ParseError[] = []
  let root: Node | undefined
  try {
    root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
    for (const { offset, error } of errors.slice(0, 1)) say(offset, `no JSON: ${wordsOf(printParseErrorCode(error))}`)
    if (errors.length === 0 && key !== undefined) root = root && findNodeAtLocation(root, [key])
    if (errors.length === 0 && root) validate(root, shapeOf(words), say)
  } catch (error) {
    // The parser calls itself for each level.
    if (!(error instanceof RangeError)) throw error
    say(0, 'it is nested too deeply')
  }
  const value: unknown = root ? getNodeValue(root) : {}
  return isSound(value, problems) ? { config: value } : { problems }
}

/** What was validated is what its type says. */
function isSound(_: unknown, problems: readonly Problem[]): _ is Config {
  return problems.length === 0
}

type Say = (offset: number, message: string, typed?: string, known?: readonly string[]) => void

function validate(node: Node, shape: Shape, say: Say): void {
  switch (shape.kind) {
    case 'text':
    case 'glob':
      if (node.type !== 'string') wrong(node, 'a string', say)
      else if (shape.kind === 'glob') validateGlob(node, say)
      break
    case 'count':
      if (!Number.isInteger(node.value) || node.value < 0 || node.value > 999_999_999)
        wrong(node, 'a whole number', say)
      break
    case 'choice':
      if (node.type !== 'string') wrong(node, list(shape.of), say)
      else if (!shape.of.includes(node.value))
        say(node.offset, `unknown ${shape.what} "${node.value}"`, node.value, shape.of)
      break
    case 'list':
      if (node.type !== 'array') wrong(node, 'a list', say)
      else if ((node.children?.length ?? 0) < (shape.least ?? 0)) say(node.offset, 'the list is empty')
      else for (const item of node.children ?? []) validate(item, shape.of, say)
      break
    case 'map':
    case 'object':
      if (node.type !== 'object') wrong(node, 'an object', say)
      else validateObject(node, shape, say)
  }
}

function validateObject(node: Node, shape: Shape & { readonly kind: 'map' | 'object' }, say: Say): void {
  const seen = new Set<string>()
  for (const { children } of node.children ?? []) {
    const [key, value] = children ?? []
    if (!key) continue
    const name: string = key.value
    const known = shape.kind === 'map' ? shape.keys : Object.keys(shape.fields)
    if (seen.has(name)) say(key.offset, `"${name}" is there twice`)
    seen.add(name)
    if (!known.includes(name)) {
      say(key.offset, `unknown ${shape.kind === 'map' ? shape.what : 'key'} "${name}"`, name, known)
    } else if (value) validate(value, shape.kind === 'map' ? shape.of : shape.fields[name]!.shape, say)
  }
  if (shape.kind === 'map') return
  for (const name of shape.required ?? []) if (!seen.has(name)) say(node.offset, `"${name}" is missing`)
}

function validateGlob(node: Node, say: Say): void {
  try {
    compileGlob(String(node.value).replace(/^!/, ''))
  } catch (error) {
    if (!(error instanceof GlobError)) throw error
    say(node.offset, error.message)
  }
}

function wrong(node: Node, wanted: string, say: Say): void {
  const article = node.type === 'array' || node.type === 'object' ? 'an' : 'a'
  const found = node.type === 'null' ? 'null' : `${article} ${node.type}`
  say(node.offset, `${wanted} is expected here, not ${found}`)
}

const list = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(' or ')

/** `CommaExpected` as words. */
const wordsOf = (code: string): string => code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()

export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  const start = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: offset - start + 1 }
}
