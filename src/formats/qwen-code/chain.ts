import type { Chain, ChainBreak, Entry, LostBranch } from '../../model/document.ts'
import { type Id, NO_ID } from '../../text/ids.ts'
import type { Skeleton } from '../format.ts'
import { LinkIndex, type LinkSet } from './link-index.ts'
import { factsOf, type TornFacts } from './records.ts'
import { type Shared, sharedIds } from './shared.ts'

const NONE_SHARED: Shared = { shared: [], copies: new Set() }

/** The links of a file as Qwen Code sees them (0.24.4, `prepareTranscriptRecords`). */
export interface Walk extends Omit<Chain, 'compactions' | 'foreign'> {
  /** All records of an id on the path, in the order of the file: fragments of one message. Mere copies are left out. */
  fragmentsOf(entry: Entry): readonly Entry[]
}

/**
 * Walks from the last record of the conversation in the file by `parentUuid`. Of records with one uuid the first one's parent
 * counts. A parent that is not there ends the walk, and all that stands before is silently left out (QwenLM/qwen-code#6501:
 * on purpose, for it may have been rewound); a ring ends it, too.
 */
export function walk(document: Skeleton): Walk {
  const { ids, records } = document
  for (const entry of document.entries()) entry.onPath = false
  const index = new LinkIndex({ ids, records, entries: document.entries() })
  const last = index.links.at(-1)
  const leaf = last && index.get(last.id)
  const path: Entry[] = []
  const breaks: ChainBreak[] = []
  const seen = index.set()
  const bridge = new Bridge(index, seen)
  for (let at = leaf; at; ) {
    seen.add(at)
    // Behind a break it goes on with what the repair would link to, so that further breaks are found in one go.
    if (breaks.length === 0) path.push(at)
    if (at.parent === NO_ID) break
    const parent = index.get(at.parent)
    if (parent && !seen.has(parent)) {
      at = parent
      continue
    }
    const next = bridge.from(at)
    breaks.push({ kind: parent ? 'parent-cycle' : 'missing-parent', entry: at, next })
    at = next
  }
  path.reverse()
  for (const entry of path) {
    entry.onPath = true
    for (const each of index.more.get(entry.id) ?? []) each.onPath = true
  }
  const { shared, copies } = index.more.size > 0 ? sharedIds(document, index, path) : NONE_SHARED
  return {
    leaf,
    path,
    breaks,
    lost: breaks.length > 0 ? [] : lostBranches(index, path),
    shared,
    fragmentsOf(entry) {
      const more = index.more.get(entry.id)
      return more ? [entry, ...more.filter((each) => !copies.has(each))] : [entry]
    },
  }
}

/** Finds what a record whose parent is missing (or leads back to it) was most likely linked to. */
class Bridge {
  readonly #index: LinkIndex
  /** The records that the walk has come by: they stand below, and nothing may be linked to them. */
  readonly #below: LinkSet
  /** For each uuid the last place in the file where something is linked to it. */
  #lastChild: Map<Id, number> | undefined
  /** From each place the next one before it to look at: what did not fit once never will, for a walk goes up the file. */
  #skip: Int32Array | undefined

  constructor(index: LinkIndex, below: LinkSet) {
    this.#index = index
    this.#below = below
  }

  /**
   * What another fragment of the record names as its parent; what the unusable parent says of its own parent; else the
   * nearest record before it in the file to which nothing later in the file is linked: a record that goes on behind this one
   * belongs to a branch of its own.
   */
  from(child: Entry): Entry | undefined {
    const { more, apart } = this.#index
    for (const fragment of more.get(child.id) ?? []) {
      const parent = this.#index.get(fragment.parent)
      if (parent && !this.#below.has(parent)) return parent
    }
    let place = this.#index.placeOf(child)
    const passed = new Set<Entry>()
    for (let beside = apart.get(child.parent); beside && !passed.has(beside); beside = apart.get(beside.parent)) {
      passed.add(beside)
      const parent = this.#index.get(beside.parent)
      if (parent && !this.#below.has(parent)) return parent
      if (isRoot(beside)) return undefined
      place = Math.min(place, this.#index.placeOf(beside))
    }
    return this.#before(place)
  }

  #before(place: number): Entry | undefined {
    const { links } = this.#index
    this.#lastChild ??= this.#indexChildren()
    this.#skip ??= Int32Array.from(links, (_, i) => i - 1)
    const passed: number[] = []
    let found: Entry | undefined
    let at = place - 1
    while (at >= 0 && !found) {
      const candidate = this.#index.get(links[at]!.id)!
      if (!this.#below.has(candidate) && (this.#lastChild.get(candidate.id) ?? -1) <= place) found = candidate
      else {
        passed.push(at)
        at = this.#skip[at]!
      }
    }
    for (const each of passed) this.#skip[each] = at
    return found
  }

  #indexChildren(): Map<Id, number> {
    const children = new Map<Id, number>()
    this.#index.links.forEach((link, i) => {
      if (link.parent !== NO_ID) children.set(link.parent, i)
    })
    return children
  }
}

function isRoot(entry: Entry): boolean {
  return entry.kind === 'damaged' ? (entry.more as TornFacts).isRoot : entry.parent === NO_ID
}

/** Sides of forks that are left out although nobody rewound: the live side goes on with a mere note, and the other has no prompt. */
function lostBranches(index: LinkIndex, path: readonly Entry[]): LostBranch[] {
  if (path.length + countOf(index.more) === index.links.length) return []
  const live = new Map<Entry, Entry>()
  path.forEach((entry, i) => {
    if (i > 0) live.set(path[i - 1]!, entry)
  })
  interface Side {
    readonly fork: Entry
    tip: Entry
    hasMessage: boolean
    hasPrompt: boolean
  }
  const sides = new Map<Id, Side>()
  for (const entry of index.links) {
    // Fragments hang where the first record of their uuid hangs.
    if (entry.onPath || index.get(entry.id) !== entry) continue
    const parent = index.get(entry.parent)
    if (!parent) continue
    let side = sides.get(parent.id)
    if (!side && parent.onPath) side = { fork: parent, tip: entry, hasMessage: false, hasPrompt: false }
    if (!side) continue
    side.tip = entry
    side.hasMessage ||= entry.kind === 'message'
    side.hasPrompt ||= factsOf(entry)?.type === 'user'
    sides.set(entry.id, side)
  }
  const lost: LostBranch[] = []
  for (const { fork, tip, hasMessage, hasPrompt } of new Set(sides.values())) {
    const next = live.get(fork)
    if (!next || !hasMessage || hasPrompt || next.kind !== 'note') continue
    if (factsOf(next)?.subtype !== 'rewind') lost.push({ fork, tip, live: next })
  }
  return lost
}

function countOf(more: ReadonlyMap<Id, readonly Entry[]>): number {
  let count = 0
  for (const entries of more.values()) count += entries.length
  return count
}
