import type { Entry, SharedId } from '../../model/document.ts'
import type { Skeleton } from '../format.ts'
import { Ancestry } from './ancestry.ts'
import type { LinkIndex } from './link-index.ts'

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
export function sharedIds(document: Skeleton, index: LinkIndex, path: readonly Entry[]): Shared {
  const { links, more } = index
  const shared: SharedId[] = []
  const copies = new Set<Entry>()
  const ancestry = new Ancestry(links.filter((link) => index.get(link.id) === link))
  const nextOnPath = new Map<Entry, Entry>()
  path.forEach((entry, i) => {
    if (i > 0) nextOnPath.set(path[i - 1]!, entry)
  })
  const last = links.at(-1)
  const beforeLast = links.at(-2)
  for (const [id, entries] of more) {
    const origin = index.get(id)!
    if (!origin.onPath) continue
    const next = nextOnPath.get(origin)
    for (const entry of entries) {
      const descends = (below: Entry | undefined): boolean => below !== undefined && ancestry.isAbove(id, below.id)
      if (isSame(document, origin, entry)) {
        copies.add(entry)
        const hides = entry === last && beforeLast?.id !== id && descends(beforeLast)
        shared.push({ first: origin, later: entry, effect: hides ? 'harmful' : 'same' })
      } else if (entry.role !== origin.role) {
        // Parts of the user and of the model in one message: no fragment is written like that.
        shared.push({ first: origin, later: entry, effect: 'harmful' })
      } else if (entry.parent !== origin.parent) {
        const goesOn = next ? index.placeOf(next) > index.placeOf(entry) : entry === last
        if (goesOn && descends(index.get(entry.parent))) shared.push({ first: origin, later: entry, effect: 'harmful' })
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
