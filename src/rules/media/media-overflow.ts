import { Flag } from '../../model/blocks.ts'
import type { MediaBlock } from '../../model/media.ts'
import { limitOf } from '../../targets/index.ts'
import type { Target } from '../../targets/target.ts'
import { type Match, rule } from '../rule.ts'
import { group, mediaOf, modelOf, type Placed, replaceBy, weightOf } from './media.ts'

interface Overflow extends Match {
  readonly count: number
  readonly limit: number
  /** What is counted. */
  readonly what: string
  /** The oldest ones, as many as are too many. */
  readonly oldest: readonly MediaBlock[]
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
      'A conversation with more images and documents, those inside tool results included, than the provider takes in one request. The limit depends on the model; for a model that is not known, and for none at all, the smallest one counts. A PDF counts as its pages where the provider counts them; where it counts images and documents apart, each kind has its own limit. The option maxMedia overrules it.',
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
  *detect(conversation, { document, target, options: { maxMedia } }) {
    const model = modelOf(document, conversation)
    const pages = limitOf(target.pdfPages, model) ?? Number.POSITIVE_INFINITY
    // A document that is too long by itself is another fault.
    const media = [...mediaOf(conversation)].filter(({ block }) => block.medium.pages <= pages)
    const ofKind = (isDocument: boolean): Placed[] =>
      media.filter(({ block }) => block.is(Flag.document) === isDocument)
    const together = 'images and documents'
    if (maxMedia !== undefined) {
      // A limit that somebody set is meant to be kept.
      for (const match of over(media, maxMedia, together, target)) yield { ...match, severity: 'error' }
      return
    }
    yield* over(media, limitOf(target.media, model), together, target)
    yield* over(ofKind(false), target.images?.limit, 'images', target)
    yield* over(ofKind(true), target.documents?.limit, 'documents', target)
  },
  words: ({ count, limit, what }) => `${group(count)} ${what}, at most ${group(limit)} are taken`,
  repair: ({ oldest }) =>
    replaceBy(oldest, `replace the ${oldest.length === 1 ? 'oldest' : `${oldest.length} oldest`} by a text`),
})

function* over(media: readonly Placed[], limit: number | undefined, what: string, target: Target): Generator<Overflow> {
  const count = media.reduce((sum, { block }) => sum + weightOf(block, target), 0)
  if (limit === undefined || count <= limit) return
  const oldest: MediaBlock[] = []
  let left = count
  for (const { block } of media) {
    if (left <= limit) break
    oldest.push(block)
    left -= weightOf(block, target)
  }
  yield { at: oldest[0]!, message: media[0]!.message, count, limit, what, oldest }
}
