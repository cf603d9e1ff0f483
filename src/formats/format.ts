import type { Dialect } from '../dialects/dialect.ts'
import type { Assembly, Document, Entry } from '../model/document.ts'
import type { Operation } from '../model/finding.ts'
import type { Ids } from '../text/ids.ts'
import type { RecordEdit } from '../text/records.ts'
import type { JsonView } from '../text/view.ts'

/** What a torn record still says: its complete scalar members, nested ones as `message.id`. */
export type Salvaged = ReadonlyMap<string, string | number | boolean | null>

/**
 * A transcript format: how a file of one product is laid out. `read` is called once a record while its bytes are in memory;
 * `assemble` then works without bytes; `editor` turns the operations of repairs into edits of records and keeps the
 * format's own links right. A format never imports a rule.
 */
export interface Format {
  /** Stable, kebab-case: `claude-code`. */
  readonly name: string
  /** For people: `Claude Code session`. */
  readonly title: string
  /** `lines`: one record a line; `document`: one JSON value. */
  readonly shape: 'lines' | 'document'
  readonly use: Document['use']
  /** Whether it stands for plain messages, each a record: what messages in memory are read as. */
  readonly isMessageList?: boolean
  /** Whether the client folds messages of one role by itself when it sends them. */
  readonly folds: boolean
  /** Whether the client of a session sends blocks with all the fields that they are stored with. */
  readonly sendsAsStored?: boolean
  readonly dialect: Dialect
  /** The provider rules that apply unless others are named. */
  readonly target: string
  /** Path of the message list in the API's request, for indices as error messages name them. */
  readonly root: string
  /** Judges by content: the first parseable records of a file (of a document: its one value). */
  detect(sample: readonly JsonView[]): boolean
  /** The skeleton of one record; undefined for a record that is none of the format's business. */
  read(view: JsonView, record: number, ids: Ids): Entry | Entry[] | undefined
  /** The link that a torn record was, as far as it still says so. */
  readTorn?(fields: Salvaged, record: number, ids: Ids): Entry | undefined
  /**
   * Whether an entry stands for a list that takes the place of all before it, and what of those before it still counts: the rest
   * is forgotten while a file is read, since a session may hold such a list with every message.
   */
  readonly snapshot?: { is(entry: Entry): boolean; outlives(entry: Entry): boolean }
  assemble(document: Skeleton): Assembly
  editor(document: Document): Editor
  /** The client's own command that resumes the session. */
  resume?(document: Document): string | undefined
  /** Longest image that the client itself takes, in characters of base64, by target: where it is stricter than the provider. */
  readonly imageSizes?: Readonly<Record<string, number>>
  /** What the client itself does about a fault when it resumes, by rule name (with version and source). */
  readonly heals?: Readonly<Record<string, string>>
  /** What the client itself makes worse than the provider does; see {@link Document.harms}. */
  readonly harms?: Document['harms']
}

/** What is known of a document before it is assembled. */
export type Skeleton = Pick<Document, 'records' | 'ids' | 'entries' | 'entriesOf'>

/**
 * Gathers the operations of one round. A repair is atomic: its operations are all taken or, where one of them contradicts
 * what was taken before, none; it then waits for the next round.
 */
export interface Editor {
  apply(operations: readonly Operation[]): boolean
  edits(): RecordEdit[]
}
