import { anthropic } from '../dialects/anthropic.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { openaiChat } from '../dialects/openai-chat.ts'
import { type Conversation, Entry } from '../model/document.ts'
import { type JsonView, lookup, type Path } from '../text/view.ts'
import type { Format } from './format.ts'
import { ListEditor } from './list-editor.ts'
import { isNamedRow } from './message-shapes.ts'

/** What OpenAI's batches answer: `{custom_id, response: {body: {choices}}, error}` a line, each choice an answer by itself. */
export const openaiBatchOutput = answers({
  name: 'openai-batch-output',
  title: 'OpenAI batch output',
  dialect: openaiChat,
  isRow: (row) => row.get('response') !== undefined && row.get('error') !== undefined,
  *places(row) {
    const choices: Path = ['response', 'body', 'choices']
    const { size } = lookup(row, choices) ?? { size: 0 }
    for (let index = 0; index < size; index++) yield [...choices, index, 'message']
  },
})

/** What Anthropic's batches answer: `{custom_id, result: {type, message | error}}` a line, in any order. */
export const anthropicBatchResults = answers({
  name: 'anthropic-batch-results',
  title: 'Anthropic batch results',
  dialect: anthropic,
  isRow: (row) => lookup(row, ['result', 'type'])?.kind === 'string',
  *places() {
    yield ['result', 'message']
  },
})

function answers(product: {
  readonly name: string
  readonly title: string
  readonly dialect: Dialect
  readonly isRow: (row: JsonView) => boolean
  readonly places: (row: JsonView) => Iterable<Path>
}): Format {
  const { dialect, places } = product
  const isRow = (row: JsonView): boolean => isNamedRow(row) && product.isRow(row)
  return {
    name: product.name,
    title: product.title,
    shape: 'lines',
    use: 'rows',
    folds: false,
    dialect,
    target: dialect.name,
    root: 'messages',
    detect: (sample) => sample.length > 0 && sample.every(isRow),
    read(view, record, ids) {
      const entries: Entry[] = []
      for (const path of places(view)) {
        const message = lookup(view, path)
        // A request that failed has no answer.
        if (message?.get('role')?.kind !== 'string') continue
        const entry = new Entry(record, path)
        entry.kind = 'message'
        entry.onPath = true
        dialect.read(message, entry, ids)
        entries.push(entry)
      }
      return entries
    },
    assemble(document) {
      const conversations = Array.from(
        document.entries(),
        (entry): Conversation => ({
          label: `line ${document.records.line(entry.record)}`,
          role: 'row',
          root: 'messages',
          messages: [entry],
          isAnswer: true,
        }),
      )
      return { conversations }
    },
    editor: (document) => new AnswerEditor(document, dialect),
  }
}

/** An answer is one message: no other one can stand beside it, and its line belongs to the request that it names. */
class AnswerEditor extends ListEditor {
  protected override insertMessage(): boolean {
    return false
  }

  protected override removeMessage(): boolean {
    return false
  }
}
