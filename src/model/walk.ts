import type { Id } from '../text/ids.ts'
import { NO_ID } from '../text/ids.ts'
import type { ChainBreak, Entry, SharedId } from './document.ts'
import { type Links, NOWHERE } from './links.ts'

/** What a client does where the stored links do not say where to go on. */
export interface WalkOptions {
  /** The parent that the client reads into a record in place of the stored one; undefined: the stored one, null: none. */
  readonly parent?: (entry: Entry) => Entry | null | undefined
  /** Records that may take the place of a parent that is not there; without it the walk ends there. */
  readonly bridge?: (entry: Entry) => boolean
}

export interface Walk {
  /** Root first. */
  readonly path: Entry[]
  readonly breaks: ChainBreak[]
  /** Ids whose later record closes a ring. */
  readonly shared: SharedId[]
}

/**
 * Walks from a leaf to its root. Each record is passed once: a parent that is not there, or that was passed already, is
 * bridged to the nearest record before (so does Claude Code 2.1.332). A ring that is closed by an id that was given twice
 * is left through the earlier record of that id.
 */
export function walk(links: Links, leaf: Entry, options: WalkOptions = {}): Walk {
  return new Walker(links, options).from(leaf)
}

/** Steps that are taken back at most: enough for every file that was not made to be slow. */
const MAX_REVISIONS = 1000

class Walker {
  readonly #links: Links
  readonly #options: WalkOptions
  readonly #path: number[] = []
  readonly #breaks: ChainBreak[] = []
  readonly #shared: SharedId[] = []
  readonly #passed: Uint8Array
  readonly #bridge: Bridge | undefined
  /** Of ids that several records bear: the one that was settled on. */
  readonly #copies = new Map<Id, number>()
  /** Steps to a record that stands behind, of whose id another one stands in front: length of the path, and that other one. */
  readonly #jumps: { readonly length: number; readonly settled: number; readonly copy: number }[] = []
  #revisions = 0
  #looks: number

  constructor(links: Links, options: WalkOptions) {
    this.#links = links
    this.#options = options
    this.#passed = new Uint8Array(links.count)
    this.#looks = 16 * links.count
    this.#bridge = options.bridge && new Bridge(links, this.#passed, options.bridge)
  }

  from(leaf: Entry): Walk {
    const { list } = this.#links
    for (let at = this.#links.placeOf(leaf); at !== NOWHERE; at = this.#next(list[at]!, at)) {
      this.#passed[at] = 1
      this.#path.push(at)
    }
    const path = this.#path.reverse().map((place) => list[place]!)
    return { path, breaks: this.#breaks, shared: this.#shared }
  }

  #next(entry: Entry, at: number): number {
    const given = this.#options.parent?.(entry)
    if (given === null) return NOWHERE
    if (given) {
      const place = this.#links.placeOf(given)
      return this.#passed[place] ? NOWHERE : place
    }
    if (entry.parent === NO_ID) return entry.kind === 'damaged' ? this.#before(at) : NOWHERE
    const found = this.#copies.get(entry.parent) ?? this.#links.find(entry.parent)
    if (found === NOWHERE) return this.#broken('missing-parent', entry, at)
    const copy = this.#copyBefore(found, at)
    if (!this.#passed[found]) {
      if (found > at && copy !== NOWHERE) {
        this.#jumps.push({ length: this.#path.length, settled: this.#shared.length, copy })
      }
      return found
    }
    return copy === NOWHERE ? this.#revised(entry, at) : this.#settle(copy)
  }

  /** A ring: where an earlier step could have led to another record of the same id, that step was the wrong one. */
  #revised(entry: Entry, at: number): number {
    const jump = this.#jumps.pop()
    if (!jump || ++this.#revisions > MAX_REVISIONS) return this.#broken('parent-cycle', entry, at)
    while (this.#path.length > jump.length) this.#passed[this.#path.pop()!] = 0
    while (this.#breaks.length > 0 && !this.#passed[this.#links.placeOf(this.#breaks.at(-1)!.entry)]) this.#breaks.pop()
    while (this.#shared.length > jump.settled) {
      const { later } = this.#shared.pop()!
      this.#copies.set(later.id, this.#links.placeOf(later))
    }
    return this.#settle(jump.copy)
  }

  #settle(copy: number): number {
    const first = this.#links.list[copy]!
    const later = this.#links.list[this.#copies.get(first.id) ?? this.#links.find(first.id)]!
    this.#copies.set(first.id, copy)
    this.#shared.push({ first, later, effect: 'harmful' })
    return this.#passed[copy] ? NOWHERE : copy
  }

  #broken(kind: ChainBreak['kind'], entry: Entry, at: number): number {
    const place = this.#before(at)
    // With nothing before it the record is the root in any case: a parent in another file does no harm.
    if (entry.kind !== 'damaged' && (place !== NOWHERE || kind === 'parent-cycle')) {
      this.#breaks.push({ kind, entry, next: this.#links.list[place] })
    }
    return place
  }

  #before(at: number): number {
    return this.#bridge?.before(at) ?? NOWHERE
  }

  #copyBefore(from: number, at: number): number {
    let copy = this.#links.copyBefore(from)
    while (copy !== NOWHERE && (copy >= at || this.#passed[copy])) {
      // However many records of one id stand behind each other: the walk as a whole stays linear.
      if (this.#looks-- <= 0) return NOWHERE
      copy = this.#links.copyBefore(copy)
    }
    return copy
  }
}

/** Finds the nearest record before a place that was not passed yet: over all look-ups together in nearly linear time. */
class Bridge {
  readonly #links: Links
  readonly #passed: Uint8Array
  readonly #fits: (entry: Entry) => boolean
  /** Where to look next from a place that does not fit; filled when it is first needed. */
  #skip: Int32Array | undefined

  constructor(links: Links, passed: Uint8Array, fits: (entry: Entry) => boolean) {
    this.#links = links
    this.#passed = passed
    this.#fits = fits
  }

  before(place: number): number {
    this.#skip ??= Int32Array.from({ length: this.#links.count }, (_, i) => i)
    const skip = this.#skip
    let found = place - 1
    while (found >= 0) {
      if (skip[found] !== found) found = skip[found]!
      else if (this.#passed[found] || !this.#fits(this.#links.list[found]!)) found--
      else break
    }
    for (let at = place - 1; at > found; ) {
      const on = skip[at] === at ? at - 1 : skip[at]!
      skip[at] = found
      at = on
    }
    return found
  }
}
