import type { Entry } from '../../model/document.ts'
import { type Links, NOWHERE } from '../../model/links.ts'
import { NO_ID } from '../../text/ids.ts'
import type { Compaction } from './compaction.ts'
import { has, nature, Trait } from './nature.ts'

/**
 * Whether a record belongs to the main chain and may be its last one, or take the place of a lost parent. A record without
 * an id can be neither: nothing can be linked to it.
 */
export function isMain(entry: Entry): boolean {
  return entry.id !== NO_ID && entry.kind !== 'damaged' && has(entry, Trait.leaf) && !has(entry, Trait.sidechain)
}

/**
 * The record at which the client resumes (measured with Claude Code 2.1.332 and 2.1.197): the last main record of the file, unless the
 * newest `last-prompt` behind the newest compaction names one that the last record does not descend from: then that very record, whatever
 * hangs on it. A boundary alone and notes alone, without a message before them, are passed over. Timestamps say nothing. Up to 2.1.150 the
 * newest timestamp won (anthropics/claude-code#62301).
 */
export function chooseLeaf(links: Links, pointers: readonly Entry[], compaction: Compaction): Entry | undefined {
  const last = links.list.findLast(isMain)
  if (!last) return undefined
  const pointer = pointers.findLast((each) => nature(each).names?.steers)
  const named = pointer && links.entry(nature(pointer).names!.leaf!)
  const follows = followsMessage(links, compaction)
  const isChosen =
    named &&
    !has(named, Trait.sidechain) &&
    !isLeftOut(named, links, compaction) &&
    !isAncestor(named, last, links, compaction) &&
    follows(links.placeOf(named))
  if (isChosen) return named
  for (let place = links.placeOf(last); place >= 0; place--) {
    const entry = links.list[place]!
    if (isMain(entry) && follows(place)) return entry
  }
  return last
}

/** Tells of a record whether it is a message or follows one. Each record is looked at once. */
function followsMessage(links: Links, compaction: Compaction): (place: number) => boolean {
  const silent = new Uint8Array(links.count)
  return (place) => {
    for (let at = place; at !== NOWHERE && !silent[at]; ) {
      const entry = links.list[at]!
      const parent = parentOf(entry, links, compaction)
      // A lost parent is bridged to the record before, as on the walk.
      if (entry.kind === 'message' || (parent === NOWHERE && entry.parent !== NO_ID && entry.kind !== 'checkpoint'))
        return true
      silent[at] = 1
      at = parent
    }
    return false
  }
}

/** Whether a compaction that keeps some records word for word left this one out: the client then does not know it any more. */
function isLeftOut(entry: Entry, links: Links, { boundary, kept }: Compaction): boolean {
  if (!boundary || kept.length === 0 || kept.includes(entry)) return false
  return links.placeOf(entry) < links.placeOf(boundary)
}

function isAncestor(entry: Entry, of: Entry, links: Links, compaction: Compaction): boolean {
  const wanted = links.placeOf(entry)
  const passed = new Uint8Array(links.count)
  for (let at = links.placeOf(of); at !== NOWHERE && !passed[at]; at = parentOf(links.list[at]!, links, compaction)) {
    if (at === wanted) return true
    passed[at] = 1
  }
  return false
}

function parentOf(entry: Entry, links: Links, compaction: Compaction): number {
  const given = compaction.parent(entry)
  if (given === null) return NOWHERE
  return given ? links.placeOf(given) : links.find(entry.parent)
}
