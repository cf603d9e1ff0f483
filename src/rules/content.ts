import type { Block } from '../model/blocks.ts'
import type { Document, Message } from '../model/document.ts'
import type { Loss } from '../model/finding.ts'
import { toText } from '../text/edit.ts'
import type { JsonView } from '../text/view.ts'
import { lookup } from '../text/view.ts'

/** Looks at what is stored of a block. For the few blocks that a rule has doubts about: it reads the record again. */
export function storedOf(document: Document, block: Block): JsonView | undefined {
  const record = document.records.view(block.entry.record)
  return record && lookup(record, block.path)
}

/** Looks at the stored message that a message of one begins with, in the same way. */
export function storedMessage(document: Document, { entries: [entry] }: Message): JsonView | undefined {
  const record = entry && document.records.view(entry.record)
  return record && lookup(record, entry.path)
}

/** What a tool result says, whatever its wire shape calls it. */
export function outputOf(document: Document, result: Block): JsonView | undefined {
  return first(storedOf(document, result), [
    ['content'],
    ['output'],
    ['functionResponse', 'response'],
    ['result', 'content'],
    ['error', 'message'],
  ])
}

/** The text of a tool result, for quoting it. */
export function textOfResult(document: Document, result: Block): string {
  const output = outputOf(document, result)
  if (output?.kind === 'string') return output.string()!
  const texts = result.content
    .filter((block) => block.kind === 'text')
    .map((block) => storedOf(document, block)?.get('text')?.string() ?? '')
  if (texts.length > 0) return texts.join('\n')
  if (output?.kind !== 'object') return document.textOfResult(result)
  const own = (output.get('output') ?? output.get('value'))?.string()
  // Beside other fields the output is only a part of what the tool said.
  return own !== undefined && (output.size === 1 || output.get('type') !== undefined)
    ? own
    : Buffer.from(toText(output.verbatim())).toString('utf8')
}

/** What is lost of a tool result when only its text is kept. */
export function lossesAsText(result: Block): Loss[] {
  return result.content.some(({ kind }) => kind !== 'text') ? ['media'] : []
}

function first(view: JsonView | undefined, paths: readonly (readonly string[])[]): JsonView | undefined {
  for (const path of paths) {
    const found = view && lookup(view, path)
    if (found) return found
  }
  return undefined
}

/** Whether two values say the same; spelling and the order of keys do not count. Nothing and nothing are the same. */
export function saysTheSame(a: JsonView | undefined, b: JsonView | undefined): boolean {
  const pairs = [[a, b]]
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [x, y] = pair
    if (!x || !y) {
      if (x !== y) return false
    } else if (x.kind !== y.kind || (x.kind === 'array' && x.size !== y.size)) {
      return false
    } else if (x.kind === 'array') {
      const others = y.items()[Symbol.iterator]()
      for (const item of x.items()) pairs.push([item, others.next().value])
    } else if (x.kind === 'object') {
      // Of a key that stands twice the last value counts.
      const [members, others] = [new Map(x.members()), new Map(y.members())]
      if (members.size !== others.size) return false
      for (const [key, value] of members) pairs.push([value, others.get(key)])
    } else if (x.string() !== y.string() || x.number() !== y.number() || x.boolean() !== y.boolean()) {
      return false
    }
  }
  return true
}
