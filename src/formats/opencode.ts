import { opencode as dialect } from '../dialects/opencode.ts'
import type { Block } from '../model/blocks.ts'
import { type Document, Entry, type Message } from '../model/document.ts'
import type { Operation } from '../model/finding.ts'
import { type Id, type Ids, NO_ID } from '../text/ids.ts'
import { type Json, type JsonView, lookup } from '../text/view.ts'
import type { Format, Skeleton } from './format.ts'
import { ListEditor } from './list-editor.ts'
import { resumeBy } from './resume.ts'

/** What `opencode export <session>` writes and `opencode import` reads: `{info, messages: [{info, parts}]}` (`message-v2.ts`, 2026). */
export const opencode: Format = {
  name: 'opencode',
  title: 'opencode session export',
  shape: 'document',
  use: 'session',
  folds: true,
  dialect,
  target: 'anthropic',
  root: 'messages',
  detect([view]) {
    const messages = view?.get('messages')
    if (!view || messages?.kind !== 'array') return false
    if (lookup(view, ['info', 'id'])?.startsWith('ses')) return messages.size === 0 || isMessage(messages.at(0)!)
    return messages.size > 0 && isMessage(messages.at(0)!)
  },
  read(view, record, ids) {
    const entries: Entry[] = []
    let index = -1
    for (const message of view.get('messages')?.items() ?? []) {
      index++
      if (isMessage(message)) entries.push(readMessage(message, new Entry(record, ['messages', index]), ids))
    }
    return entries
  },
  assemble(document: Skeleton) {
    const sent = sentOf([...document.entries()])
    for (const entry of document.entries()) entry.onPath = false
    for (const entry of sent) entry.onPath = true
    const model = sent.findLast((entry) => factsOf(entry).model !== NO_ID)
    return {
      conversations: [
        {
          label: 'session',
          role: 'main',
          root: 'messages',
          messages: sent.flatMap((entry) => messagesOf(entry, document.ids)),
          model: model && document.ids.text(factsOf(model).model),
        },
      ],
    }
  },
  editor: (document) => new OpencodeEditor(document),
  resume(document) {
    const id = document.records.count === 1 ? lookup(document.records.view(0)!, ['info', 'id'])?.string() : undefined
    return resumeBy('opencode run --session ', id)
  },
  heals: {
    'orphan-tool-call':
      'fully in newer versions: opencode sends "[Tool execution was interrupted]" for a part that is pending or running (`message-v2.ts`); it stays so in the session',
  },
}

/** What only this format reads of a message. */
interface Facts {
  readonly model: Id
  /** The user message that asked for the summary which this one is. */
  readonly summaryOf: Id
  /** Whether opencode leaves the message out, since it ended in an error before it said anything. */
  readonly isFailed: boolean
}

const factsOf = (entry: Entry): Facts => entry.more as Facts

function isMessage(view: JsonView): boolean {
  return lookup(view, ['info', 'role'])?.kind === 'string' && view.get('parts')?.kind === 'array'
}

function readMessage(view: JsonView, entry: Entry, ids: Ids): Entry {
  entry.kind = 'message'
  dialect.read(view, entry, ids)
  const info = view.get('info')
  entry.id = ids.of(info?.get('id'))
  const error = info?.get('error')
  const isFailed = error?.kind === 'object'
  const isAborted = isFailed && error.get('name')?.string() === 'MessageAbortedError'
  const isSummary = info?.get('summary')?.boolean() === true && info.get('finish') !== undefined && !isFailed
  entry.more = {
    model: ids.of(info?.get('modelID')),
    summaryOf: isSummary ? ids.of(info?.get('parentID')) : NO_ID,
    isFailed: isFailed && !(isAborted && entry.blocks.some(({ kind }) => kind !== 'opaque' && kind !== 'thinking')),
  } satisfies Facts
  return entry
}

/** What opencode sends: from the newest compaction on that came to its summary, without failed answers and messages without parts. */
function sentOf(entries: readonly Entry[]): Entry[] {
  const summed = new Set(entries.map((entry) => factsOf(entry).summaryOf))
  const start = entries.findLastIndex((entry) => entry.id !== NO_ID && entry.role === 'user' && summed.has(entry.id))
  return entries.slice(Math.max(start, 0)).filter((entry) => entry.blocks.length > 0 && !factsOf(entry).isFailed)
}

/** The messages of the API that a stored one becomes: each step of an answer, and behind it the results of its tools. */
function messagesOf(entry: Entry, ids: Ids): Message[] {
  if (entry.role !== 'assistant') return [entry]
  const messages: Message[] = []
  let blocks: Block[] = []
  let results: Block[] = []
  const close = (): void => {
    if (blocks.length > 0) messages.push({ role: 'assistant', blocks, entries: [entry] })
    if (results.length > 0) messages.push({ role: 'user', blocks: results, entries: [entry] })
    blocks = []
    results = []
  }
  for (const block of entry.blocks) {
    if (block.kind === 'opaque' && ids.text(block.name) === 'step-start') close()
    if (block.kind === 'tool-result') results.push(block)
    else blocks.push(block)
  }
  close()
  return messages
}

/**
 * Edits an export part by part. A call is answered where it stands; whatever would move parts between messages is refused,
 * since the ids of messages and parts are their order.
 */
class OpencodeEditor extends ListEditor {
  constructor(document: Document) {
    super(document, dialect)
  }

  protected override plan(operation: Operation): boolean {
    switch (operation.do) {
      case 'answer':
        return this.#answer(operation.call, operation.text)
      case 'remove-message': {
        // One step of an answer is not the stored message.
        const { blocks, entries } = operation.message
        return entries.every((entry) => entry.blocks.length === blocks.length) && super.plan(operation)
      }
      case 'rename-id':
        // Call and result are one part, and so is their id.
        return operation.block.kind === 'tool-result' || super.plan(operation)
      case 'remove-block':
      case 'replace-block':
        return isPart(operation.block) && super.plan(operation)
      case 'set-input':
      case 'change-entry':
      case 'drop-entry':
        return super.plan(operation)
      default:
        return false
    }
  }

  /** The state of a tool that ended in an error, as opencode writes it: with what it was called with and its times. */
  #answer(call: Block, text: string): boolean {
    const record = this.document.records.view(call.entry.record)
    const message = record && lookup(record, call.entry.path)
    const state = message && lookup(message, [...call.tail, 'state'])
    const start = state && lookup(state, ['time', 'start'])
    const created = message && lookup(message, ['info', 'time', 'created'])
    const time = start?.number() ?? created?.number() ?? 0
    if (state?.kind !== 'object') return false
    const set = (key: string, value: Json): boolean =>
      this.change(call.entry, { op: 'set', path: [...call.tail, 'state', key], value })
    const input = state.get('input')?.kind === 'object' || set('input', {})
    const raw =
      state.get('raw') === undefined || this.change(call.entry, { op: 'remove', path: [...call.tail, 'state', 'raw'] })
    // Where a start is known its record stays as it stands and gets an end.
    const timed = start
      ? this.change(call.entry, { op: 'set', path: [...call.tail, 'state', 'time', 'end'], value: time })
      : set('time', { start: time, end: time })
    return input && raw && set('status', 'error') && set('error', text) && timed
  }
}

/** Whether a block is a part by itself. */
const isPart = ({ kind }: Block): boolean => kind !== 'tool-call' && kind !== 'tool-result'
