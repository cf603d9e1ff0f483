import type { JsonChange } from '../text/edit.ts'
import type { Json, Path } from '../text/view.ts'
import type { Block } from './blocks.ts'
import type { Conversation, Entry, Message } from './document.ts'

export type Severity = 'error' | 'warning' | 'info'

/** `safe`: loses nothing that the report does not name, and guesses nothing. `unsafe`: guesses, or is demanded by nothing. */
export type Safety = 'safe' | 'unsafe'

export type Loss = 'text' | 'result' | 'media' | 'reasoning'

/** A place in a record, to be turned into line, column and JSON Pointer when somebody asks. */
export interface Place {
  readonly record: number
  /** From the record's own value; undefined for a place that is given in bytes. */
  readonly path?: Path
  /** Bytes inside the record. */
  readonly bytes?: readonly [start: number, end: number]
}

/**
 * What can be done to a conversation. A rule says what; the format says where and how, and keeps its own links right.
 * The operations on records need no format: they speak of bytes only.
 */
export type Operation =
  | { readonly do: 'answer'; readonly call: Block; readonly text: string }
  | { readonly do: 'remove-block'; readonly block: Block }
  | { readonly do: 'replace-block'; readonly block: Block; readonly text: string }
  | { readonly do: 'move-result'; readonly result: Block; readonly call: Block }
  | { readonly do: 'merge-result'; readonly from: Block; readonly into: Block }
  | { readonly do: 'results-first'; readonly message: Message }
  | { readonly do: 'fold'; readonly from: Message; readonly into: Message }
  | {
      readonly do: 'insert-message'
      readonly before: Message
      readonly role: 'user' | 'assistant'
      readonly text: string
    }
  /** A message behind the last one of a list that is sent as it stands. */
  | { readonly do: 'append-message'; readonly behind: Message; readonly role: 'user'; readonly text: string }
  /** Media of one result go into a message of the user behind another message. */
  | { readonly do: 'move-media'; readonly media: readonly Block[]; readonly behind: Message }
  /** A system message at the beginning of a body becomes the body's own field for it, or joins what stands there. */
  | { readonly do: 'hoist-system'; readonly message: Message }
  | { readonly do: 'remove-message'; readonly message: Message }
  | { readonly do: 'fill-message'; readonly message: Message; readonly text: string }
  | { readonly do: 'rename-id'; readonly block: Block; readonly id: string }
  /** Of a text or of thinking that is an item of its own to the provider. */
  | { readonly do: 'drop-item-id'; readonly block: Block }
  /** Of a call, or of a result that names its tool. */
  | { readonly do: 'rename-tool'; readonly block: Block; readonly name: string }
  | { readonly do: 'set-input'; readonly block: Block; readonly value: Json }
  | { readonly do: 'relink'; readonly entry: Entry; readonly parent: Entry | undefined }
  | { readonly do: 're-id'; readonly entry: Entry }
  /** A record that names another session is to name the file's own. */
  | { readonly do: 'adopt'; readonly entry: Entry }
  | { readonly do: 'drop-entry'; readonly entry: Entry }
  | { readonly do: 'change-entry'; readonly entry: Entry; readonly changes: readonly JsonChange[] }
  | { readonly do: 'renumber'; readonly entry: Entry; readonly number: number }
  | RecordOperation

export type RecordOperation =
  | { readonly do: 'rewrite-record'; readonly record: number; readonly how: Rewriting }
  | { readonly do: 'cut-record'; readonly record: number }
  | { readonly do: 'end-line'; readonly record: number }
  /** Behind `record`; -1: before all others. */
  | { readonly do: 'insert-record'; readonly record: number; readonly value: Json }

export type Rewriting = 'replace-lone-surrogates' | 'replace-invalid-utf8' | 'join-lines' | 'close-document'

/** What takes a finding away. Atomic: all of its operations are done or none. */
export interface Repair {
  readonly title: string
  readonly safety: Safety
  /** What is taken out of the conversation (it stays in the backup). */
  readonly loses: readonly Loss[]
  readonly operations: readonly Operation[]
}

/** Something that a rule found. */
export interface Finding {
  readonly rule: string
  readonly family: string
  readonly severity: Severity
  readonly message: string
  readonly at: Place
  readonly related: readonly { readonly at: Place; readonly message: string }[]
  /** Ids of calls and records that an error message may name. */
  readonly ids: readonly string[]
  readonly conversation: Conversation | undefined
  /** The message as the API counts it, and the block in it, where the place is in a conversation. */
  readonly where: { readonly message: Message; readonly block?: Block | undefined } | undefined
  /** The provider's own words for it. */
  readonly providerError: string | undefined
  readonly repair: Repair | undefined
}
