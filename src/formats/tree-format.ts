import type { Dialect } from '../dialects/dialect.ts'
import type { Document, Entry } from '../model/document.ts'
import type { JsonChange } from '../text/edit.ts'
import type { Json, JsonView } from '../text/view.ts'

/** What the editor of linked records has to know of a format. */
export interface TreeFormat {
  readonly dialect: Dialect
  /** Keys of a record's own id and of its parent's. */
  readonly idKey: string
  readonly parentKey: string
  /** An id of the format's own shape, made of 64 hexadecimal digits. */
  makeId(hash: string): string
  /** What the client walks in each conversation, root first; notes that trail behind the leaf included. The main one comes first. */
  paths(document: Document): Iterable<readonly Entry[]>
  /** Whether the client may take the record for the end of the conversation. */
  mayLead(entry: Entry): boolean
  /** Whether a record can hang on another one, as far as their kinds go; it is asked where several have the id of the parent. */
  mayFollow?(entry: Entry, parent: Entry): boolean
  /** Where the chain goes on when a record leaves it that has no parent (a checkpoint: what it stood for). */
  behind?(entry: Entry, document: Document): Entry | undefined
  /** A record around a new message, modelled on one that stands near. */
  build(part: NewRecord): Json
  /** Milliseconds of a record's timestamp. */
  timeOf(record: JsonView): number | undefined
  /** What else names records that go, get another id or get a neighbour. */
  references?(
    document: Document,
    changes: LinkChanges,
  ): Iterable<{ readonly record: number; readonly change: JsonChange }>
}

/** A record that is to be written. */
export interface NewRecord {
  readonly message: Json
  readonly role: 'user' | 'assistant'
  /** The record whose envelope is copied. */
  readonly like: JsonView
  readonly id: string
  /** Id of its parent; null for a root. */
  readonly parent: string | null
  readonly time: number | undefined
  /** Id of the record that holds the call, where it is an answer. */
  readonly answers: string | undefined
}

/** What a round of repairs does to the links. */
export interface LinkChanges {
  /** Records that go, with the record that takes their place in the chain. */
  readonly gone: ReadonlyMap<Entry, Entry | undefined>
  /** Records that are put elsewhere. */
  readonly moved: ReadonlySet<Entry>
  /** Records with another id; what stands before them in the file means another record by the old one. */
  readonly renamed: ReadonlyMap<Entry, string>
  /** New records, by the stored one that they follow on the path; `child` is what followed it. */
  readonly inserted: readonly {
    readonly after: Entry
    readonly ids: readonly string[]
    readonly child: Entry | undefined
  }[]
  /** Id of a record as it will be. */
  idOf(entry: Entry): string
}
