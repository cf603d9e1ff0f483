import { type Block, Flag } from '../../model/blocks.ts'
import { type Match, rule } from '../rule.ts'
import { idsOf, idWords } from '../words.ts'

interface ErrorWithMedia extends Match {
  readonly result: Block
}

export const errorResultWithMedia = rule<ErrorWithMedia>({
  name: 'error-result-with-media',
  family: 'content',
  phase: 'shape',
  scope: 'conversation',
  severity: 'info',
  summary: 'A tool result that is marked as an error holds an image',
  since: '0.1.0',
  errors: [{ target: 'anthropic', text: 'all content must be type `text` if `is_error` is true' }],
  docs: {
    finds: 'A tool result with `is_error: true` in which an image or a document stands.',
    why: 'The API takes only texts in a result that is an error, and refuses the request.',
    example:
      '[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Look","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","is_error":true,"content":[{"type":"image","source":{"type":"url","url":"https://example.com/1.png"}}]}]}]',
    repair: 'The mark goes; what the result says stays, its images included.',
    safety: 'Safe: the words of the result still tell what went wrong.',
    sources: ['one public project that quotes the error, 2026'],
  },
  needs: ({ flags, kinds }) => (flags & Flag.error) !== 0 && kinds.has('media'),
  *detect({ messages }, { document, target }) {
    if (target.dialect !== 'anthropic') return
    for (const message of messages) {
      for (const block of message.blocks) {
        if (block.kind !== 'tool-result' || !block.is(Flag.error)) continue
        if (block.content.some(({ kind }) => kind === 'media'))
          yield { at: block, message, result: block, ids: idsOf(document, block) }
      }
    }
  },
  words: ({ result }, { document }) => `result ${idWords(document.ids.text(result.id))} is an error and holds an image`,
  repair: ({ result }, { document }) =>
    document.dialect === 'anthropic'
      ? {
          title: 'take the mark of an error away',
          safety: 'safe',
          loses: [],
          operations: [
            {
              do: 'change-entry',
              entry: result.entry,
              changes: [{ op: 'remove', path: [...result.tail, 'is_error'] }],
            },
          ],
        }
      : undefined,
})
