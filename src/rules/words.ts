import type { Block } from '../model/blocks.ts'
import type { Document } from '../model/document.ts'

/** A tool call as people know it: `Bash call toolu_01Ab`. */
export function callWords(document: Document, call: Block): string {
  return [document.ids.text(call.name), 'call', document.ids.text(call.id)].filter((word) => word !== '').join(' ')
}

/** A block's id, for look-ups by what an error message names. */
export function idsOf(document: Document, ...blocks: readonly Block[]): string[] {
  return [...new Set(blocks.map((block) => document.ids.text(block.id)))].filter((id) => id !== '')
}
