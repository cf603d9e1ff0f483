import type { Block } from '../model/blocks.ts'
import type { Document } from '../model/document.ts'

/** Begins ids that were made up for pairing what is stored without one; nobody has ever seen such an id. */
const MADE_UP = '\0'

/** An id as it is said: the beginning of a very long one is enough to find it. */
export function idWords(id: string): string {
  if (id.startsWith(MADE_UP)) return ''
  return id.length > 60 ? `${id.slice(0, 40)}…` : id
}

/** A tool call as people know it: `Bash call toolu_01Ab`. */
export function callWords(document: Document, call: Block): string {
  return [document.ids.text(call.name), 'call', idWords(document.ids.text(call.id))]
    .filter((word) => word !== '')
    .join(' ')
}

/** A block's id, for look-ups by what an error message names. */
export function idsOf(document: Document, ...blocks: readonly Block[]): string[] {
  return [...new Set(blocks.map((block) => document.ids.text(block.id)))].filter(
    (id) => id !== '' && !id.startsWith(MADE_UP),
  )
}
