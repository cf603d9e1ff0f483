import type { Dialect } from '../dialects/dialect.ts'
import { nameUnnamed } from '../dialects/unnamed.ts'
import { type Conversation, type Document, Entry, type Message } from '../model/document.ts'
import type { Ids } from '../text/ids.ts'
import { type JsonView, lookup, type Path } from '../text/view.ts'
import type { Editor, Format } from './format.ts'
import { ListEditor } from './list-editor.ts'

/**
 * How a plain list of messages is stored: one JSON array; a request body that holds it; one message a line; or one
 * conversation a line (a data set, each line judged for itself).
 */
export type Layout = 'array' | 'body' | 'lines' | 'rows'

/** What a list of messages is, whatever its layout. */
export interface Product {
  readonly name: string
  readonly title: string
  readonly target: string
  readonly dialect: Dialect
  /** Where a body holds the list, as the request has it first; `messages` where nothing is given. */
  readonly paths?: readonly Path[]
  /** Where the bodies stand, where one document holds many, each a conversation. */
  readonly bodies?: Path
  /** Whether it is stored in one layout only, so that its name needs no other word. */
  readonly isOneLayout?: boolean
  /** Whether something can be an item of the list at all; whether it has a role where nothing else is given. */
  readonly isItem?: (view: JsonView) => boolean
  /** The key of an item under which its message stands, where a client writes an envelope around it. */
  readonly within?: (item: JsonView) => string | undefined
  /** The messages that the API gets, where they are not the stored ones just as they stand. */
  readonly messages?: (entries: readonly Entry[], ids: Ids) => readonly Message[]
  /** Edits the list, where the plain editor does not know all places at which something stands. */
  readonly editor?: (document: Document) => Editor
  /** A key that only holds what a provider answered. */
  readonly answerKey?: string
}

const TITLES: Readonly<Record<Layout, string>> = {
  array: 'message array',
  body: 'request body',
  lines: 'messages, one a line',
  rows: 'conversations, one a line',
}

