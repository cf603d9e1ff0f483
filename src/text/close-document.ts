import { scanDocument } from './scan.ts'
import { END, KIND_MASK, Kind, NEXT, NODE, Tape } from './tape.ts'

/**
 * How to close a document of messages that ends in the middle: the prefix to keep, which ends behind the last complete item of
 * the outermost array of objects, and what to write behind it. Undefined when no item is complete, or when the document is wrong
 * in another way than ending too early.
 */
export function closeDocument(bytes: Uint8Array): { keep: number; closing: string } | undefined {
  const tape = new Tape()
  const error = ~scanDocument(bytes, 0, bytes.length, tape)
  if (error !== bytes.length || tape.open < 0) return undefined
  const { nodes } = tape
  const open: number[] = []
  for (let node = tape.open; node >= 0; node = nodes[node + NEXT]!) open.push(node)
  open.reverse()

  let closing = ''
  for (const [level, node] of open.entries()) {
    closing = (nodes[node] === Kind.object ? '}' : ']') + closing
    if (nodes[node] !== Kind.array || nodes[node + NODE] !== Kind.object || node + NODE >= tape.length) continue
    // The items before the one that is still open, if one is.
    const end = open[level + 1] ?? tape.length
    let keep = -1
    for (let item = node + NODE; item < end; item = nodes[item + NEXT]!) {
      // A number or a literal in an array of objects is damage itself.
      if ((nodes[item]! & KIND_MASK) >= Kind.string) keep = nodes[item + END]!
    }
    return keep < 0 ? undefined : { keep, closing }
  }
  return closeRoot(tape, open)
}

/** The array of objects may be closed already: then all that is complete in the root object behind it is kept as well. */
function closeRoot(tape: Tape, open: readonly number[]): { keep: number; closing: string } | undefined {
  const { nodes } = tape
  if (nodes[0] !== Kind.object) return undefined
  const end = open[1] ?? tape.length
  let keep = -1
  for (let value = 2 * NODE; value < end; value = nodes[value + NEXT]! + NODE) {
    const isList =
      nodes[value] === Kind.array && nodes[value + NODE] === Kind.object && nodes[value + NEXT]! > value + NODE
    // A number at the very end may have been longer.
    if (isList || (keep >= 0 && nodes[value] !== Kind.number)) keep = nodes[value + END]!
  }
  return keep < 0 ? undefined : { keep, closing: '}' }
}
