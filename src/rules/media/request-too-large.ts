import { deep } from '../../model/blocks.ts'
import type { Message } from '../../model/document.ts'
import { MediaBlock } from '../../model/media.ts'
import { type Match, rule } from '../rule.ts'
import { group, replaceBy } from './media.ts'

interface TooLarge extends Match {
  readonly bytes: number
  readonly limit: number
  /** The oldest media, as many as are too much; undefined where taking out all of them would not be enough. */
  readonly oldest: readonly MediaBlock[] | undefined
}

export const requestTooLarge = rule<TooLarge>({
  name: 'request-too-large',
  family: 'media',
  phase: 'budgets',
  scope: 'conversation',
  severity: 'info',
  summary: 'The conversation has more bytes than one request may have',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: 'request_too_large: Request exceeds the maximum size' },
    { target: 'anthropic', text: 'request_too_large' },
  ],
  docs: {
    finds:
      'A conversation whose texts, images and documents alone are longer than the longest request that the provider takes. What is around them is not counted, so that nothing is accused that would pass.',
    why: 'Each document was fine when it was added; together they are too much, and every further request is refused before anybody reads it (413).',
    example: 'Three PDFs of 12 MB each for a provider that takes 32 MB.',
    repair:
      'The oldest images and documents are replaced by a text until the rest fits. Texts are never cut: where they alone are too much, it is only reported.',
    safety: 'Safe: what is replaced is named in the report and kept in the backup.',
    sources: [
      'https://platform.claude.com/docs/en/api/overview#request-size-limits',
      'anthropics/claude-code#17510',
      'anthropics/claude-code#8092',
    ],
  },
  needs: ({ kinds }) => kinds.has('media') || kinds.has('text') || kinds.has('tool-result'),
  *detect({ messages }, { target }) {
    const limit = target.requestSize?.limit
    if (limit === undefined) return
    let bytes = 0
    let crossing: { readonly message: Message } | undefined
    const media: MediaBlock[] = []
    for (const message of messages) {
      for (const block of deep(message.blocks)) {
        // The size of a result with parts is that of its parts.
        if (block.content.length === 0) bytes += block.size
        if (block instanceof MediaBlock) media.push(block)
      }
      if (bytes > limit) crossing ??= { message }
    }
    if (!crossing) return
    const { message } = crossing
    yield { at: message, message, bytes, limit, oldest: oldestOf(media, bytes - limit) }
  },
  words: ({ bytes, limit }) => `the conversation has ${group(bytes)} bytes, at most ${group(limit)} are taken`,
  repair: ({ oldest }) =>
    oldest && replaceBy(oldest, `replace the ${oldest.length === 1 ? 'oldest' : `${oldest.length} oldest`} by a text`),
})

function oldestOf(media: readonly MediaBlock[], excess: number): MediaBlock[] | undefined {
  const oldest: MediaBlock[] = []
  let left = excess
  for (const block of media) {
    if (left <= 0) break
    oldest.push(block)
    left -= block.size
  }
  return left <= 0 ? oldest : undefined
}
