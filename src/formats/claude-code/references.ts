import type { Document, Entry } from '../../model/document.ts'
import type { JsonChange } from '../../text/edit.ts'
import { type Id, NO_ID } from '../../text/ids.ts'
import type { LinkChanges } from '../tree-format.ts'
import { isMain } from './leaf.ts'
import { type Kept, nature } from './nature.ts'

/**
 * What names other records beside `parentUuid`: `leafUuid` of bookkeeping, `logicalParentUuid` and the kept records of a
 * compaction boundary, and `sourceToolAssistantUUID` of a result. An unresolvable leaf or kept record makes clients lose
 * history, so all of them follow a record that goes, is renamed or gets a neighbour.
 */
export function* references(
  document: Document,
  changes: LinkChanges,
): Generator<{ readonly record: number; readonly change: JsonChange }> {
  const { ids } = document
  const gone = byId(changes.gone.keys())
  // Of two records with one id the other one stays: what names it is right as it is.
  if (gone.size > 0) for (const entry of document.entries()) if (!changes.gone.has(entry)) gone.delete(entry.id)
  const renamed = byId(changes.renamed.keys())
  const inserted = new Map(changes.inserted.map((each) => [each.after.id, each]))
  if (gone.size + renamed.size + inserted.size === 0) return
  const seen = new Set<Id>()
  const calls = callsIn([...changes.gone.keys(), ...changes.renamed.keys()])
  const end = endBehind(document, inserted)

  for (const entry of document.entries()) {
    if (renamed.has(entry.id) && changes.renamed.has(entry)) seen.add(entry.id)
    if (changes.gone.has(entry)) continue
    const { names } = nature(entry)
    if (names?.leaf && names.steers && end?.after === names.leaf) {
      yield { record: entry.record, change: toChange(['leafUuid'], end.id) }
    } else if (names?.leaf) yield* single(entry, ['leafUuid'], names.leaf)
    if (names?.logical) yield* single(entry, ['logicalParentUuid'], names.logical)
    if (names?.kept) {
      for (const change of keptChanges(names.kept)) yield { record: entry.record, change }
      yield* headLink(names.kept)
    }
    if (entry.blocks[0]?.kind === 'tool-result' && mayName(entry)) yield* source(entry)
  }

  /** The id that is to stand in the place of another one; undefined when it stays, null when nothing takes its place. */
  function follow(id: Id): string | null | undefined {
    const lost = gone.get(id)
    if (lost) {
      const heir = changes.gone.get(lost)
      return heir ? changes.idOf(heir) : null
    }
    const other = renamed.get(id)
    return other && seen.has(id) ? changes.renamed.get(other) : undefined
  }

  function* single(entry: Entry, path: readonly string[], id: Id) {
    const value = follow(id)
    if (value !== undefined) yield { record: entry.record, change: toChange(path, value) }
  }

  /** Records are read again only where they may name one that goes or is renamed. */
  function mayName(entry: Entry): boolean {
    if (gone.has(entry.parent) || renamed.has(entry.parent)) return true
    return calls.size > 0 && entry.blocks.some((block) => block.kind === 'tool-result' && calls.has(block.id))
  }

  function* source(entry: Entry) {
    const id = ids.of(document.records.view(entry.record)?.get('sourceToolAssistantUUID'))
    if (id !== NO_ID) yield* single(entry, ['sourceToolAssistantUUID'], id)
  }

  function* keptChanges(kept: Kept): Generator<JsonChange> {
    const path = ['compactMetadata', kept.by === 'list' ? 'preservedMessages' : 'preservedSegment']
    const anchor = follow(kept.anchor)
    if (anchor !== undefined) yield toChange([...path, 'anchorUuid'], anchor)
    if (kept.by === 'ends') {
      const added = inserted.get(kept.tail)
      const tail = added && !isStoredChild(added) ? added.ids.at(-1)! : follow(kept.tail)
      if (tail !== undefined) yield toChange([...path, 'tailUuid'], tail)
      const first = inserted.get(kept.anchor)
      const isFirst = first?.child?.id === kept.head
      const head = isFirst ? first!.ids[0]! : gone.has(kept.head) ? childOf(kept.head) : follow(kept.head)
      if (head !== undefined) yield toChange([...path, 'headUuid'], head)
      return
    }
    const first = inserted.get(kept.anchor)
    if (first?.child && first.child.id === kept.ids[0]) {
      for (const each of first.ids) yield { op: 'insert', path: [...path, 'uuids'], index: 0, value: each }
    }
    for (const [i, id] of kept.ids.entries()) {
      const value = gone.has(id) ? null : follow(id)
      if (value !== undefined) yield toChange([...path, 'uuids', i], value)
      const added = inserted.get(id)
      for (const each of added?.ids ?? []) yield { op: 'insert', path: [...path, 'uuids'], index: i + 1, value: each }
    }
  }

  /** A segment is read by its stored links: what comes before its head has to be linked there. */
  function* headLink(kept: Kept) {
    const first = kept.by === 'ends' ? inserted.get(kept.anchor) : undefined
    if (kept.by !== 'ends' || first?.child?.id !== kept.head) return
    yield { record: first.child.record, change: toChange(['parentUuid'], first.ids.at(-1)!) }
  }

  /** The record that followed a head which goes. */
  function childOf(head: Id): string | null | undefined {
    const path = document.chain?.path ?? []
    const at = path.findIndex((entry) => entry.id === head)
    const next = path.slice(at + 1).find((entry) => !changes.gone.has(entry))
    return next ? changes.idOf(next) : null
  }
}

/**
 * A record that is put behind the end of a branch which a `last-prompt` names: the client stays at the very record that is named, so it
 * has to be the new one. Where the end is the last record of the file it goes on by itself.
 */
function endBehind(
  document: Document,
  inserted: ReadonlyMap<Id, LinkChanges['inserted'][number]>,
): { readonly after: Id; readonly id: string } | undefined {
  const after = document.chain?.leaf
  const id = after && inserted.get(after.id)?.ids.at(-1)
  if (!after || id === undefined) return undefined
  let last: Entry | undefined
  for (const entry of document.entries()) if (entry.kind !== 'bookkeeping' && isMain(entry)) last = entry
  return last === after ? undefined : { after: after.id, id }
}

function isStoredChild({ after, child }: LinkChanges['inserted'][number]): boolean {
  return child === undefined || child.parent === after.id
}

function toChange(path: readonly (string | number)[], value: string | null): JsonChange {
  return value === null ? { op: 'remove', path } : { op: 'set', path, value }
}

function byId(entries: Iterable<Entry>): Map<Id, Entry> {
  const map = new Map<Id, Entry>()
  for (const entry of entries) if (entry.id !== NO_ID) map.set(entry.id, entry)
  return map
}

function callsIn(entries: readonly Entry[]): Set<Id> {
  const calls = new Set<Id>()
  for (const { blocks } of entries) for (const block of blocks) if (block.kind === 'tool-call') calls.add(block.id)
  return calls
}
