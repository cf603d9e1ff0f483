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
