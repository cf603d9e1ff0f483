import type { Entry, SharedId } from '../../model/document.ts'
import type { Id } from '../../text/ids.ts'
import type { Skeleton } from '../format.ts'
import { Ancestry } from './ancestry.ts'

/** What is known of the links when repeated uuids are looked at. */
interface Known {
  readonly document: Skeleton
  /** All links in the order of the file, and where each stands in it. */
  readonly links: readonly Entry[]
  readonly positions: ReadonlyMap<Entry, number>
  /** The first record of each uuid, and the later ones. */
  readonly first: ReadonlyMap<Id, Entry>
  readonly more: ReadonlyMap<Id, readonly Entry[]>
  readonly path: readonly Entry[]
}

export interface Shared {
  readonly shared: readonly SharedId[]
  /** The later ones that only repeat the first, byte for byte. */
  readonly copies: ReadonlySet<Entry>
}

/**
 * Records on the path that share a uuid. Qwen Code writes a long answer in fragments of one uuid and one parent; that is no
 * fault. The same bytes twice are a copy. A repeated uuid does harm where it hides what stands between the two records: the
 * later one descends from the first by its own parent, but is taken for a fragment of it; or a copy at the end of the file
 * makes the first one the leaf.
 */
export function sharedIds({ document, links, positions, first, more, path }: Known): Shared {
  const shared: SharedId[] = []
  const copies = new Set<Entry>()
  const ancestry = new Ancestry(first)
  const nextOnPath = new Map<Entry, Entry>()
  path.forEach((entry, i) => {
    if (i > 0) nextOnPath.set(path[i - 1]!, entry)
  })
  const last = links.at(-1)
  const beforeLast = links.at(-2)
  for (const [id, entries] of more) {
    const origin = first.get(id)!
    if (!origin.onPath) continue
    const next = nextOnPath.get(origin)
    for (const entry of entries) {
      const descends = (below: Entry | undefined): boolean => below !== undefined && ancestry.isAbove(id, below.id)
      if (isSame(document, origin, entry)) {
        copies.add(entry)
        const hides = entry === last && beforeLast?.id !== id && descends(beforeLast)
        shared.push({ first: origin, later: entry, effect: hides ? 'harmful' : 'same' })
      } else if (entry.parent !== origin.parent) {
        const goesOn = next ? positions.get(next)! > positions.get(entry)! : entry === last
        if (goesOn && descends(first.get(entry.parent))) shared.push({ first: origin, later: entry, effect: 'harmful' })
      }
    }
  }
  return { shared, copies }
}

/** Whether two records are the same to the byte. */
export function isSame({ records }: Skeleton, a: Entry, b: Entry): boolean {
  const bytes = records.bytes(a.record)
  if (!bytes) return JSON.stringify(records.view(a.record)?.value()) === JSON.stringify(records.view(b.record)?.value())
  return Buffer.compare(Uint8Array.from(bytes), records.bytes(b.record)!) === 0
}
