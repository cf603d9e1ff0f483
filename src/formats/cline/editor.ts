import { anthropic } from '../../dialects/anthropic.ts'
import type { Document, Entry } from '../../model/document.ts'
import { type Json, lookup } from '../../text/view.ts'
import { inventedUuid, storedIds } from '../invented.ts'
import { ListEditor } from '../list-editor.ts'

/** New messages get what the client knows a message by: `ts`, in `messages.json` an `id` too. Roo Code deletes and edits by `ts`. */
export class ClineEditor extends ListEditor {
  #taken: ReadonlySet<string> | undefined

  constructor(document: Document) {
    super(document, anthropic)
  }

  protected override insertMessage(message: Json, beside: Entry, offset: 0 | 1): boolean {
    const neighbour = this.#stored(beside, 0)
    const time = neighbour?.get('ts')?.number()
    const limit = this.#stored(beside, offset === 0 ? -1 : 1)
      ?.get('ts')
      ?.number()
    const named = neighbour?.get('id')?.string()
    const stamped = {
      ...(named === undefined ? {} : { id: inventedUuid([named, `${offset}`], (id) => this.#isTaken(id)) }),
      ...(message as { readonly [key: string]: Json }),
      ...(time === undefined ? {} : { ts: between(time, limit, offset) }),
    }
    return super.insertMessage(stamped, beside, offset)
  }

  #stored(entry: Entry, step: number) {
    const index = entry.path.at(-1)
    const record = this.document.records.view(entry.record)
    if (typeof index !== 'number' || !record) return undefined
    return lookup(record, [...entry.path.slice(0, -1), index + step])
  }

  #isTaken(id: string): boolean {
    this.#taken ??= storedIds(this.document)
    return this.#taken.has(id)
  }
}

/** A millisecond beside the neighbour, as long as that is not past the one on the other side. */
function between(time: number, limit: number | undefined, offset: 0 | 1): number {
  if (offset === 0) return limit === undefined ? time - 1 : Math.max(time - 1, limit)
  return limit === undefined ? time + 1 : Math.min(time + 1, limit)
}
