import type { Chain, ChainBreak, Entry, LostBranch } from '../../model/document.ts'
import { type Id, NO_ID } from '../../text/ids.ts'
import type { Skeleton } from '../format.ts'
import { factsOf, isLink, type TornFacts } from './records.ts'
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
  const links: Entry[] = []
  const apart = new Map<Id, Entry>()
  const first = new Map<Id, Entry>()
  const more = new Map<Id, Entry[]>()
  const positions = new Map<Entry, number>()
  for (const entry of document.entries()) {
    entry.onPath = false
    if (entry.id === NO_ID) continue
    positions.set(entry, links.length)
    if (!isLink(entry)) {
      apart.set(entry.id, entry)
      continue
    }
    links.push(entry)
    const later = more.get(entry.id)
    if (later) later.push(entry)
    else if (first.has(entry.id)) more.set(entry.id, [entry])
    else first.set(entry.id, entry)
  }

  const last = links.at(-1)
  const leaf = last && first.get(last.id)
  const path: Entry[] = []
  const breaks: ChainBreak[] = []
  const bridge = new Bridge(links, positions, first, apart)
  const seen = new Set<Entry>()
  let isLoaded = true
  for (let at = leaf; at; ) {
    seen.add(at)
    if (isLoaded) path.push(at)
    if (at.parent === NO_ID) break
    const parent = first.get(at.parent)
    if (parent && !seen.has(parent)) {
      at = parent
      continue
    }
    // Behind the break goes on what the repair would link to, so that further breaks are found in one go.
    const next = bridge.from(at, more.get(at.id) ?? [], seen)
    breaks.push({ kind: parent ? 'parent-cycle' : 'missing-parent', entry: at, next })
    isLoaded = false
    at = next
  }
  path.reverse()
  for (const entry of path) {
    entry.onPath = true
    for (const each of more.get(entry.id) ?? []) each.onPath = true
  }
  const { shared, copies } = more.size > 0 ? sharedIds({ document, links, positions, first, more, path }) : NONE_SHARED
  return {
    leaf,
    path,
    breaks,
    lost: breaks.length > 0 ? [] : lostBranches(links, path, first),
    shared,
    fragmentsOf: (entry) => [entry, ...(more.get(entry.id) ?? []).filter((each) => !copies.has(each))],
  }
}

/** Finds what a record whose parent is missing (or leads back to it) was most likely linked to. */
class Bridge {
  readonly #links: readonly Entry[]
  readonly #positions: ReadonlyMap<Entry, number>
  readonly #first: ReadonlyMap<Id, Entry>
  /** Records that are no links although they have ids: torn ones, and those that stand beside the chain. */
  readonly #apart: ReadonlyMap<Id, Entry>
  /** For each record the last place in the file where something is linked to it. */
  #lastChild: Map<Id, number> | undefined
  /** From each place the next one before it to look at: what did not fit once never will, for a walk goes up the file. */
  #skip: Int32Array | undefined

  constructor(
    links: readonly Entry[],
    positions: ReadonlyMap<Entry, number>,
    first: ReadonlyMap<Id, Entry>,
    apart: ReadonlyMap<Id, Entry>,
  ) {
    this.#links = links
    this.#positions = positions
    this.#first = first
    this.#apart = apart
  }

  /**
   * What another fragment of the record names as its parent; what the unusable parent says of its own parent; else the nearest record before it in the file to which nothing later in the
   * file is linked: a record that goes on behind this one belongs to a branch of its own.
   */
  from(child: Entry, fragments: readonly Entry[], below: ReadonlySet<Entry>): Entry | undefined {
    for (const fragment of fragments) {
      const parent = this.#first.get(fragment.parent)
      if (parent && !below.has(parent)) return parent
    }
    let place = this.#positions.get(child)!
    const passed = new Set<Entry>()
    for (
      let apart = this.#apart.get(child.parent);
      apart && !passed.has(apart);
      apart = this.#apart.get(apart.parent)
    ) {
      passed.add(apart)
      const parent = this.#first.get(apart.parent)
      if (parent && !below.has(parent)) return parent
      if (isRoot(apart)) return undefined
      place = Math.min(place, this.#positions.get(apart)!)
    }
    return this.#before(place, below)
  }

  #before(place: number, below: ReadonlySet<Entry>): Entry | undefined {
    this.#lastChild ??= this.#indexChildren()
    this.#skip ??= Int32Array.from(this.#links, (_, i) => i - 1)
    const passed: number[] = []
    let found: Entry | undefined
    let at = place - 1
    while (at >= 0 && !found) {
      const candidate = this.#first.get(this.#links[at]!.id)!
      if (!below.has(candidate) && (this.#lastChild.get(candidate.id) ?? -1) <= place) found = candidate
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
    this.#links.forEach((link, i) => {
      if (link.parent !== NO_ID) children.set(link.parent, i)
    })
    return children
  }
}

function isRoot(entry: Entry): boolean {
  return entry.kind === 'damaged' ? (entry.more as TornFacts).isRoot : entry.parent === NO_ID
}

/** Sides of forks that are left out although nobody rewound: the live side goes on with a mere note, and the other has no prompt. */
function lostBranches(links: readonly Entry[], path: readonly Entry[], first: ReadonlyMap<Id, Entry>): LostBranch[] {
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
  for (const entry of links) {
    // Fragments hang where the first record of their uuid hangs.
    if (entry.onPath || first.get(entry.id) !== entry) continue
    const parent = first.get(entry.parent)
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
