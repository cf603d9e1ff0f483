import type { Id } from '../text/ids.ts'
import { NO_ID } from '../text/ids.ts'
import type { Document, Entry } from './document.ts'

/** Stands for "no record" where records are named by their place in the file. */
export const NOWHERE = -1

/**
 * The records that are links of a chain, in the order of the file. A record is named by its place in that order, so that
 * everything that is asked for each of a million records is a look-up in a typed array, whatever a hostile file says.
 */
export class Links {
  readonly list: readonly Entry[]
  /** Last place of each id, plus one. */
  readonly #last: Int32Array
  /** Place before this one that has the same id. */
  readonly #before: Int32Array
  readonly #places: Int32Array

  /** `ids`: how many ids there are; `records`: how many record numbers. */
  constructor(list: readonly Entry[], ids: number, records: number) {
    this.list = list
    this.#last = new Int32Array(ids)
    this.#before = new Int32Array(list.length).fill(NOWHERE)
    this.#places = new Int32Array(records).fill(NOWHERE)
    for (let place = 0; place < list.length; place++) {
      const { id, record } = list[place]!
      this.#places[record] = place
      if (id === NO_ID) continue
      this.#before[place] = this.#last[id]! - 1
      this.#last[id] = place + 1
    }
  }

  /** The links among the entries of a document. */
  static of(document: Pick<Document, 'ids' | 'records' | 'entries'>): Links {
    const list: Entry[] = []
    for (const entry of document.entries()) if (entry.kind !== 'bookkeeping') list.push(entry)
    return new Links(list, document.ids.size, document.records.count)
  }

  get count(): number {
    return this.list.length
  }

  placeOf(entry: Entry): number {
    return this.#places[entry.record]!
  }

  /** Where the id leads: to the last record that bears it, as in Claude Code (observed with 2.1.332). */
  find(id: Id): number {
    return id === NO_ID ? NOWHERE : this.#last[id]! - 1
  }

  /** The entry that an id leads to. */
  entry(id: Id): Entry | undefined {
    return this.list[this.find(id)]
  }

  /** The record before this one that bears the same id. */
  copyBefore(place: number): number {
    return this.#before[place]!
  }

  /** Whether its id leads to this very record. */
  isRepresentative(place: number): boolean {
    const { id } = this.list[place]!
    return id === NO_ID || this.#last[id] === place + 1
  }
}
