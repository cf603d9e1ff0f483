import type { JsonChange } from '../text/edit.ts'
import type { Id, Ids } from '../text/ids.ts'
import { NO_ID } from '../text/ids.ts'
import type { Records } from '../text/records.ts'
import type { Json, JsonView, Path } from '../text/view.ts'
import type { Block } from './blocks.ts'

export type Role = 'system' | 'user' | 'assistant' | 'tool' | 'unknown'

/**
 * What a record is to the chain: a message; a note that is a link of the chain but says nothing to the model; a checkpoint
 * that stands for what lies before it; a damaged record; bookkeeping that is no part of the chain at all.
 */
export type LinkKind = 'message' | 'note' | 'checkpoint' | 'damaged' | 'bookkeeping'

/** A record as a link of the chain. Formats without links have records in file order only (`id` and `parent` are 0). */
export interface Link {
  readonly record: number
  readonly id: Id
  readonly parent: Id
  readonly kind: LinkKind
  /** Whether the client comes by here when it loads the conversation. */
  onPath: boolean
}

/** A message as the API would get it: one stored message, or several that the client folds into one. */
export interface Message {
  readonly role: Role
  readonly blocks: readonly Block[]
  readonly entries: readonly Entry[]
}

/** The skeleton of one stored message (or other record): all that stays in memory of it. By itself it is a message, too. */
export class Entry implements Link, Message {
  readonly record: number
  /** From the record to the stored message: `['message']`, `['messages', 17]`, `[]`. */
  readonly path: Path
  kind: LinkKind = 'bookkeeping'
  id: Id = NO_ID
  parent: Id = NO_ID
  onPath = false
  role: Role = 'unknown'
  blocks: readonly Block[] = EMPTY
  /** Records with the same group are parts of one message (Claude Code: `message.id`). */
  group: Id = NO_ID
  /** What only the entry's own format and dialect read. */
  more: unknown = undefined

  constructor(record: number, path: Path) {
    this.record = record
    this.path = path
  }

  /** As a message it is made of itself alone; not kept, since most messages of a list are such ones. */
  get entries(): readonly Entry[] {
    return [this]
  }
}

const EMPTY: readonly Block[] = Object.freeze([])

/** What the client loads, selects and folds on resume, before its own repairs. */
export interface Conversation {
  readonly label: string
  /** `subagent` conversations are not resumed by anybody; a `row` is one line of a data set. */
  readonly role: 'main' | 'subagent' | 'row'
  readonly messages: readonly Message[]
  /** Newest model that is recorded in it. */
  readonly model?: string | undefined
  /** Path of the message list inside the API's request: `messages` or `input` or `contents`; for API indices in reports. */
  readonly root: string
  /** Its messages are items (Responses): calls and reasoning stand beside the text of their turn as messages of their own. */
  readonly isItems?: boolean | undefined
  /** Whether the provider keeps earlier items by their ids (Responses: `store`); undefined where nobody knows. */
  readonly isStored?: boolean | undefined
  /** It is a request that is sent as it stands, whose model it names: no further message comes behind its last one. */
  readonly isRequest?: boolean | undefined
  /** Whether the request itself asks for thinking (Anthropic: `thinking.type` is `enabled`) or turns it off. */
  readonly thinking?: 'enabled' | 'disabled' | undefined
  /**
   * Its beginning is kept elsewhere (Responses: `previous_response_id` or `conversation`; Codex: a reference to another rollout): a
   * result may answer a call that stands there.
   */
  readonly isContinued?: boolean | undefined
  /** It is what a provider answered: its last calls are there to be answered by whoever gets it. */
  readonly isAnswer?: boolean | undefined
  /**
   * The client looks for the results of each assistant message right behind that very message, and answers what it does not find
   * there itself, even where the provider would look further.
   */
  readonly answersAtOnce?: boolean | undefined
}

/** A place where the walk from the leaf to the root could not go on by the stored links. */
export interface ChainBreak {
  readonly kind: 'missing-parent' | 'parent-cycle'
  /** The record whose parent is not there, or leads back to a record that was passed already. */
  readonly entry: Entry
  /** The record that it should be linked to instead; undefined where it becomes the root. */
  readonly next: Entry | undefined
}

/** A side of a fork that the client leaves out although nobody rewound the conversation. */
export interface LostBranch {
  readonly fork: Entry
  /** The last record of the side that is left out. */
  readonly tip: Entry
  /** The first record of the side that is loaded. */
  readonly live: Entry
}

