import type { JsonChange } from './edit.ts'
import type { Path } from './view.ts'

const LONE = /\p{Surrogate}/u
/** Latin text, the most of all, has none and is told by this fast look. */
const HIGH = /[\ud800-\udfff]/

/** How deep a value is followed without asking whether it contains itself. */
const TRUSTED = 8

export const hasLoneSurrogate = (text: string): boolean => HIGH.test(text) && LONE.test(text)

/** The texts inside a plain value that hold half a surrogate pair, each with what replaces it. */
export function loneSurrogates(value: unknown): JsonChange[] {
  const changes: JsonChange[] = []
  visit(value, [], new Set(), (path, text) =>
    changes.push({ op: 'set', path, value: text.replace(/\p{Surrogate}/gu, '\ufffd') }),
  )
  return changes
}

export function holdsLoneSurrogate(value: unknown): boolean {
  let found = false
  visit(value, undefined, new Set(), () => {
    found = true
  })
  return found
}

function visit(
  value: unknown,
  path: Path | undefined,
  above: Set<unknown>,
  found: (path: Path, text: string) => void,
  depth = 0,
): void {
  if (typeof value === 'string') {
    if (hasLoneSurrogate(value)) found(path ?? [], value)
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth > TRUSTED) {
    if (above.has(value) || depth > 500) return
    above.add(value)
  }
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) visit(value[i], path && [...path, i], above, found, depth + 1)
    return
  }
  for (const key of Object.keys(value)) {
    visit(member(value, key), path && [...path, key], above, found, depth + 1)
  }
}

/** A member may be a getter of somebody else's. */
function member(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key]
  } catch {
    return undefined
  }
}
