import { Flag } from '../model/blocks.ts'
import type { Role } from '../model/document.ts'
import { toText } from '../text/edit.ts'
import type { Json, JsonView } from '../text/view.ts'
import { isSynthetic } from './synthetic.ts'

const ROLES: ReadonlyMap<string | undefined, Role> = new Map<string, Role>([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['model', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
])

/** The role that a name stands for. */
export function roleNamed(view: JsonView | undefined): Role {
  return ROLES.get(view?.string()) ?? 'unknown'
}

/** Flags of a text. */
export function textFlags(view: JsonView | undefined): number {
  if (view?.kind !== 'string') return 0
  if (view.length === 0) return Flag.empty
  return view.isBlank() ? Flag.blank : 0
}

/** Shortest text that can be a signature of Anthropic's; the shortest of 47 real ones has 300 characters. */
const SHORTEST_SIGNATURE = 100

/** What some clients store in the place of a signature: the name of the field in which another provider's reasoning came. */
const FIELD_NAMES = new Set(['reasoning', 'reasoning_content', 'reasoning_details', 'reasoning_text'])

/**
 * Size and flags of the signature of thinking. Anthropic's are base64 with padding, and tell in their first bytes how long they
 * are (measured with 47 of claude-opus-4-5): what does not fit that was cut, where others of the conversation fit it.
 */
export function signatureFacts(view: JsonView | undefined): { readonly size: number; readonly flags: number } {
  const signature = view?.string() ?? ''
  const size = signature.length
  if (size === 0) return { size, flags: Flag.unsigned }
  if (FIELD_NAMES.has(signature) || !/^[\w+/=-]*$/.test(signature)) return { size, flags: Flag.badSignature }
  const isWhole = size >= SHORTEST_SIGNATURE && size % 4 === 0 && !isShorterThanItSays(signature)
  return { size, flags: isWhole ? 0 : Flag.cutSignature }
}

/** A field of type 2 of a protocol buffer: its tag, its length in groups of seven bits, lowest first, its bytes. */
function isShorterThanItSays(signature: string): boolean {
  const head = Buffer.from(signature.slice(0, 8), 'base64')
  if (head[0] !== 0x12) return false
  let length = 0
  for (let i = 1; i < head.length; i++) {
    length += (head[i]! & 0x7f) * 2 ** (7 * (i - 1))
    if (head[i]! < 0x80) return 1 + i + length > Buffer.byteLength(signature, 'base64')
  }
  return false
}

/** Flags of a result by its text. */
export function resultFlags(view: JsonView | undefined): number {
  if (view?.kind !== 'string') return 0
  if (view.length === 0) return Flag.empty
  return isSynthetic(view) ? Flag.synthetic : 0
}

/** Flags of the arguments of a call where they are stored as the text of an object; none at all are another fault. */
export function argumentsFlags(view: JsonView | undefined): number {
  if (view?.kind === 'null') return Flag.argumentsNotJson
  const text = view?.string()
  return text === undefined || parses(text) ? 0 : Flag.argumentsNotJson
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The input of a call as the text that some APIs want; a text stays what it is. */
export function argumentsText(input: Json): string {
  return typeof input === 'string' ? input : Buffer.from(toText(input)).toString('utf8')
}