/** Records that share one id. */
export interface SharedId {
  readonly first: Entry
  readonly later: Entry
  /** `same`: one content twice; `harmful`: it closes a ring or hides content; `fragment`: parts of one message, as the client writes them. */
  readonly effect: 'same' | 'harmful'
}

/** A compaction whose list of kept records does not fit the file, or that stands between a call and its result. */
export interface CompactionFault {
  readonly kind: 'broken-compaction' | 'compaction-inside-pair'
  readonly entry: Entry
  readonly message: string
  /** What mends it; undefined when nothing in the file does. */
  readonly changes?: readonly JsonChange[] | undefined
  readonly drop?: boolean
}

/** What a format that links its records found of the chain. Formats without links have none. */
export interface Chain {
  readonly leaf: Entry | undefined
  /** What the client walks, root first. */
  readonly path: readonly Entry[]
  readonly breaks: readonly ChainBreak[]
  readonly lost: readonly LostBranch[]
  readonly shared: readonly SharedId[]
  readonly compactions: readonly CompactionFault[]
  /** Records of another session than the file's own, where the client refuses to load such a file. */
  readonly foreign: readonly Entry[]
}

/** A record whose number does not go on where the one before left off. */
export interface NumberFault {
  readonly kind: 'repeated' | 'falling' | 'missing'
  readonly entry: Entry
  /** The numbers that set it right: its own, and those of the records behind it up to the next gap. */
  readonly numbers: readonly { readonly entry: Entry; readonly number: number }[]
}

/** A session without the record that it has to begin with. */
export interface HeaderFault {
  /** The record as the others tell of it; undefined where they do not say enough. */
  readonly value: Json | undefined
  /** What of it no other record says, in words: `the id of the thread and its folder`. */
  readonly unsaid: string
}

/** What the records of a transcript amount to. */
export interface Assembly {
  readonly conversations: readonly Conversation[]
  readonly chain?: Chain | undefined
  /** Name of the provider rules that the records themselves ask for: those of the API that answered last. */
  readonly target?: string | undefined
  /** Formats that number their records. */
  readonly numbering?: readonly NumberFault[] | undefined
  /** Formats that begin with a header. */
  readonly header?: HeaderFault | undefined
}

/** Kinds of files in which conversations are kept, and that are no text in UTF-8. */
export type Container = 'zstd' | 'gzip' | 'sqlite' | 'utf-16'

/** A transcript that was read: its records, their skeleton, and the conversations in it. */
export interface Document extends Omit<Assembly, 'target'> {
  readonly path: string | undefined
  /** Name of the transcript format. */
  readonly format: string
  /** Wire shape in which its messages are stored, by dialect name. */
  readonly dialect: string
  /** Whether the format's client folds messages of one role by itself. */
  readonly folds: boolean
  /** Whether the client of a session sends blocks with all the fields that they are stored with. */
  readonly sendsAsStored?: boolean | undefined
  /** `session`: an agent's own file, resumed with a next prompt; `request`: an array or body that is sent as it is; `rows`: a data set. */
  readonly use: 'session' | 'request' | 'rows'
  readonly records: Records
  /** Whether the provider joins assistant messages in a row into one turn, whose results follow the last of them. */
  readonly joinsTurns: boolean
  /** Whether the file holds nothing but white space. */
  readonly isEmpty: boolean
  /** What the file is instead of a text, by its first bytes. */
  readonly container: Container | undefined
  /** Whether a torn JSON document has whole messages to be cut back to. */
  readonly closable: boolean
  readonly ids: Ids
  /** The entries of a record; a record that its format does not know has none. */
  entriesOf(record: number): readonly Entry[]
  /** All entries in the order of the file. */
  entries(): Iterable<Entry>
  /** The stored input of a tool call; it is read again. */
  inputOf(call: Block): JsonView | undefined
  /** What the model is told by a tool result, as text; it is read again. */
  textOfResult(result: Block): string
  /**
   * Faults that the format's client itself refuses (`error`) or silently loses content over (`warning`), by rule; some only in
   * messages of one role. They count where the provider would take the fault, or nobody knows.
   */
  readonly harms?:
    | Readonly<Record<string, { readonly severity: 'error' | 'warning'; readonly role?: Role }>>
    | undefined
  /** Name of the provider rules that the conversation is judged by. */
  readonly target: string
  /** Longest image that the client itself takes, in characters of base64, by target; undefined where it has no limit of its own. */
  readonly imageSizes?: Readonly<Record<string, number>> | undefined
  /** What the file is, where it is no conversation but one of those that a client keeps beside them. */
  readonly bystander?: string | undefined
  /** Newest recorded or given model. */
  readonly model: string | undefined
}
