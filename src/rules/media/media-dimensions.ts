import type { MediaBlock } from '../../model/media.ts'
import type { Target } from '../../targets/target.ts'
import { type Match, rule } from '../rule.ts'
import { group, imagesOf, mediaOf, type Placed, replaceBy } from './media.ts'

interface Unfit extends Match {
  readonly block: MediaBlock
  /** What is wrong: how long a side is, how short, or how much longer than the other one. */
  readonly by: 'long' | 'short' | 'ratio'
  readonly limit: number
  /** How many there are in the request, where only that makes the limit so small. */
  readonly among: string | undefined
  /** What has to go so that this one is taken. */
  readonly gone: readonly MediaBlock[]
}

export const mediaDimensions = rule<Unfit>({
  name: 'media-dimensions',
  family: 'media',
  phase: 'budgets',
  scope: 'conversation',
  severity: 'info',
  summary: 'An image has more pixels than the provider takes, or too few',
  since: '0.1.0',
  errors: [
    {
      target: 'anthropic',
      text: 'At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
    },
    { target: 'anthropic', text: 'At least one of the image dimensions exceed max allowed size: 8000 pixels' },
    { target: 'qwen', text: 'The image length and width do not meet the model restrictions.' },
  ],
  docs: {
    finds:
      'An image that is wider or higher than the provider takes: 8,000 pixels with Anthropic, and 2,000 in a request with more than 20 images, old ones and those inside tool results included. With Qwen also one with a side of at most 10 pixels, or whose longer side is more than 200 times the shorter one.',
    why: 'A long session with screenshots passes twenty images, and from then on every one above 2,000 pixels makes every request fail.',
    example:
      '[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAZAAACMoAQAAAAAGf7LMAAAAAElFTkSuQmCC"}}]}]',
    repair:
      'An image that is too large or too small for any request is replaced by the text `[Image removed to save context: … x … pixels]`. Of those that are too large only because there are so many, the oldest go, until none is left or the rest are few enough; the small ones stay.',
    safety:
      'Safe: what is replaced is named in the report and kept in the backup. Nothing is scaled: that takes a picture apart.',
    sources: [
      'https://platform.claude.com/docs/en/build-with-claude/vision#request-limits',
      'anthropics/claude-code#34025',
      'anthropics/claude-code#49720',
      'QwenLM/qwen-code#2505',
    ],
  },
  needs: ({ kinds }) => kinds.has('media'),
  *detect(conversation, { target }) {
    const { imageSide, manyImages } = target
    const images = [...imagesOf(conversation)].filter(({ block }) => !block.medium.flaw)
    yield* misshapen(images, target)
    const most = imageSide?.limit ?? Number.POSITIVE_INFINITY
    const isTooWide = ({ block }: { readonly block: MediaBlock }): boolean => sideOf(block) > most
    const count = manyImages?.countsDocuments ? [...mediaOf(conversation)].length : images.length
    if (!manyImages || count <= manyImages.above) {
      for (const { block, message } of images.filter(isTooWide))
        yield { at: block, message, block, by: 'long', limit: most, among: undefined, gone: [block] }
      return
    }
    const wide = images.filter(({ block }) => sideOf(block) > manyImages.limit)
    const others = wide.filter((image) => !isTooWide(image)).map(({ block }) => block)
    // Fewer images lift the limit: no more have to go than there are too many.
    const excess = Math.max(0, count - manyImages.above - (wide.length - others.length))
    const among = `${group(count)} images${manyImages.countsDocuments ? ' and documents' : ''}`
    for (const image of wide) {
      const { block, message } = image
      if (isTooWide(image))
        yield { at: block, message, block, by: 'long', limit: most, among: undefined, gone: [block] }
      else
        yield { at: block, message, block, by: 'long', limit: manyImages.limit, among, gone: others.slice(0, excess) }
    }
  },
  words: ({ block, by, limit, among }) => {
    const { width, height } = block.medium
    const has = `the image has ${group(width)} x ${group(height)} pixels`
    if (by === 'short') return `${has}, each side needs more than ${group(limit)}`
    if (by === 'ratio') return `${has}, the longer side may be at most ${group(limit)} times the shorter one`
    const many = among === undefined ? '' : ` in a request with ${among}`
    return `${has}, at most ${group(limit)} a side are taken${many}`
  },
  repair: ({ block, gone }) => {
    if (gone.length === 0) return undefined
    const it = gone.length > 1 ? `the ${gone.length} oldest` : gone[0] === block ? 'it' : 'the oldest'
    return replaceBy(gone, `replace ${it} by a text`, ({ medium: { width, height } }) => `${width} x ${height} pixels`)
  },
})

/** Images that the provider refuses because they are too small or too long; where the head does not say how large one is, it is left in peace. */
function* misshapen(images: readonly Placed[], { imageSideAbove, imageRatio }: Target): Generator<Unfit> {
  for (const { block, message } of images) {
    const { width, height } = block.medium
    const [short, long] = [Math.min(width, height), Math.max(width, height)]
    const unfit = { at: block, message, block, among: undefined, gone: [block] }
    if (short === 0) continue
    if (imageSideAbove && short <= imageSideAbove.limit) yield { ...unfit, by: 'short', limit: imageSideAbove.limit }
    else if (imageRatio && long > short * imageRatio.limit) yield { ...unfit, by: 'ratio', limit: imageRatio.limit }
  }
}

const sideOf = ({ medium }: MediaBlock): number => Math.max(medium.width, medium.height)
