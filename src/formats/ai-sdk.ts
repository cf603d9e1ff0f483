import { aiSdk, settled } from '../dialects/ai-sdk.ts'
import { aiSdkUi, answered, stepsOf } from '../dialects/ai-sdk-ui.ts'
import type { Block } from '../model/blocks.ts'
import type { Entry, Message } from '../model/document.ts'
import type { Operation } from '../model/finding.ts'
import type { JsonView } from '../text/view.ts'
import { ListEditor } from './list-editor.ts'
import type { Product } from './message-list.ts'

/** Model messages of the Vercel AI SDK (npm ai 7.0.173). */
export const AI_SDK: Product = {
  name: 'ai-sdk',
  title: 'AI SDK model',
  target: 'openai-chat',
  dialect: aiSdk,
  messages: (entries) => settled(entries),
}

/** Messages of the Vercel AI SDK as the user interface keeps them (npm ai 7.0.173). */
export const AI_SDK_UI: Product = {
  name: 'ai-sdk-ui',
  title: 'AI SDK UI',
  target: 'openai-chat',
  dialect: aiSdkUi,
  isItem: (item) => item.get('role')?.kind === 'string' && (hasParts(item) || item.get('content')?.kind === 'string'),
  messages: stepsOf,
  editor: (document) => new UiEditor(document, aiSdkUi),
}

const hasParts = (item: JsonView): boolean => item.get('parts')?.kind === 'array'

const TOOL_PARTS = new Set(['tool-call', 'tool-result', 'tool-approval-request', 'tool-approval-response'])

/** A message that shows by its parts that it is a model message of the AI SDK. */
export function isModelMessage(message: JsonView): boolean {
  const content = message.get('content')
  if (message.get('role')?.kind !== 'string' || content?.kind !== 'array') return false
  for (const part of content.items()) {
    const type = part.get('type')?.string() ?? ''
    if (TOOL_PARTS.has(type) && (part.get('toolCallId') ?? part.get('approvalId'))) return true
    if (type === 'image' && part.get('image')) return true
    if (type === 'file' && part.get('data') && (part.get('mediaType') ?? part.get('mimeType'))) return true
  }
  return false
}

const UI_PART = /^(?:text|reasoning|file|step-start|source-url|source-document|dynamic-tool|(?:data|tool)-.+)$/

/** A message of the user interface: its parts are typed, where those of Gemini are not. */
export function isUiMessage(message: JsonView): boolean {
  const role = message.get('role')?.string()
  if (role === 'assistant' && message.get('toolInvocations')?.kind === 'array') return true
  const parts = message.get('parts')
  if (parts?.kind !== 'array' || (role !== 'user' && role !== 'assistant' && role !== 'system')) return false
  for (const part of parts.items()) if (UI_PART.test(part.get('type')?.string() ?? '')) return true
  return false
}

/** Operations that a call and its result are named in, each by itself. */
const OF_PARTS = new Set<Operation['do']>(['rename-id', 'rename-tool', 'remove-block'])

/** Edits messages of which one stands for several: a call and its result are one part, the steps of a turn one message. */
class UiEditor extends ListEditor {
  override apply(operations: readonly Operation[]): boolean {
    // What is done to a call is done to its result: they are one part.
    const parts = new Set<string>()
    return super.apply(
      operations.filter((operation) => {
        if (!OF_PARTS.has(operation.do) || !('block' in operation)) return true
        const { entry, tail } = operation.block
        const key = JSON.stringify([operation.do, entry.record, entry.path, tail])
        return parts.size < parts.add(key).size
      }),
    )
  }

  protected override plan(operation: Operation): boolean {
    switch (operation.do) {
      case 'answer':
        return answered(operation.call, operation.text).every((change) => this.change(operation.call.entry, change))
      case 'rename-tool': {
        const { block, name } = operation
        // A tool that is known beforehand is named in the type of its parts.
        const change = this.view(block)?.get('toolName')
          ? { key: 'toolName', value: name }
          : { key: 'type', value: `tool-${name}` }
        return this.change(block.entry, { op: 'set', path: [...block.tail, change.key], value: change.value })
      }
      case 'move-result':
        return false
      case 'fold':
        // The oldest form has no list to which parts could be added.
        return (
          operation.from.entries[0] !== operation.into.entries[0] &&
          [operation.from, operation.into].every(({ entries }) => entries.every((entry) => this.#hasParts(entry))) &&
          super.plan(operation)
        )
      case 'remove-message':
        return this.#isWhole(operation.message)
          ? super.plan(operation)
          : operation.message.blocks.every((block) => this.remove(block))
      default:
        return super.plan(operation)
    }
  }

  protected override remove(block: Block): boolean {
    return this.change(block.entry, { op: 'remove', path: block.tail.slice(0, 2) })
  }

  protected override goesWithMessage(key: string): boolean {
    return key === 'id' || key === 'metadata' || key === 'createdAt'
  }

  #hasParts(entry: Entry): boolean {
    const message = this.message(entry)
    return message !== undefined && hasParts(message)
  }

  /** Whether a message is all that its stored message holds. */
  #isWhole({ blocks, entries }: Message): boolean {
    return entries.every((entry) => entry.blocks.every((block) => blocks.includes(block)))
  }
}
