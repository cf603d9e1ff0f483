import type { Entry } from '../model/document.ts'
import type { Id } from '../text/ids.ts'
import { NO_ID } from '../text/ids.ts'
import type { Json } from '../text/view.ts'

/** Something that is put into the chain: a new message, or a stored record from elsewhere. */
export type Item =
  | {
      readonly kind: 'new'
      readonly message: Json
      readonly role: 'user' | 'assistant'
      readonly like: Entry
      readonly answers: Entry | undefined
      /** What its id is made of, beside the session. */
      readonly seed: string
    }
  | { readonly kind: 'moved'; readonly entry: Entry }

/** One conversation's chain of records, and what is to be put between them. */
export class TreePath {
  readonly entries: readonly Entry[]
  /** Items in front of a place of the path; at its length: behind its end. */
  readonly gaps = new Map<number, Item[]>()
  readonly #places: Map<Entry, number>
  /** Last place of each message that is stored in several records, as far as nothing but its results stands between them. */
  readonly #ends = new Map<Id, number>()

  constructor(entries: readonly Entry[], places: Map<Entry, number>) {
    this.entries = entries
    this.#places = places
    let last = NO_ID
    entries.forEach((entry, place) => {
      places.set(entry, place)
      if (entry.kind !== 'message' || isResults(entry)) return
      if (entry.group !== NO_ID && (entry.group === last || !this.#ends.has(entry.group))) {
        this.#ends.set(entry.group, place)
      }
      last = entry.group
    })
  }

  placeOf(entry: Entry): number | undefined {
    const place = this.#places.get(entry)
    return place !== undefined && this.entries[place] === entry ? place : undefined
  }

  /** Where the turn of a record ends: also of one that is off the path, when others of its message are on it. */
  turnEnd(entry: Entry): number | undefined {
    return (entry.group === NO_ID ? undefined : this.#ends.get(entry.group)) ?? this.placeOf(entry)
  }

  /** The place behind the run of results that follows a turn: in front of the next message, behind notes. */
  behindResults(turnEnd: number): number {
    let place = turnEnd + 1
    while (place < this.entries.length && isPassed(this.entries[place]!)) place++
    return place
  }

  put(place: number, item: Item): void {
    const items = this.gaps.get(place)
    if (items) items.push(item)
    else this.gaps.set(place, [item])
  }
}

function isPassed(entry: Entry): boolean {
  // A record of an answer that says nothing still begins that answer.
  if (entry.kind === 'note' || entry.kind === 'damaged') return entry.group === NO_ID
  return entry.kind === 'message' && isResults(entry)
}

/** A record that holds results and nothing else. */
export function isResults(entry: Entry): boolean {
  return entry.blocks.length > 0 && entry.blocks.every((block) => block.kind === 'tool-result')
}
