import type { Block } from '../../model/blocks.ts'
import { type Json, type JsonView, type Path, Verbatim } from '../../text/view.ts'
import { storedOf } from '../content.ts'
import { type Match, rule } from '../rule.ts'

interface Trailing extends Match {
  readonly block: Block
  readonly text: JsonView
  /** Where the text stands, from the stored message on. */
  readonly path: Path
}

/** Characters at the end of a text that are looked at. */
const TAIL = 16

export const trailingWhitespace = rule<Trailing>({
  name: 'trailing-whitespace',
  family: 'content',
  phase: 'layout',
  scope: 'conversation',
  severity: 'info',
  summary: 'The answer that the model is to go on with ends with white space',
  since: '0.1.0',
  errors: [{ target: 'anthropic', text: 'messages: final assistant content cannot end with trailing whitespace' }],
  docs: {
    finds:
      'In a request: a last message of the assistant whose text ends with white space, for a model that goes on from it. Arrays and sessions are sent with a next prompt behind it and are not judged.',
    why: 'The provider refuses to go on from such a text.',
    example:
      '{"model":"claude-sonnet-4-5","max_tokens":100,"messages":[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://example.com/1.png"}}]},{"role":"assistant","content":"Three birds: "}]}',
    repair: 'The white space at the end is cut.',
    safety: 'Safe: nothing that is read goes.',
    sources: ['antinomyhq/forge#1872', 'sst/opencode#1295', 'langchain-ai/langchain-aws#599'],
  },
  *detect(conversation, { document, target }) {
    const last = conversation.messages.at(-1)
    const block = last?.blocks.at(-1)
    if (!conversation.isRequest || conversation.isAnswer || last?.role !== 'assistant' || block?.kind !== 'text') return
    // A model that takes no such message at all is another fault.
    const model = document.model ?? conversation.model ?? ''
    if (target.refusesPrefill?.model.test(model) || document.dialect !== target.dialect) return
    const stored = storedOf(document, block)
    const view = stored?.kind === 'string' ? stored : stored?.get('text')
    if (!view || !/\S\s+$/.test(view.peek(-TAIL) ?? '')) return
    const path = stored?.kind === 'string' ? block.tail : [...block.tail, 'text']
    yield { at: block, message: last, block, path, text: view }
  },
  words: () => 'the last message of the assistant ends with white space',
  repair: ({ block, path, text }) => ({
    title: 'cut the white space at the end',
    safety: 'safe',
    loses: [],
    operations: [{ do: 'change-entry', entry: block.entry, changes: [{ op: 'set', path, value: trimmed(text) }] }],
  }),
})

/** What stays is spelt as it was. */
function trimmed(view: JsonView): Json {
  const spelt = view.verbatim().text
  if (!spelt) return view.string()?.trimEnd() ?? ''
  const units = `${Buffer.from(spelt)}`.slice(1, -1).match(/\\u[\da-f]{4}|\\.|[^\\]/gi) ?? []
  const last = units.findLastIndex((unit) => (JSON.parse(`"${unit}"`) as string).trim() !== '')
  return Verbatim.ofText(Buffer.from(`"${units.slice(0, last + 1).join('')}"`))
}
