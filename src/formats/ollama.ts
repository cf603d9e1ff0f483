import { ollama } from '../dialects/ollama.ts'
import type { Block } from '../model/blocks.ts'
import type { Entry, Message } from '../model/document.ts'
import type { Operation } from '../model/finding.ts'
import type { JsonChange } from '../text/edit.ts'
import { type Json, type JsonView, lookup } from '../text/view.ts'
import { ListEditor } from './list-editor.ts'
import type { Product } from './message-list.ts'

/** Messages of Ollama's own chat API. */
export const OLLAMA: Product = {
  name: 'ollama',
  title: 'Ollama',
  target: 'ollama',
  dialect: ollama,
  editor: (document) => new OllamaEditor(document, ollama),
}

/** A message that shows what only Ollama has: arguments that are an object, images beside the text, results that name their tool. */
export function isOllamaMessage(message: JsonView): boolean {
  const content = message.get('content')
  if (message.get('role')?.kind !== 'string' || content?.kind === 'array' || message.get('parts')) return false
  for (const call of message.get('tool_calls')?.items() ?? []) {
    if (lookup(call, ['function', 'arguments'])?.kind === 'object') return true
  }
  const images = message.get('images')
  if (images?.kind === 'array' && images.size > 0) return images.at(0)?.kind === 'string'
  return message.get('role')?.string() === 'tool' && message.get('tool_name')?.kind === 'string'
}

/** Edits messages whose content is always a text. */
class OllamaEditor extends ListEditor {
  /** What stands for the images of a message that the repair at hand takes out: beside the text there is no place for it. */
  #texts = new Map<Entry, string[]>()

  override apply(operations: readonly Operation[]): boolean {
    this.#texts = new Map()
    for (const operation of operations) {
      if (!isOfImage(operation)) continue
      const { entry } = operation.block
      this.#texts.set(entry, [...(this.#texts.get(entry) ?? []), operation.text])
    }
    return super.apply(operations)
  }

  protected override plan(operation: Operation): boolean {
    if (operation.do === 'fill-message') {
      const [entry] = operation.message.entries
      return entry !== undefined && this.change(entry, { op: 'set', path: ['content'], value: operation.text })
    }
    if (isOfImage(operation)) return this.#replace(operation.block)
    return operation.do === 'fold' ? this.#join(operation.from, operation.into) : super.plan(operation)
  }

  /** Takes an image out; the texts for all of its message are put behind what that says. */
  #replace({ entry, tail }: Block): boolean {
    const texts = this.#texts.get(entry)
    this.#texts.delete(entry)
    const content = this.message(entry)?.get('content')
    if (content && content.kind !== 'string' && content.kind !== 'null') return false
    const value = [content?.string() ?? '', ...(texts ?? [])].filter((text) => text !== '').join('\n\n')
    const isSaid = texts === undefined || this.change(entry, { op: 'set', path: ['content'], value })
    return isSaid && this.change(entry, { op: 'remove', path: tail })
  }

  /** Joins two texts with a blank line between them, and what stands beside them. */
  #join({ entries: [from] }: Message, { entries: [into] }: Message): boolean {
    const [home, more] = [into && this.message(into), from && this.message(from)]
    if (!from || !into || !home || !more) return false
    const changes: JsonChange[] = []
    for (const [key, value] of more.members()) {
      const present = home.get(key)
      if (key === 'role' || value.kind === 'null') continue
      const joined = present === undefined ? value.verbatim() : joinedOf(present, value)
      if (joined === undefined) return false
      changes.push({ op: 'set', path: [key], value: joined })
    }
    return changes.every((change) => this.change(into, change)) && this.removeMessage(from)
  }
}

function isOfImage(operation: Operation): operation is Extract<Operation, { do: 'replace-block' }> {
  return operation.do === 'replace-block' && operation.block.kind === 'media'
}

/** Two values as one: texts one below the other, lists one behind the other; undefined for what cannot be joined. */
function joinedOf(a: JsonView, b: JsonView): Json | undefined {
  if (a.kind === 'null' || a.kind === 'string') {
    const texts = [a, b].flatMap((view) => (view.length > 0 ? [view.string() ?? ''] : []))
    return b.kind === 'string' ? texts.join('\n\n') : undefined
  }
  if (a.kind !== 'array' || b.kind !== 'array') return undefined
  return [a, b].flatMap((list) => Array.from(list.items(), (item): Json => item.verbatim()))
}
