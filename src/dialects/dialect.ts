import type { Block } from '../model/blocks.ts'
import type { Entry } from '../model/document.ts'
import type { JsonChange } from '../text/edit.ts'
import type { Ids } from '../text/ids.ts'
import type { Json, JsonView, Path } from '../text/view.ts'

/**
 * The wire shape of a message. A dialect knows how a stored message is read into blocks, where in it things stand, and how
 * new parts of it are written; it knows nothing of files, links or rules.
 */
export interface Dialect {
  readonly name: string
  /** Where tool results live: as blocks of user messages, as messages of their own, or as items like the calls themselves. */
  readonly results: 'in-user-messages' | 'own-messages' | 'own-items'
  /** Results in user messages stand in messages of their own, apart from what the user says. */
  readonly resultsApart?: boolean
  /** Reads a stored message: sets `entry.role` and `entry.blocks`. Whatever is not understood becomes an opaque block. */
  read(message: JsonView, entry: Entry, ids: Ids): void
  /** Key of the list that holds the blocks of a message: `content`, `parts`. */
  readonly list: string
  /** Key of what a result says; `content` where nothing else is named. */
  readonly output?: string
  /** A text block; `role` is that of the message that it goes into. */
  text(text: Json, role?: Entry['role']): Json
  /** A stored message of some blocks; of the role `tool` only where its messages hold results as blocks. */
  message(role: 'user' | 'assistant' | 'tool', blocks: readonly Json[]): Json
  /** An error result for a call: a block, or where `results` says so a whole message. */
  result(call: CallFacts, text: string): Json
  /** A stored result as one of the kind that a call of this {@link toolKind} wants. */
  resultOfKind?(result: JsonView, kind: number): Json
  /** Changes inside a result that append to it what another one says; where {@link output} is no text and no list of parts. */
  appended?(into: JsonView, from: JsonView): readonly JsonChange[]
  /** Calls and results may be stored without ids, and are then paired by the names of their tools. */
  readonly pairsByName?: boolean
  /** The provider joins no turns: it looks for results right behind the very message that makes the calls. */
  readonly answersAtOnce?: boolean
  /** Changes that take the item's id from a text or from thinking; what it says and its encrypted content stay. */
  withoutItemId?(message: JsonView, block: Block): readonly JsonChange[]
  /** Where the id of a tool call or result stands, from the stored message on. */
  idPath(block: Block): Path
  /** Where the name of the tool stands in a tool call, or in a result that names it, from the stored message on. */
  namePath(block: Block): Path
  /** Where the input of a tool call stands, from the stored message on. */
  inputPath(block: Block): Path
  /** The API's message made of one stored message or of several that the client folds: their parts as they stand, the envelope left out. */
  carry(role: Entry['role'], messages: readonly JsonView[]): Json
  /** The content of a block in full, for printing it in another shape. */
  load(message: JsonView, block: Block): Content
  /** Writes a message of the API from its content. Several for dialects whose results are messages of their own. */
  render(role: Entry['role'], contents: readonly Content[]): Json[]
}

/** What a result has to know of its call. */
export interface CallFacts {
  readonly id: string
  readonly name: string
  readonly kind?: number
  /** The call as it is stored. */
  readonly stored?: () => JsonView | undefined
}

/** The content of a block in no provider's shape. */
export type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool-call'; readonly id: string; readonly name: string; readonly input: Json }
  | {
      readonly kind: 'tool-result'
      readonly id: string
      readonly name: string
      readonly error: boolean
      readonly content: readonly Content[]
    }
  | {
      readonly kind: 'media'
      readonly document: boolean
      readonly mediaType: string
      readonly data?: string
      readonly url?: string
    }
  | { readonly kind: 'thinking'; readonly text: string; readonly stored: Json }
  /** Carried along only where the dialect that is written is the one that was read. */
  | { readonly kind: 'opaque'; readonly dialect: string; readonly stored: Json }
