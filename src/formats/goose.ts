import { goose as dialect } from '../dialects/goose.ts'
import { type Document, Entry } from '../model/document.ts'
import type { Ids } from '../text/ids.ts'
import { type Json, type JsonView, lookup, type Path, Verbatim } from '../text/view.ts'
import type { Format, Skeleton } from './format.ts'
import { inventedUuid, storedIds } from './invented.ts'
import { ListEditor } from './list-editor.ts'

const HEALS: Format['heals'] = {
  'orphan-tool-call': 'with loss: goose drops the call from what it sends (`conversation/mod.rs`)',
  'orphan-tool-result': 'with loss: goose drops the result from what it sends (`conversation/mod.rs`)',
  'torn-record': 'with loss: goose skips the line (`session/legacy.rs`)',
}

const shared = {
  use: 'session',
  folds: true,
  dialect,
  target: 'openai-chat',
  root: 'messages',
  heals: HEALS,
  editor: (document) => new GooseEditor(document),
  assemble(document: Skeleton) {
    const all = [...document.entries()]
    // What the agent does not see is kept for the user alone; goose compacts that way.
    const messages = all.filter((entry) => entry.onPath)
    const { model, provider } = (all[0]?.more as SessionFacts | undefined) ?? {}
    return {
      conversations: [{ label: 'session', role: 'main', root: 'messages', messages, model }],
      target: provider === 'anthropic' ? 'anthropic' : undefined,
    }
  },
} satisfies Partial<Format>

/** What a session says beside its messages; kept on the first of them. */
interface SessionFacts {
  readonly model: string | undefined
  readonly provider: string | undefined
}

/** A session as `goose session export` writes it and goose reads it back: one object (`session_manager.rs`, goose 1.10 and later). */
export const goose: Format = {
  ...shared,
  name: 'goose',
  title: 'goose session export',
  shape: 'document',
  detect: ([view]) =>
    view?.get('conversation')?.kind === 'array' &&
    (view.get('working_dir')?.kind === 'string' || someMessage(view.get('conversation')!)),
  read(view, record, ids) {
    const entries: Entry[] = []
    let index = 0
    for (const message of view.get('conversation')?.items() ?? []) {
      entries.push(readMessage(message, record, ['conversation', index++], ids))
    }
    const facts: SessionFacts = {
      model: lookup(view, ['model_config', 'model_name'])?.string(),
      provider: view.get('provider_name')?.string(),
    }
    if (entries[0]) entries[0].more = facts
    return entries
  },
}

/** Sessions of goose before 1.10, `~/.local/share/goose/sessions/<id>.jsonl`: what is told of the session, then a message a line. */
export const gooseLines: Format = {
  ...shared,
  name: 'goose-lines',
  title: 'goose session (JSONL)',
  shape: 'lines',
  detect(sample) {
    const [first, ...others] = sample
    if (first?.get('working_dir')?.kind === 'string' && first.get('role') === undefined) {
      return others.every(isMessage)
    }
    return sample.some(isMessage) && sample.some(hasOwnBlock)
  },
  read: (view, record, ids) => (isMessage(view) ? readMessage(view, record, [], ids) : undefined),
}

function isMessage(view: JsonView): boolean {
  return (
    view.get('role')?.kind === 'string' &&
    view.get('content')?.kind === 'array' &&
    view.get('created')?.kind === 'number'
  )
}

/** Whether a message has a block that only goose writes. */
function hasOwnBlock(message: JsonView): boolean {
  for (const block of message.get('content')?.items() ?? []) {
    const type = block.get('type')?.string()
    if (type === 'toolRequest' || type === 'toolResponse') return true
  }
  return false
}

function someMessage(list: JsonView): boolean {
  for (const message of list.items()) if (isMessage(message) && hasOwnBlock(message)) return true
  return false
}

function readMessage(view: JsonView, record: number, path: Path, ids: Ids): Entry {
  const entry = new Entry(record, path)
  entry.kind = 'message'
  dialect.read(view, entry, ids)
  entry.onPath = lookup(view, ['metadata', 'agentVisible'])?.boolean() !== false
  return entry
}

/** New messages get what goose needs to read them: a time in seconds and, beside messages that have it, an id and `metadata`. */
class GooseEditor extends ListEditor {
  #taken: ReadonlySet<string> | undefined

  constructor(document: Document) {
    super(document, dialect)
  }

  protected override insertMessage(message: Json, beside: Entry, offset: 0 | 1): boolean {
    const record = this.document.records.view(beside.record)
    const neighbour = record && lookup(record, beside.path)
    if (message instanceof Verbatim || !neighbour) return super.insertMessage(message, beside, offset)
    const id = neighbour.get('id')?.string()
    return super.insertMessage(
      {
        ...(id === undefined ? {} : { id: inventedUuid([id, `${offset}`], (taken) => this.#isTaken(taken)) }),
        ...(message as { readonly [key: string]: Json }),
        created: neighbour.get('created')?.verbatim(),
        metadata: neighbour.get('metadata')?.verbatim(),
      },
      beside,
      offset,
    )
  }

  #isTaken(id: string): boolean {
    this.#taken ??= storedIds(this.document)
    return this.#taken.has(id)
  }
}
