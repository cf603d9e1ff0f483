import { checkpointsInsidePairs } from '../../model/chain.ts'
import type { CompactionFault, Entry } from '../../model/document.ts'
import { type Links, NOWHERE } from '../../model/links.ts'
import type { JsonChange } from '../../text/edit.ts'
import { type Id, type Ids, NO_ID } from '../../text/ids.ts'
import { has, type Kept, nature, Trait } from './nature.ts'

/** What the newest compaction makes of the stored links. */
export interface Compaction {
  /** The boundary; undefined in a session that was never compacted. */
  readonly boundary: Entry | undefined
  /** The parent that the client reads into a record in place of the stored one; null where it begins anew. */
  readonly parent: (entry: Entry) => Entry | null | undefined
  /** What the boundary keeps word for word, oldest first. */
  readonly kept: readonly Entry[]
  /** Why what should be kept cannot be, and what mends it. */
  readonly fault: Omit<CompactionFault, 'kind' | 'entry'> | undefined
}

/**
 * Reads the newest boundary of the main chain; older ones do not matter. The kept records are hung between the anchor and
 * what follows it. If one of `preservedMessages` is missing, or `preservedSegment` does not hold together, none of them is
 * loaded (measured with Claude Code 2.1.332 and 2.1.197; by a broken segment its SDK 0.3.332 brings everything back).
 */
export function readCompaction(links: Links, ids: Ids): Compaction {
  const boundary = links.list.findLast((entry) => entry.kind === 'checkpoint' && !has(entry, Trait.sidechain))
  const none: Compaction = { boundary, parent: beginsAnew, kept: [], fault: undefined }
  if (!boundary) return none
  const { kept } = nature(boundary).names ?? {}
  if (!kept) return none
  const anchor = links.entry(kept.anchor)
  const list = kept.by === 'list' ? listed(links, kept.ids) : segment(links, kept)
  if (anchor && list && list.length > 0) return { ...none, kept: list, parent: relinked(list, anchor) }
  return { ...none, fault: faultOf(links, ids, boundary, kept) }
}

/** The records of a list, when all of them are there. */
function listed(links: Links, ids: readonly Id[]): Entry[] | undefined {
  const list = ids.map((id) => links.entry(id))
  return list.every((entry) => entry !== undefined) ? list : undefined
}

/** The records from the tail of a segment up to its head, when the one leads to the other. */
function segment(links: Links, ends: { readonly head: Id; readonly tail: Id }): Entry[] | undefined {
  const list: Entry[] = []
  const passed = new Set<number>()
  for (let at = links.find(ends.tail); at !== NOWHERE && !passed.has(at); at = links.find(links.list[at]!.parent)) {
    passed.add(at)
    list.push(links.list[at]!)
    if (links.list[at]!.id === ends.head) return list.reverse()
  }
  return undefined
}

/** A boundary has no parent, whatever is stored (measured with Claude Code 2.1.332). */
function beginsAnew({ kind }: Entry): null | undefined {
  return kind === 'checkpoint' ? null : undefined
}

function relinked(kept: readonly Entry[], anchor: Entry): Compaction['parent'] {
  const before = new Map<Entry, Entry>()
  kept.forEach((entry, i) => {
    before.set(entry, kept[i - 1] ?? anchor)
  })
  const tail = kept.at(-1)!
  const follows = (entry: Entry): boolean => entry !== anchor && entry.parent === anchor.id && entry.parent !== NO_ID
  return (entry) => before.get(entry) ?? (follows(entry) ? tail : beginsAnew(entry))
}

function faultOf(links: Links, ids: Ids, boundary: Entry, kept: Kept): Compaction['fault'] {
  const key = kept.by === 'list' ? 'preservedMessages' : 'preservedSegment'
  const path = ['compactMetadata', key] as const
  const changes: JsonChange[] = []
  if (!links.entry(kept.anchor)) {
    const anchor = summaryOf(links, boundary) ?? boundary
    changes.push({ op: 'set', path: [...path, 'anchorUuid'], value: ids.text(anchor.id) })
  }
  if (kept.by === 'list') {
    const missing = kept.ids.filter((id) => !links.entry(id)).length
    if (missing === kept.ids.length) return { message: message(missing), changes: [{ op: 'remove', path }] }
    kept.ids.forEach((id, i) => {
      if (!links.entry(id)) changes.push({ op: 'remove', path: [...path, 'uuids', i] })
    })
    return { message: message(missing), changes }
  }
  const ends = mendedEnds(links, boundary, kept)
  if (ends && ends.head !== kept.head)
    changes.push({ op: 'set', path: [...path, 'headUuid'], value: ids.text(ends.head) })
  if (ends && ends.tail !== kept.tail)
    changes.push({ op: 'set', path: [...path, 'tailUuid'], value: ids.text(ends.tail) })
  return {
    message: 'the records that this compaction keeps do not hold together: none of them is loaded',
    changes: ends && changes,
  }
}

function message(missing: number): string {
  if (missing === 0) return 'the record behind which this compaction keeps messages is missing: none of them is loaded'
  const records = missing === 1 ? 'a record' : `${missing} records`
  return `${records} that this compaction keeps ${missing === 1 ? 'is' : 'are'} missing: none of what it keeps is loaded`
}

/** A segment that holds together and is as near as can be to the one that does not. */
function mendedEnds(
  links: Links,
  boundary: Entry,
  { head, tail }: { readonly head: Id; readonly tail: Id },
): { head: Id; tail: Id } | undefined {
  const last = links.entry(tail) ?? links.entry(nature(boundary).names?.logical ?? NO_ID)
  if (!last) return undefined
  const whole = segment(links, { head, tail: last.id })
  if (whole) return { head, tail: last.id }
  // The head is gone, or a record on the way to it: what can still be reached is kept.
  let first = last
  const passed = new Set<Entry>([last])
  for (let entry = links.entry(last.parent); entry && !passed.has(entry); entry = links.entry(entry.parent)) {
    if (entry.kind === 'checkpoint') break
    passed.add(entry)
    first = entry
  }
  // Reaching the very beginning says that the head was not on the way: then nothing is known of what was meant.
  return first.parent === NO_ID ? undefined : { head: first.id, tail: last.id }
}

/** The summary that was written behind a boundary. */
function summaryOf(links: Links, boundary: Entry): Entry | undefined {
  return links.list.find((entry) => entry.parent === boundary.id && has(entry, Trait.summary))
}

/** What is wrong with the compactions on the path. */
export function compactionFaults(links: Links, path: readonly Entry[], compaction: Compaction): CompactionFault[] {
  const { boundary, fault } = compaction
  const faults: CompactionFault[] = []
  if (boundary && path.includes(boundary)) {
    if (fault) faults.push({ kind: 'broken-compaction', entry: boundary, ...fault })
    else if (isWithoutSummary(links, path, boundary, compaction)) {
      const message = 'the summary of this compaction was never written: the history before it is lost'
      faults.push({ kind: 'broken-compaction', entry: boundary, message, drop: true })
    }
  }
  for (const { checkpoint } of checkpointsInsidePairs(path)) {
    const message = 'this compaction stands between a call and its result'
    faults.push({ kind: 'compaction-inside-pair', entry: checkpoint, message, drop: true })
  }
  return faults
}

function isWithoutSummary(links: Links, path: readonly Entry[], boundary: Entry, { kept }: Compaction): boolean {
  if (kept.length > 0 || path[0] !== boundary) return false
  if (!links.entry(nature(boundary).names?.logical ?? NO_ID) && !links.entry(boundary.parent)) return false
  return !path.some((entry) => has(entry, Trait.summary))
}
