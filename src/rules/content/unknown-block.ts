import { type Block, deep } from '../../model/blocks.ts'
import { storedOf } from '../content.ts'
import { type Match, rule } from '../rule.ts'

/** Blocks of other providers' shapes, none of which Anthropic has; with a text that can be kept where `text` holds one. */
const FOREIGN = new Set([
  'image_url',
  'input_text',
  'output_text',
  'input_image',
  'input_audio',
  'input_file',
  'refusal',
  'tool_call',
  'toolCall',
  'tool-call',
  'tool-result',
  'function_call',
  'function_call_output',
  'reasoning',
])

interface Foreign extends Match {
  readonly block: Block
  readonly type: string
  /** What it says, where that can be kept. */
  readonly text: string | undefined
}

export const unknownBlock = rule<Foreign>({
  name: 'unknown-block',
  family: 'content',
  phase: 'shape',
  scope: 'conversation',
  severity: 'info',
  summary: 'A block is of the shape of another provider',
  since: '0.1.0',
  errors: [
    {
      target: 'anthropic',
      text: "Input tag 'image_url' found using 'type' does not match any of the expected tags",
    },
    { target: 'deepseek', text: 'unknown variant, expected `text`' },
  ],
  docs: {
    finds:
      'Between blocks of Anthropic’s one that only another provider has, as `input_text` or `image_url`. A type that nobody knows may be one of a later version and is not accused.',
    why: 'A session was handed from one provider to another, and a part of it was not translated. The API refuses every request with it.',
    example:
      '[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://example.com/1.png"}},{"type":"image_url","image_url":{"url":"https://example.com/2.png"}}]}]',
    repair: 'A block that says something in `text` becomes a text; others are reported.',
    safety: 'Safe: the words stay.',
    sources: ['https://platform.claude.com/docs/en/api/messages/create'],
  },
  needs: ({ kinds }) => kinds.has('opaque'),
  *detect({ messages }, { document, target }) {
    if (document.dialect !== 'anthropic' || target.dialect !== 'anthropic') return
    for (const message of messages) {
      for (const block of deep(message.blocks)) {
        const type = block.kind === 'opaque' ? document.ids.text(block.name) : ''
        if (!FOREIGN.has(type)) continue
        yield { at: block, message, block, type, text: storedOf(document, block)?.get('text')?.string() }
      }
    }
  },
  words: ({ type }) => `the API has no block of type ${type}`,
  repair: ({ block, text }) =>
    text === undefined || text.trim() === ''
      ? undefined
      : { title: 'make a text of it', safety: 'safe', loses: [], operations: [{ do: 'replace-block', block, text }] },
})
