import { pi } from '../../dialects/pi.ts'
import type { Block } from '../../model/blocks.ts'
import type { Document, Entry } from '../../model/document.ts'
import type { Operation } from '../../model/finding.ts'
import type { JsonChange } from '../../text/edit.ts'
import { NO_ID } from '../../text/ids.ts'
import type { RecordEdit } from '../../text/records.ts'
import type { Json } from '../../text/view.ts'
import type { Editor } from '../format.ts'
import { TreeEditor } from '../tree-editor.ts'
import type { LinkChanges, NewRecord, TreeFormat } from '../tree-format.ts'
import { parsedRows } from './assemble.ts'
import { factsOf, has, Trait } from './records.ts'

/** Puts the operations of repairs into the records of a session of pi or OpenClaw. */
export class PiEditor implements Editor {
  readonly #document: Document
  readonly #tree: TreeEditor

  constructor(document: Document) {
    this.#document = document
    this.#tree = new TreeEditor(document, piTree)
  }

  apply(operations: readonly Operation[]): boolean {
    return !operations.some(touchesEdit) && this.#tree.apply(operations)
  }

  edits(): RecordEdit[] {
    const edits = this.#tree.edits()
    return this.#document.chain ? edits : [...edits, ...countedAnew(this.#document, edits)]
  }
}

/** Content that a `context_edit` put in the place of a message's own stands in the edit, which must not go for it. */
function touchesEdit(operation: Operation): boolean {
  const blocks = Object.values(operation).filter((value): value is Block => isBlock(value))
  const messages = 'message' in operation ? operation.message.blocks : []
  return [...blocks, ...messages].some(({ entry }) => entry.path[0] === 'replacement')
}

function isBlock(value: unknown): value is Block {
  return typeof value === 'object' && value !== null && 'tail' in value && 'entry' in value
}

const piTree: TreeFormat = {
  dialect: pi,
  idKey: 'id',
  parentKey: 'parentId',
  makeId: (hash) => hash.slice(0, 8),
  *paths(document) {
    const { chain } = document
    yield chain ? chain.path : Array.from(document.entries()).filter(({ kind }) => !APART.has(kind))
  },
  mayLead: ({ kind }) => kind !== 'damaged',
  build,
  timeOf(record) {
    const time = Date.parse(record.get('timestamp')?.string() ?? '')
    return Number.isNaN(time) ? undefined : time
  },
  references,
}

const APART: ReadonlySet<Entry['kind']> = new Set(['bookkeeping', 'damaged'])

/** The time stands in the envelope as text and in the message as a number. */
function build({ message, role, like, id, parent, time }: NewRecord): Json {
  const isLinked = like.get('id') !== undefined
  const stamp = time === undefined ? {} : { timestamp: new Date(time).toISOString() }
  const parts = { ...answered(role, like), ...(message as { readonly [key: string]: Json }) }
  return {
    type: 'message',
    ...(isLinked ? { id, parentId: parent } : {}),
    ...stamp,
    message: { ...parts, ...(time === undefined ? {} : { timestamp: time }) },
  }
}

/** Every answer says who gave it; one that is invented names those of its neighbour. */
function answered(role: NewRecord['role'], like: NewRecord['like']): { readonly [key: string]: Json } {
  if (role !== 'assistant') return {}
  const near = like.get('message')
  const named = ['api', 'provider', 'model'].map((key) => [key, near?.get(key)?.string() ?? 'convfix'] as const)
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 }
  return { ...Object.fromEntries(named), usage, stopReason: 'stop' }
}

/**
 * What names other records beside `parentId`: the first entry that a compaction keeps, what a label or an edit is about, the end
 * of a branch that was summed up. An edit follows nobody: it would be about another message.
 */
function* references(
  document: Document,
  changes: LinkChanges,
): Generator<{ readonly record: number; readonly change: JsonChange }> {
  const away = new Map<number, Entry>()
  const renamed = new Map<number, Entry>()
  for (const entry of changes.gone.keys()) away.set(entry.id, entry)
  for (const entry of changes.moved) away.set(entry.id, entry)
  for (const entry of changes.renamed.keys()) renamed.set(entry.id, entry)
  const before = new Map(changes.inserted.map(({ child, ids }) => [child?.id ?? NO_ID, ids[0]!]))
  if (away.size + renamed.size + before.size === 0) return
  const seen = new Set<Entry>()
  for (const entry of document.entries()) {
    seen.add(entry)
    if (changes.gone.has(entry)) continue
    const { names } = factsOf(entry)
    if (!names) continue
    const found = [
      ['firstKeptEntryId', names.kept, next] as const,
      ['targetId', names.target, has(entry, Trait.edit) ? nobody : heirOf] as const,
      ['fromId', names.from, heirOf] as const,
    ]
    for (const [key, id, heir] of found) {
      const value = id === undefined ? undefined : (heir === next && before.get(id)) || follow(id, heir, entry)
      if (value !== undefined) yield { record: entry.record, change: { op: 'set', path: [key], value } }
    }
  }

  function follow(id: number, heir: typeof next, from: Entry): string | undefined {
    const lost = away.get(id)
    if (lost) return heir(lost, from)
    const other = renamed.get(id)
    return other && seen.has(other) ? changes.renamed.get(other) : undefined
  }

  /** What is kept begins with the record that followed; where none is left, the compaction names itself. */
  function next(lost: Entry, from: Entry): string | undefined {
    const path = document.chain?.path ?? []
    const at = path.indexOf(lost)
    if (at < 0) return undefined
    const rest = path.slice(at + 1).find((entry) => !changes.gone.has(entry) && !changes.moved.has(entry))
    return changes.idOf(rest ?? from)
  }

  function heirOf(lost: Entry): string | undefined {
    const heir = changes.gone.get(lost)
    return heir && changes.idOf(heir)
  }
}

const nobody = (): undefined => undefined

/** Version 1 counts the lines: what is kept is counted anew when lines come or go before it. */
function countedAnew(document: Document, edits: readonly RecordEdit[]): RecordEdit[] {
  const behind = new Map<number, number>()
  const removed = new Set<number>()
  for (const edit of edits) {
    if (edit.edit === 'insert') behind.set(edit.after, (behind.get(edit.after) ?? 0) + 1)
    else if (edit.edit === 'remove') removed.add(edit.record)
  }
  if (behind.size + removed.size === 0) return []
  const rows = parsedRows(document)
  const moved: number[] = []
  let count = behind.get(-1) ?? 0
  for (const row of rows) {
    moved.push(count)
    count += (removed.has(row) ? 0 : 1) + (behind.get(row) ?? 0)
  }
  const counted: RecordEdit[] = []
  for (const entry of document.entries()) {
    const index = factsOf(entry).names?.keptIndex
    const value = index === undefined ? undefined : moved[index]
    if (value === undefined || value === index || removed.has(entry.record)) continue
    counted.push({
      edit: 'json',
      record: entry.record,
      changes: [{ op: 'set', path: ['firstKeptEntryIndex'], value }],
    })
  }
  return counted
}
