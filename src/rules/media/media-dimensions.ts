import type { MediaBlock } from '../../model/media.ts'
import type { Target } from '../../targets/target.ts'
import { type Match, rule } from '../rule.ts'
import { group, imagesOf, type Placed, replaceBy } from './media.ts'

interface TooWide extends Match {
  readonly block: MediaBlock
  readonly limit: number
  /** Images in the request, where their number makes the limit smaller. */
  readonly count: number | undefined
}

export const mediaDimensions = rule<TooWide>({
  name: 'media-dimensions',
  family: 'media',
  phase: 'budgets',
  scope: 'conversation',
  severity: 'info',
  summary: 'An image has more pixels than the provider takes',
  since: '0.1.0',
  errors: [
    {
      target: 'anthropic',
      text: 'At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
    },
    { target: 'anthropic', text: 'At least one of the image dimensions exceed max allowed size: 8000 pixels' },
  ],
  docs: {
    finds:
      'An image that is wider or higher than the provider takes: 8,000 pixels with Anthropic, and 2,000 in a request with more than 20 images, old ones and those inside tool results included.',
    why: 'A long session with screenshots passes twenty images, and from then on every one above 2,000 pixels makes every request fail.',
    example:
      '[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAZAAACMoAQAAAAAGf7LMAAAAAElFTkSuQmCC"}}]}]',
    repair:
      'Each image that is too large is replaced by the text `[Image removed to save context: … x … pixels]`; the small ones stay.',
    safety:
      'Safe: what is replaced is named in the report and kept in the backup. Nothing is scaled: that takes a picture apart.',
    sources: [
      'https://platform.claude.com/docs/en/build-with-claude/vision#request-limits',
      'anthropics/claude-code#34025',
      'anthropics/claude-code#49720',
    ],
  },
  needs: ({ kinds }) => kinds.has('media'),
  *detect(conversation, { target }) {
    const images = [...imagesOf(conversation)]
    const { limit, count } = limitFor(images, target)
    for (const { block, message } of images)
      if (limit !== undefined && sideOf(block) > limit) yield { at: block, message, block, limit, count }
  },
  words: ({ block, limit, count }) => {
    const { width, height } = block.medium
    const many = count === undefined ? '' : ` in a request with ${group(count)} images`
    return `the image has ${group(width)} x ${group(height)} pixels, at most ${group(limit)} a side are taken${many}`
  },
  repair: ({ block }) =>
    replaceBy([block], 'replace it by a text', ({ medium: { width, height } }) => `${width} x ${height} pixels`),
})

const sideOf = ({ medium }: MediaBlock): number => Math.max(medium.width, medium.height)

function limitFor(
  images: readonly Placed[],
  { imageSide, manyImages }: Target,
): { readonly limit: number | undefined; readonly count?: number } {
  return manyImages && images.length > manyImages.above
    ? { limit: manyImages.limit, count: images.length }
    : { limit: imageSide?.limit }
}
