import type { Document, Entry } from '../../model/document.ts'
import type { Id } from '../../text/ids.ts'
import { factsOf } from './facts.ts'

/** The messages and rewinds of a session in the order of its lines, found again by what they name. */
export class Lines {
  readonly #entries: readonly Entry[]
  readonly #places = new Map<Entry, number>()
  readonly #messages = new Map<Id, number[]>()
  readonly #rewinds = new Map<Id, number[]>()

  constructor(document: Document) {
    this.#entries = [...document.entries()]
    for (const [place, entry] of this.#entries.entries()) {
      const { line, names } = factsOf(entry)
      this.#places.set(entry, place)
      if (line === 'message') push(this.#messages, entry.id, place)
      else if (line === 'rewind' && names !== undefined) push(this.#rewinds, names, place)
    }
  }

  /**
   * The first rewind behind an entry that goes back to it and to no other message of its id, and the first message between the two.
   */
  behind(entry: Entry): { readonly rewind?: Entry | undefined; readonly next?: Entry | undefined } {
    const place = this.#places.get(entry) ?? -1
    const rewind = this.#rewinds.get(entry.id)?.find((each) => each > place)
    const others = this.#messages.get(entry.id)?.filter((each) => each !== place) ?? []
    if (rewind === undefined || others.some((other) => other < rewind)) return {}
    let next = place + 1
    while (next < rewind && factsOf(this.#entries[next]!).line !== 'message') next++
    return { rewind: this.#entries[rewind], next: next < rewind ? this.#entries[next] : undefined }
  }
}

function push(map: Map<Id, number[]>, id: Id, place: number): void {
  const places = map.get(id)
  if (places) places.push(place)
  else map.set(id, [place])
}
