import type { Id } from '../text/ids.ts'
import type { Entry, LostBranch, SharedId } from './document.ts'
import { type Links, NOWHERE } from './links.ts'
import type { WalkOptions } from './walk.ts'

/** For each place the place of its parent, as the client reads it; NOWHERE for roots and broken links. */
export function parentsOf(links: Links, options: WalkOptions = {}): Int32Array {
  const parents = new Int32Array(links.count)
  for (let place = 0; place < links.count; place++) {
    const entry = links.list[place]!
    const given = options.parent?.(entry)
    const found = given ? links.placeOf(given) : given === null ? NOWHERE : links.find(entry.parent)
    parents[place] = found === place ? NOWHERE : found
  }
  return parents
}

/**
 * Follows parents from every place until one that is settled: `settle` answers with a value for places that know it by
 * themselves; all others inherit their parent's. Rings and dead ends get `none`. Linear whatever the links say.
 */
export function inherit(parents: Int32Array, settle: (place: number) => number | undefined, none: number): Int32Array {
  const OPEN = -2
  const values = new Int32Array(parents.length).fill(OPEN)
  const trail: number[] = []
  for (let start = 0; start < parents.length; start++) {
    let value = none
    for (let at = start; at !== NOWHERE; at = parents[at]!) {
      if (values[at] !== OPEN) {
        value = values[at]!
        break
      }
      const own = settle(at)
      if (own !== undefined) {
        values[at] = value = own
        break
      }
      // A place on the trail that is met again closes a ring: it is settled with what rings get.
      values[at] = none
      trail.push(at)
    }
    for (const at of trail) values[at] = value
    trail.length = 0
  }
  return values
}

/** What tells a side that was lost from one that was left on purpose. */
export interface Sides {
  /** A message that the client loads although it is off the path, or that is of no weight. */
  readonly isLoaded: (entry: Entry) => boolean
  /** A prompt of the user's own: who left such a side, rewound. */
  readonly isPrompt: (entry: Entry) => boolean
  /** A record of another chain (a subagent's). */
  readonly isForeign: (entry: Entry) => boolean
}

/**
 * The sides of forks that the client leaves out although nobody rewound: the side holds a message and no prompt of the
 * user's own, and the loaded side begins with a note or with a result that the lost side has as well
 * (anthropics/claude-code#88597, #37437, #62301).
 */
export function lostBranches(links: Links, path: readonly Entry[], sides: Sides): LostBranch[] {
  // Nothing stands beside the path.
  if (path.length === links.count) return []
  const parents = parentsOf(links)
  const positions = new Int32Array(links.count).fill(NOWHERE)
  path.forEach((entry, i) => {
    positions[links.placeOf(entry)] = i
  })
  const forkOf = (place: number): number => (parents[place] === NOWHERE ? NOWHERE : positions[parents[place]!]!)
  const roots = inherit(
    parents,
    (place) => {
      if (positions[place] !== NOWHERE) return NOWHERE
      return forkOf(place) === NOWHERE ? undefined : place
    },
    NOWHERE,
  )
  const found = new Map<number, { tip: number; hasMessage: boolean; results: Set<Id> } | undefined>()
  for (let place = 0; place < links.count; place++) {
    const root = roots[place]!
    if (root === NOWHERE || !links.isRepresentative(place)) continue
    const entry = links.list[place]!
    if (entry.kind === 'damaged') continue
    const side = found.has(root) ? found.get(root) : { tip: root, hasMessage: false, results: new Set<Id>() }
    if (!side || sides.isPrompt(entry) || sides.isForeign(entry)) {
      found.set(root, undefined)
      continue
    }
    found.set(root, side)
    side.tip = place
    if (entry.kind === 'message' && !sides.isLoaded(entry)) side.hasMessage = true
    for (const block of entry.blocks) if (block.kind === 'tool-result') side.results.add(block.id)
  }
  const lost: LostBranch[] = []
  for (const [root, side] of found) {
    const position = forkOf(root)
    const fork = path[position]!
    const live = path[position + 1]
    if (!side?.hasMessage || !live || live.parent !== fork.id) continue
    const isLate = (): boolean =>
      live.blocks.length > 0 && live.blocks.every((block) => block.kind === 'tool-result' && side.results.has(block.id))
    if (live.kind === 'note' || isLate()) lost.push({ fork, tip: links.list[side.tip]!, live })
  }
  return lost
}

/** The ids that several records bear, beside those that close a ring; on `path` is what the client walks. */
export function sharedIds(links: Links, path: readonly Entry[], rings: readonly SharedId[]): SharedId[] {
  const shared: SharedId[] = [...rings]
  const known = new Set(rings.map((each) => each.later))
  const walked = new Set<Entry>()
  let isWalkedKnown = false
  for (let place = 0; place < links.count; place++) {
    const copy = links.copyBefore(place)
    if (copy === NOWHERE) continue
    const first = links.list[copy]!
    const later = links.list[place]!
    if (known.has(later) || first.kind === 'damaged' || later.kind === 'damaged') continue
    if (!isWalkedKnown) for (const entry of path) walked.add(entry)
    isWalkedKnown = true
    const hides = first.kind === 'message' && first.parent !== later.parent && !sameContent(first, later)
    const isOn = (): boolean => walked.has(later) || walked.has(links.entry(first.parent)!)
    shared.push({ first, later, effect: hides && isOn() ? 'harmful' : 'same' })
  }
  return shared
}

/** Whether two entries hold the same blocks, as far as their facts tell. */
function sameContent(a: Entry, b: Entry): boolean {
  if (a.role !== b.role || a.group !== b.group || a.blocks.length !== b.blocks.length) return false
  return a.blocks.every((block, i) => {
    const other = b.blocks[i]!
    return (
      block.kind === other.kind &&
      block.id === other.id &&
      block.name === other.name &&
      block.size === other.size &&
      block.flags === other.flags
    )
  })
}

/** Checkpoints on the path that stand between a call and its result. */
export function checkpointsInsidePairs(path: readonly Entry[]): { readonly checkpoint: Entry; readonly id: Id }[] {
  const checkpoints: number[] = []
  path.forEach((entry, i) => {
    if (entry.kind === 'checkpoint') checkpoints.push(i)
  })
  if (checkpoints.length === 0) return []
  const calls = new Map<Id, number>()
  const found = new Map<number, Id>()
  path.forEach((entry, i) => {
    for (const block of entry.blocks) {
      if (block.kind === 'tool-call') calls.set(block.id, i)
      if (block.kind !== 'tool-result') continue
      const call = calls.get(block.id)
      if (call === undefined) continue
      calls.delete(block.id)
      // Only the nearest checkpoint before the result can be the first to know of it.
      const at = lastBelow(checkpoints, i)
      if (at !== undefined && at > call && !found.has(at)) found.set(at, block.id)
    }
  })
  return Array.from(found, ([at, id]) => ({ checkpoint: path[at]!, id }))
}

function lastBelow(sorted: readonly number[], limit: number): number | undefined {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < limit) low = middle + 1
    else high = middle
  }
  return sorted[low - 1]
}
