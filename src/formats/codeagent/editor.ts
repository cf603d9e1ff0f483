import type { Document, Entry } from '../../model/document.ts'
import { type Json, Verbatim } from '../../text/view.ts'
import { inventedUuid, laterStamp } from '../invented.ts'
import { ListEditor } from '../list-editor.ts'
import { chat } from './dialect.ts'
import { factsOf } from './facts.ts'

/** Edits codeAgent's files: a list of messages, each a line with an envelope of its own. */
export class CodeAgentEditor extends ListEditor {
  #taken: Set<string> | undefined
  /** The record that follows each one in the file. */
  #next: Map<number, number> | undefined

  constructor(document: Document) {
    super(document, chat)
  }

  protected override insertMessage(message: Json, beside: Entry, offset: 0 | 1): boolean {
    // A message that is moved brings its envelope along.
    const value =
      message instanceof Verbatim ? message : this.#enveloped(message as { [key: string]: Json }, beside, offset)
    return super.insertMessage(value, beside, offset)
  }

  protected override clear(entry: Entry, key: string): boolean {
    return this.change(entry, { op: 'set', path: [key], value: null })
  }

  /** The message as codeAgent would have written it beside another one: all keys, nulls for those that are empty. */
  #enveloped(message: { readonly [key: string]: Json | undefined }, beside: Entry, offset: 0 | 1): Json {
    const neighbour = this.document.records.view(beside.record)
    const copied = (key: string): Json => neighbour?.get(key)?.verbatim() ?? null
    const content = contentOf(message.content)
    // A snapshot has the bare message behind its own two keys.
    if (neighbour?.get('seq')) return { seq: copied('seq'), ts: copied('ts'), ...message, content }
    const stamp = neighbour?.get('timestamp')?.string()
    const written =
      stamp === undefined ? copied('timestamp') : offset === 0 ? stamp : laterStamp(stamp, this.#stampBehind(beside))
    const own = neighbour?.get('id')?.string() ?? ''
    return {
      id: inventedUuid([own, String(offset), String(message.tool_call_id ?? message.role)], (id) => this.#isTaken(id)),
      role: message.role,
      content,
      tool_calls: message.tool_calls ?? null,
      tool_call_id: message.tool_call_id ?? null,
      name: message.name ?? null,
      timestamp: written,
      turn_index: copied('turn_index'),
    }
  }

  #isTaken(id: string): boolean {
    if (!this.#taken) {
      this.#taken = new Set()
      for (const entry of this.document.entries()) this.#taken.add(this.document.ids.text(factsOf(entry).id))
    }
    return this.#taken.has(id)
  }

  /** The time of the record that follows in the file. */
  #stampBehind(entry: Entry): string | undefined {
    const { records } = this.document
    if (!this.#next) {
      this.#next = new Map()
      const order = records.order()
      for (let i = 1; i < order.length; i++) this.#next.set(order[i - 1]!, order[i]!)
    }
    const next = this.#next.get(entry.record)
    return next === undefined ? undefined : records.view(next)?.get('timestamp')?.string()
  }
}

/** A text as one string, as codeAgent stores it. */
function contentOf(content: Json | undefined): Json {
  const [only] = Array.isArray(content) ? (content as readonly Json[]) : []
  const isText =
    Array.isArray(content) && content.length === 1 && typeof only === 'object' && only !== null && 'text' in only
  return isText ? ((only as { text: Json }).text ?? null) : (content ?? null)
}