/** A format for plain lists of messages in one dialect. */
export function messageList(
  product: Product,
  layout: Layout,
  isMessage: (view: JsonView) => boolean,
  isBody: (view: JsonView) => boolean = () => true,
): Format {
  const { dialect, target, paths = [['messages']], bodies, isItem = hasRole } = product
  const root = String(paths[0]!.at(-1))
  const isEnveloped = paths[0]!.length > 1

  const messagesOf = (entries: readonly Entry[], ids: Ids): readonly Message[] => {
    if (dialect.pairsByName) nameUnnamed(entries, ids)
    return product.messages?.(entries, ids) ?? entries
  }

  /** The place in a body where its messages stand. */
  const placeOf = (body: JsonView): Path | undefined => paths.find((path) => lookup(body, path)?.kind === 'array')

  /** The messages of a body or of an array. */
  const listOf = (view: JsonView): JsonView | undefined => {
    if (view.kind === 'array') return isEnveloped ? undefined : view
    const path = placeOf(view)
    return path && lookup(view, path)
  }

  const readBody = (body: JsonView, record: number, at: Path, ids: Ids): Entry[] => {
    const entries: Entry[] = []
    const place = body.kind === 'array' ? NO_PATH : (placeOf(body) ?? paths[0]!)
    const path: Path = [...at, ...place]
    let index = 0
    for (const message of listOf(body)?.items() ?? []) {
      entries.push(readEntry(message, record, [...path, index++], product, ids))
    }
    const request = lookup(body, place.slice(0, -1))
    if (entries[0] && request?.kind === 'object') entries[0].more = bodyFacts(request)
    return entries
  }

  const someMessage = (list: JsonView | undefined): boolean => {
    let looked = 0
    for (const message of list?.items() ?? []) {
      if (isMessage(message)) return true
      // A list whose first hundred items are no messages is no list of messages.
      if (!isItem(message) && ++looked > 100) return false
    }
    return false
  }

  const conversationOf = (
    label: string,
    role: Conversation['role'],
    messages: readonly Message[],
    first: Entry | undefined,
  ): Conversation => ({
    label,
    role,
    root,
    messages,
    ...(first?.more as BodyFacts | undefined),
    isItems: dialect.results === 'own-items',
    isAnswer: product.answerKey !== undefined && first?.path.at(-2) === product.answerKey,
  })

  return {
    name: layout === 'array' || product.isOneLayout ? product.name : `${product.name}-${layout}`,
    title: `${product.title} ${TITLES[layout]}`,
    shape: layout === 'lines' || (layout === 'rows' && bodies === undefined) ? 'lines' : 'document',
    isMessageList: layout === 'lines',
    use: layout === 'rows' ? 'rows' : 'request',
    folds: false,
    dialect,
    target,
    root,

    detect(sample) {
      const [first] = sample
      if (!first) return false
      if (layout === 'lines') return sample.every(isItem) && sample.some(isMessage)
      if (bodies !== undefined) {
        const some = lookup(first, bodies)?.at(0)
        return some !== undefined && isBody(some) && someMessage(listOf(some))
      }
      if (layout === 'rows') {
        return (
          sample.every((line) => (isEnveloped ? isBody(line) : listOf(line))) &&
          sample.some((line) => isBody(line) && someMessage(listOf(line)))
        )
      }
      if (sample.length > 1 || (layout === 'array') !== (first.kind === 'array')) return false
      return isBody(first) && someMessage(listOf(first))
    },

    read(view, record, ids) {
      if (layout === 'lines') return isItem(view) ? readEntry(view, record, NO_PATH, product, ids) : undefined
      if (bodies === undefined) return readBody(view, record, NO_PATH, ids)
      const entries: Entry[] = []
      let index = 0
      for (const body of lookup(view, bodies)?.items() ?? [])
        entries.push(...readBody(body, record, [...bodies, index++], ids))
      return entries
    },

    assemble(document) {
      if (layout !== 'rows') {
        const entries: Entry[] = [...document.entries()]
        const messages = messagesOf(entries, document.ids)
        return { conversations: [conversationOf('messages', 'main', messages, entries[0])] }
      }
      const conversations: Conversation[] = []
      const order = document.records.order()
      for (let i = 0; i < order.length; i++) {
        const entries = document.entriesOf(order[i]!)
        if (entries.length === 0) continue
        for (const [label, row] of rowsOf(entries, document.records.line(order[i]!))) {
          conversations.push(conversationOf(label, 'row', messagesOf(row, document.ids), row[0]))
        }
      }
      return { conversations }
    },
    editor: product.editor ?? ((document) => new ListEditor(document, dialect)),
  }

  /** The conversations of a record: one, or where it holds many bodies one for each. */
  function rowsOf(entries: readonly Entry[], line: number): Iterable<readonly [label: string, row: readonly Entry[]]> {
    if (bodies === undefined) return [[`line ${line}`, entries]]
    const rows = new Map<string, Entry[]>()
    for (const entry of entries) {
      const label = `${bodies.join('.') || 'conversations'}[${entry.path[bodies.length]}]`
      const row = rows.get(label)
      if (row) row.push(entry)
      else rows.set(label, [entry])
    }
    return rows
  }
}

/** What a body says beside its messages; kept on the first of them. */
type BodyFacts = Pick<Conversation, 'model' | 'isStored' | 'isContinued' | 'isRequest' | 'thinking'>

/** How an answer is to be made: a stored conversation that only names its model has nothing of this. */
const REQUESTS = [
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'temperature',
  'stream',
  'tools',
  'thinking',
  'inferenceConfig',
  'generationConfig',
]

/** What names the beginning of a conversation that the provider keeps (https://platform.openai.com/docs/guides/conversation-state). */
const CONTINUED = ['previous_response_id', 'conversation']

function bodyFacts(request: JsonView): BodyFacts {
  // In the requests of Converse it is `modelId`.
  const model = (request.get('model') ?? request.get('modelId'))?.string()
  const thinking = request.get('thinking')?.get('type')?.string()
  return {
    model,
    isStored: request.get('store')?.boolean(),
    isContinued: CONTINUED.some((key) => (request.get(key)?.kind ?? 'null') !== 'null'),
    isRequest: model !== undefined && REQUESTS.some((key) => request.get(key) !== undefined),
    thinking: thinking === 'enabled' || thinking === 'disabled' ? thinking : undefined,
  }
}

const NO_PATH: Path = Object.freeze([])

/** Whether something can be a message at all. */
export function hasRole(view: JsonView): boolean {
  return view.get('role')?.kind === 'string'
}

function readEntry(item: JsonView, record: number, path: Path, { dialect, within }: Product, ids: Ids): Entry {
  const key = within?.(item)
  const entry = new Entry(record, key === undefined ? path : [...path, key])
  entry.kind = 'message'
  entry.onPath = true
  dialect.read(item, entry, ids)
  return entry
}
