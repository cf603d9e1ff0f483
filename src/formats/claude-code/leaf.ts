import { inherit, parentsOf } from '../../model/chain.ts'
import type { Entry } from '../../model/document.ts'
import { type Links, NOWHERE } from '../../model/links.ts'
import { NO_ID } from '../../text/ids.ts'
import { has, nature, Trait } from './nature.ts'

/**
 * Whether a record belongs to the main chain and may be its last one, or take the place of a lost parent. A record without
 * an id can be neither: nothing can be linked to it.
 */
export function isMain(entry: Entry): boolean {
  return entry.id !== NO_ID && entry.kind !== 'damaged' && has(entry, Trait.leaf) && !has(entry, Trait.sidechain)
}

/**
 * The record at which the client resumes (observed with Claude Code 2.1.332): a `last-prompt` that names a record which is
 * there chooses its branch, followed down to the branch's newest record; else it is the last main record of the file.
 * Timestamps say nothing. Up to 2.1.150 the newest timestamp won (anthropics/claude-code#62301).
 */
export function chooseLeaf(links: Links, pointers: readonly Entry[]): Entry | undefined {
  const named = pointers.findLast((each) => nature(each).names?.steers)
  const start = named && links.entry(nature(named).names!.leaf!)
  if (start && !has(start, Trait.sidechain)) return tipOf(links, start)
  for (let place = links.count - 1; place >= 0; place--) if (isMain(links.list[place]!)) return links.list[place]
  return undefined
}

/** The last record in the file that descends from the given one. A compaction goes on where it was made. */
function tipOf(links: Links, start: Entry): Entry {
  const from = links.placeOf(start)
  const parents = parentsOf(links)
  let before = NOWHERE
  for (let place = 0; place < links.count; place++) {
    const entry = links.list[place]!
    if (parents[place] === NOWHERE) {
      const logical = nature(entry).names?.logical
      if (logical) parents[place] = links.find(logical)
      // A lost parent is bridged to the record before, as on the walk.
      else if (entry.parent !== NO_ID && isMain(entry)) parents[place] = before
    }
    if (isMain(entry)) before = place
  }
  const descends = inherit(parents, (place) => (place === from ? 1 : undefined), 0)
  for (let place = links.count - 1; place >= 0; place--) {
    if (descends[place] === 1 && (place === from || isMain(links.list[place]!))) return links.list[place]!
  }
  return start
}
