import type { Dialect } from '../dialects/dialect.ts'
import { type Assembly, type Conversation, Entry, type Message } from '../model/document.ts'
import type { Ids } from '../text/ids.ts'
import type { JsonView, Path } from '../text/view.ts'
import type { Format, Skeleton } from './format.ts'
import { ListEditor } from './list-editor.ts'

/**
 * How a plain list of messages is stored: one JSON array; a request body that holds it; one message a line; or one
 * conversation a line (a data set, each line judged for itself).
 */
export type Layout = 'array' | 'body' | 'lines' | 'rows'

const ROOTS: Readonly<Record<Layout, string>> = {
  array: 'messages',
  body: 'messages',
  lines: 'messages',
  rows: 'messages',
}
const TITLES: Readonly<Record<Layout, string>> = {
  array: 'message array',
  body: 'request body',
  lines: 'messages, one a line',
  rows: 'conversations, one a line',
}

/** A format for plain lists of messages in one dialect. */
export function messageList(
  product: { readonly name: string; readonly title: string; readonly target: string; readonly dialect: Dialect },
  layout: Layout,
  isMessage: (view: JsonView) => boolean,
  isBody: (view: JsonView) => boolean = () => true,
): Format {
  const { dialect, target } = product
  return {
    name: layout === 'array' ? product.name : `${product.name}-${layout}`,
    title: `${product.title} ${TITLES[layout]}`,
    shape: layout === 'lines' || layout === 'rows' ? 'lines' : 'document',
    isMessageList: layout === 'lines',
    use: layout === 'rows' ? 'rows' : 'request',
    folds: false,
    dialect,
    target,
    root: ROOTS[layout],

    detect(sample) {
      const [first] = sample
      if (!first) return false
      if (layout === 'lines') return sample.every(hasRole) && sample.some(isMessage)
      if (layout === 'rows') {
        return (
          sample.every((line) => listOf(line)) &&
          sample.some((line) => isBody(line) && someMessage(listOf(line), isMessage))
        )
      }
      if (sample.length > 1 || (layout === 'array') !== (first.kind === 'array')) return false
      return isBody(first) && someMessage(listOf(first), isMessage)
    },

    read(view, record, ids) {
      if (layout === 'lines') return hasRole(view) ? readEntry(view, record, NO_PATH, dialect, ids) : undefined
      const entries: Entry[] = []
      const list = listOf(view)
      const path: Path = view.kind === 'array' ? NO_PATH : ['messages']
      let index = 0
      for (const message of list?.items() ?? []) {
        entries.push(readEntry(message, record, [...path, index++], dialect, ids))
      }
      const model = view.get('model')?.string()
      if (entries[0] && model !== undefined) entries[0].more = { model }
      return entries
    },

    assemble: (document) => (layout === 'rows' ? assembleRows(document) : assembleOne(document)),
    editor: (document) => new ListEditor(document, dialect),
  }
}

const NO_PATH: Path = Object.freeze([])

/** The messages of a body (`messages`) or of an array. */
function listOf(view: JsonView): JsonView | undefined {
  const list = view.kind === 'array' ? view : view.get('messages')
  return list?.kind === 'array' ? list : undefined
}

function someMessage(list: JsonView | undefined, isMessage: (view: JsonView) => boolean): boolean {
  let looked = 0
  for (const message of list?.items() ?? []) {
    if (isMessage(message)) return true
    // A list whose first hundred items are no messages is no list of messages.
    if (!hasRole(message) && ++looked > 100) return false
  }
  return false
}

/** Whether something can be a message at all. */
export function hasRole(view: JsonView): boolean {
  return view.get('role')?.kind === 'string'
}

function readEntry(message: JsonView, record: number, path: Path, dialect: Dialect, ids: Ids): Entry {
  const entry = new Entry(record, path)
  entry.kind = 'message'
  entry.onPath = true
  dialect.read(message, entry, ids)
  return entry
}

function modelOf(entry: Entry | undefined): string | undefined {
  return (entry?.more as { model?: string } | undefined)?.model
}

function assembleOne(document: Skeleton): Assembly {
  const messages: Message[] = []
  let model: string | undefined
  for (const entry of document.entries()) {
    model ??= modelOf(entry)
    messages.push(entry)
  }
  return { conversations: [{ label: 'messages', role: 'main', root: 'messages', messages, model }] }
}

function assembleRows(document: Skeleton): Assembly {
  const conversations: Conversation[] = []
  const order = document.records.order()
  for (let i = 0; i < order.length; i++) {
    const entries = document.entriesOf(order[i]!)
    if (entries.length === 0) continue
    const line = document.records.line(order[i]!)
    conversations.push({
      label: `line ${line}`,
      role: 'row',
      root: 'messages',
      messages: entries,
      model: modelOf(entries[0]),
    })
  }
  return { conversations }
}
