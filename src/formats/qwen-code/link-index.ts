import type { Entry } from '../../model/document.ts'
import { type Id, NO_ID } from '../../text/ids.ts'
import type { Skeleton } from '../format.ts'
import { isLink } from './records.ts'

/**
 * The records of a file by uuid and by place. Of records with one uuid the first one counts. What is asked of every record is a
 * look-up in a typed array.
 */
export class LinkIndex {
  /** All links, in the order of the file. */
  readonly links: readonly Entry[]
  /** Later records of a uuid, by the uuid. */
  readonly more: ReadonlyMap<Id, readonly Entry[]>
  /** Records that are no links although they have ids: torn ones, and those that stand beside the chain. */
  readonly apart: ReadonlyMap<Id, Entry>
  /** Place of the first link of each uuid, plus one. */
  readonly #first: Int32Array
  /** Place of each record among the links; of what is no link the place of the next one. */
  readonly #places: Int32Array

  constructor({ ids, records, entries }: Pick<Skeleton, 'ids' | 'records'> & { readonly entries: Iterable<Entry> }) {
    const links: Entry[] = []
    const more = new Map<Id, Entry[]>()
    const apart = new Map<Id, Entry>()
    this.#first = new Int32Array(ids.size)
    this.#places = new Int32Array(records.count)
    for (const entry of entries) {
      if (entry.id === NO_ID) continue
      this.#places[entry.record] = links.length
      if (!isLink(entry)) {
        apart.set(entry.id, entry)
        continue
      }
      links.push(entry)
      if (this.#first[entry.id] === 0) this.#first[entry.id] = links.length
      else if (more.has(entry.id)) more.get(entry.id)!.push(entry)
      else more.set(entry.id, [entry])
    }
    this.links = links
    this.more = more
    this.apart = apart
  }

  /** The first record with a uuid. */
  get(id: Id): Entry | undefined {
    return id === NO_ID ? undefined : this.links[this.#first[id]! - 1]
  }

  placeOf(entry: Entry): number {
    return this.#places[entry.record]!
  }

  /** A set of links. */
  set(): LinkSet {
    return new LinkSet(this)
  }
}

/** Some of the links, one bit each. */
export class LinkSet {
  readonly #index: LinkIndex
  readonly #has: Uint8Array

  constructor(index: LinkIndex) {
    this.#index = index
    this.#has = new Uint8Array(index.links.length)
  }

  add(entry: Entry): void {
    this.#has[this.#index.placeOf(entry)] = 1
  }

  has(entry: Entry): boolean {
    return this.#has[this.#index.placeOf(entry)] === 1
  }
}
