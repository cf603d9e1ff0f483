import { type Block, Flag } from '../../model/blocks.ts'
import type { Message } from '../../model/document.ts'
import { mediaLimit } from '../../targets/index.ts'
import { type Match, rule } from '../rule.ts'

interface Overflow extends Match {
  readonly count: number
  readonly limit: number
  /** The oldest ones, as many as are too many. */
  readonly oldest: readonly Block[]
}

export const mediaOverflow = rule<Overflow>({
  name: 'media-overflow',
  family: 'media',
  phase: 'budgets',
  scope: 'conversation',
  severity: 'error',
  summary: 'More images and documents than one request may hold',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: 'Too much media: 0 document pages + 102 images > 100' },
    { target: 'anthropic', text: 'too many images and documents: 104 + 1 > 100' },
  ],
  docs: {
    finds:
      'A conversation with more images and documents, those inside tool results included, than the provider takes in one request. The limit depends on the model; for a model that is not known, and for none at all, the smallest one counts. The option maxMedia overrules it.',
    why: 'A session with screenshots grows over the limit without notice, and then every further request is refused.',
    example:
      '[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://example.com/1.png"}},{"type":"image","source":{"type":"url","url":"https://example.com/2.png"}}]}]',
    repair:
      'The oldest are replaced by the text `[Image removed to save context]` or `[Document removed to save context]` until the rest fits; the newest stay.',
    safety: 'Safe: what is replaced is named in the report and kept in the backup.',
    sources: [
      'https://platform.claude.com/docs/en/build-with-claude/vision#request-limits',
      'anthropics/claude-code#3397',
      'anthropics/claude-code#19822',
    ],
  },
  needs: ({ kinds }) => kinds.has('media'),
  *detect(conversation, { document, target, options }) {
    const limit = options.maxMedia ?? mediaLimit(target, document.model ?? conversation.model)
    if (limit === undefined) return
    const media: Block[] = []
    let first: Message | undefined
    for (const message of conversation.messages) {
      for (const block of message.blocks) {
        if (block.kind === 'media') media.push(block)
        else for (const inner of block.content) if (inner.kind === 'media') media.push(inner)
      }
      if (media.length > 0) first ??= message
    }
    if (media.length <= limit) return
    const oldest = media.slice(0, media.length - limit)
    const match = { at: oldest[0]!, message: first, count: media.length, limit, oldest }
    // A limit that somebody set is meant to be kept.
    yield options.maxMedia === undefined ? match : { ...match, severity: 'error' }
  },
  words: ({ count, limit }) => `${count} images and documents, at most ${limit} are taken`,
  repair: ({ oldest }) => ({
    title: `replace the ${oldest.length === 1 ? 'oldest' : `${oldest.length} oldest`} by a text`,
    safety: 'safe',
    loses: ['media'],
    operations: oldest.map((block) => ({
      do: 'replace-block',
      block,
      text: `[${block.is(Flag.document) ? 'Document' : 'Image'} removed to save context]`,
    })),
  }),
})
