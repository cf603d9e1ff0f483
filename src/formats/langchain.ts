import { innerKey, kindOf, langchain, RAW } from '../dialects/langchain.ts'
import type { Block } from '../model/blocks.ts'
import type { Entry } from '../model/document.ts'
import type { Operation } from '../model/finding.ts'
import type { Json, JsonView, Path } from '../text/view.ts'
import { lookup } from '../text/view.ts'
import { itemPath, ListEditor } from './list-editor.ts'
import type { Product } from './message-list.ts'

/** Messages of LangChain and the state of a LangGraph agent (npm @langchain/core 1.4.0): serialised, stored or flat. */
export const LANGCHAIN: Product = {
  name: 'langchain',
  title: 'LangChain',
  target: 'openai-chat',
  dialect: langchain,
  // The state of an agent's thread, as the server gives it, and the values of a checkpoint.
  paths: [['messages'], ['values', 'messages'], ['channel_values', 'messages']],
  isItem: (item) => kindOf(item) !== '' || item.get('role')?.kind === 'string',
  within: innerKey,
  messages: (entries) => entries.filter(({ kind }) => kind === 'message'),
  editor: (document) => new LangChainEditor(document, langchain),
}

/** A message that shows by its envelope or its type that it is one of LangChain. */
export function isLangChainMessage(item: JsonView): boolean {
  const kind = kindOf(item)
  if (kind === '') return false
  const key = innerKey(item)
  if (key !== undefined) return key === 'kwargs' || item.get('type')?.kind === 'string'
  if (item.get('lc') !== undefined || item.get('parts') !== undefined) return false
  // Names that others use, too, need what only LangChain has beside them.
  if (kind === 'human' || kind === 'ai') return item.get('content') !== undefined
  return kind === 'tool' && item.get('role') === undefined && item.get('tool_call_id') !== undefined
}

/** The lists in which one call can stand, with the keys of its input and of its id. */
const PLACES: readonly Path[] = [['tool_calls'], ['invalid_tool_calls'], RAW, ['content']]

/** Edits what LangChain stores: each call at all places at which it stands, each new message in the envelope of its neighbours. */
class LangChainEditor extends ListEditor {
  protected override plan(operation: Operation): boolean {
    if (operation.do === 'rename-id' && operation.block.kind === 'tool-call') {
      const { block, id } = operation
      return this.#copies(block).every((path) =>
        this.change(block.entry, { op: 'set', path: [...path, 'id'], value: id }),
      )
    }
    if (operation.do === 'rename-tool' && operation.block.kind === 'tool-call') {
      const { block, name } = operation
      return this.#copies(block).every((path) => {
        const at = path[0] === RAW[0] ? [...path, 'function', 'name'] : [...path, 'name']
        return this.change(block.entry, { op: 'set', path: at, value: name })
      })
    }
    return super.plan(operation)
  }

  protected override remove(block: Block): boolean {
    if (block.kind !== 'tool-call' || block.entry.blocks.length === 1) return super.remove(block)
    const copies = this.#copies(block)
    return copies.length > 0 && copies.every((path) => this.change(block.entry, { op: 'remove', path }))
  }

  protected override insertMessage(message: Json, beside: Entry, offset: 0 | 1, from?: Entry): boolean {
    return super.insertMessage(from ? this.#item(from) : this.#wrapped(message, beside), beside, offset, from)
  }

  protected override asUser(entry: Entry, text: string): boolean {
    const value = this.#wrapped(langchain.message('user', [langchain.text(text)]), entry)
    return this.stage(entry.record, { op: 'set', path: itemPath(entry), value })
  }

  protected override goesWithMessage(key: string): boolean {
    return key === 'id' || key === 'response_metadata' || key === 'usage_metadata'
  }

  /** Every place at which a call stands; of several calls of one id only the place itself. */
  #copies(call: Block): Path[] {
    const message = this.message(call.entry)
    const { id } = call
    const isShared = call.entry.blocks.some((block) => block !== call && block.kind === 'tool-call' && block.id === id)
    if (!message || isShared) return [call.tail]
    const text = this.document.ids.text(id)
    const copies: Path[] = []
    for (const place of PLACES) {
      const list = lookup(message, place)
      let index = 0
      for (const item of list?.kind === 'array' ? list.items() : []) {
        const isCall = place[0] !== 'content' || item.get('type')?.string()?.startsWith('tool_')
        if (isCall && item.get('id')?.string() === text) copies.push([...place, index])
        index++
      }
    }
    return copies.length > 0 ? copies : [call.tail]
  }

  #item(entry: Entry): Json {
    const record = this.document.records.view(entry.record)
    return (record && lookup(record, itemPath(entry))?.verbatim()) ?? null
  }

  /** A flat message in the envelope that the one beside it has. */
  #wrapped(message: Json, beside: Entry): Json {
    const { type, ...fields } = message as { readonly type: string; readonly [key: string]: Json | undefined }
    const key = beside.path.length > itemPath(beside).length ? beside.path.at(-1) : undefined
    if (key === 'data') return { type, data: fields }
    if (key !== 'kwargs') return message
    const record = this.document.records.view(beside.record)
    const item = record && lookup(record, itemPath(beside))
    const path = Array.from(item?.get('id')?.items() ?? [], (step) => step.string() ?? '')
    return { lc: 1, type: 'constructor', id: [...path.slice(0, -1), CLASSES[type] ?? 'HumanMessage'], kwargs: fields }
  }
}

const CLASSES: Readonly<Record<string, string>> = { human: 'HumanMessage', ai: 'AIMessage', tool: 'ToolMessage' }
