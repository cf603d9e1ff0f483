import type { Dialect } from '../dialects/dialect.ts'
import { chatgpt as chatgptDialect, sharegpt as sharegptDialect } from '../dialects/sharegpt.ts'
import { nameUnnamed } from '../dialects/unnamed.ts'
import { type Conversation, Entry } from '../model/document.ts'
import type { Ids } from '../text/ids.ts'
import type { JsonView, Path } from '../text/view.ts'
import type { Editor, Format, Skeleton } from './format.ts'

/** Formats that are read and judged; a repair of their messages is refused, so that the file stays as it is. */
const refusing = (): Editor => ({ apply: () => false, edits: () => [] })

const SHARED = { folds: true, target: 'openai-chat', root: 'messages', editor: refusing } as const

/**
 * ShareGPT data sets, one conversation a line. Each place in a conversation belongs to one side, so that a message more or less
 * gives all behind it to the other side (LLaMA-Factory leaves such a row out): nothing is inserted or removed.
 */
export const sharegpt: Format = {
  ...SHARED,
  name: 'sharegpt',
  title: 'ShareGPT conversations, one a line',
  shape: 'lines',
  use: 'rows',
  dialect: sharegptDialect,
  detect: (sample) => sample.length > 0 && sample.every(isShared),
  read: (view, record, ids) => readShared(view, record, [], ids),
  assemble: assembleRows,
}

/** The same as one array. */
export const sharegptArray: Format = {
  ...sharegpt,
  name: 'sharegpt-array',
  title: 'ShareGPT conversations',
  shape: 'document',
  detect: ([view]) => view?.kind === 'array' && isShared(view.at(0)),
  read(view, record, ids) {
    const entries: Entry[] = []
    let index = 0
    for (const row of view.items()) for (const entry of readShared(row, record, [index++], ids)) entries.push(entry)
    return entries
  },
}

/**
 * `conversations.json` of ChatGPT's data export: a tree of messages by id; the conversation is the way from `current_node` to
 * its root. Nothing reads the export back, so there is nothing to repair it for.
 */
export const chatgpt: Format = {
  ...SHARED,
  name: 'chatgpt',
  title: 'ChatGPT export',
  shape: 'document',
  use: 'session',
  dialect: chatgptDialect,
  detect: ([view]) => isTree(view?.kind === 'array' ? view.at(0) : view),
  read(view, record, ids) {
    if (view.kind !== 'array') return readTree(view, record, [], ids)
    const entries: Entry[] = []
    let index = 0
    for (const tree of view.items()) for (const entry of readTree(tree, record, [index++], ids)) entries.push(entry)
    return entries
  },
  assemble: assembleRows,
}

function isShared(row: JsonView | undefined): boolean {
  const first = row?.get('conversations')?.at(0)
  return first?.get('from')?.kind === 'string' && first.get('value') !== undefined
}

function isTree(view: JsonView | undefined): boolean {
  const mapping = view?.get('mapping')
  if (mapping?.kind !== 'object' || (view?.get('current_node') ?? view?.get('title')) === undefined) return false
  for (const [, node] of mapping.members()) return (node.get('message') ?? node.get('children')) !== undefined
  return true
}

function readShared(row: JsonView, record: number, at: Path, ids: Ids): Entry[] {
  const entries: Entry[] = []
  let index = 0
  for (const message of row.get('conversations')?.items() ?? []) {
    entries.push(readEntry(message, record, [...at, 'conversations', index++], sharegptDialect, ids))
  }
  return entries
}

function readTree(view: JsonView, record: number, at: Path, ids: Ids): Entry[] {
  const nodes = new Map<string, JsonView>(view.get('mapping')?.members() ?? [])
  const entries: Entry[] = []
  let id = view.get('current_node')?.string()
  while (id !== undefined) {
    const node = nodes.get(id)
    // A node is passed once, whatever the links say.
    nodes.delete(id)
    const message = node?.get('message')
    const path = [...at, 'mapping', id, 'message']
    if (message?.kind === 'object') entries.push(readEntry(message, record, path, chatgptDialect, ids))
    id = node?.get('parent')?.string()
  }
  return entries.reverse()
}

function readEntry(message: JsonView, record: number, path: Path, dialect: Dialect, ids: Ids): Entry {
  const entry = new Entry(record, path)
  entry.kind = 'message'
  entry.onPath = true
  dialect.read(message, entry, ids)
  return entry
}

/** The conversations of a file: those of an array by their place in it, others by their line. */
function assembleRows(document: Skeleton): { conversations: Conversation[] } {
  const rows = new Map<string, Entry[]>()
  for (const entry of document.entries()) {
    const [index] = entry.path
    const label = typeof index === 'number' ? `conversation ${index}` : `line ${document.records.line(entry.record)}`
    const row = rows.get(label)
    if (row) row.push(entry)
    else rows.set(label, [entry])
  }
  const conversations = Array.from(rows, ([label, messages]): Conversation => {
    nameUnnamed(messages, document.ids)
    return { label, role: 'row', root: 'messages', messages }
  })
  return { conversations }
}
