import type { Dialect } from '../dialects/dialect.ts'
import { nameUnnamed } from '../dialects/unnamed.ts'
import { type Conversation, type Document, Entry, type Message } from '../model/document.ts'
import type { Ids } from '../text/ids.ts'
import type { JsonView, Path } from '../text/view.ts'
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
  /** Keys under which a body holds the list, as the request has it first; `messages` where none are given. */
  readonly keys?: readonly string[]
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
  const { dialect, target, keys = ['messages'], isItem = hasRole } = product
  const root = keys[0]!

  const messagesOf = (entries: readonly Entry[], ids: Ids): readonly Message[] => {
    if (dialect.pairsByName) nameUnnamed(entries, ids)
    return product.messages?.(entries, ids) ?? entries
  }

  /** The key of a body under which its messages stand. */
  const keyOf = (body: JsonView): string | undefined => keys.find((key) => body.get(key)?.kind === 'array')

  /** The messages of a body or of an array. */
  const listOf = (view: JsonView): JsonView | undefined => {
    if (view.kind === 'array') return view
    const key = keyOf(view)
    return key === undefined ? undefined : view.get(key)
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
    isAnswer: product.answerKey !== undefined && first?.path[0] === product.answerKey,
  })

  return {
    name: layout === 'array' ? product.name : `${product.name}-${layout}`,
    title: `${product.title} ${TITLES[layout]}`,
    shape: layout === 'lines' || layout === 'rows' ? 'lines' : 'document',
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
      if (layout === 'rows') {
        return sample.every((line) => listOf(line)) && sample.some((line) => isBody(line) && someMessage(listOf(line)))
      }
      if (sample.length > 1 || (layout === 'array') !== (first.kind === 'array')) return false
      return isBody(first) && someMessage(listOf(first))
    },

    read(view, record, ids) {
      if (layout === 'lines') return isItem(view) ? readEntry(view, record, NO_PATH, product, ids) : undefined
      const entries: Entry[] = []
      const list = listOf(view)
      const path: Path = view.kind === 'array' ? NO_PATH : [keyOf(view) ?? root]
      let index = 0
      for (const message of list?.items() ?? []) {
        entries.push(readEntry(message, record, [...path, index++], product, ids))
      }
      const facts: BodyFacts = { model: view.get('model')?.string(), isStored: view.get('store')?.boolean() }
      if (entries[0] && (facts.model ?? facts.isStored) !== undefined) entries[0].more = facts
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
        const messages = messagesOf(entries, document.ids)
        conversations.push(conversationOf(`line ${document.records.line(order[i]!)}`, 'row', messages, entries[0]))
      }
      return { conversations }
    },
    editor: product.editor ?? ((document) => new ListEditor(document, dialect)),
  }
}

/** What a body says beside its messages; kept on the first of them. */
type BodyFacts = Pick<Conversation, 'model' | 'isStored'>

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
