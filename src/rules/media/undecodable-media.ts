import { Flag } from '../../model/blocks.ts'
import type { MediaBlock } from '../../model/media.ts'
import { type Match, rule } from '../rule.ts'
import { mediaOf, replaceBy } from './media.ts'

interface Undecodable extends Match {
  readonly block: MediaBlock
}

export const undecodableMedia = rule<Undecodable>({
  name: 'undecodable-media',
  family: 'media',
  phase: 'media',
  scope: 'conversation',
  severity: 'info',
  summary: 'What stands in the place of an image is none',
  since: '0.1.0',
  errors: [{ target: 'anthropic', text: 'Could not process image' }],
  docs: {
    finds:
      'An image or document that is no base64 at all (other output got into it), is empty, or decodes to something that is no picture: an error page saved as `.png`. A picture that begins as one is not accused; whether its end is there nobody looks.',
    why: 'The provider cannot read it and refuses the request, and every later one with it.',
    example:
      '[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"PGh0bWw+PGJvZHk+Tm90IGZvdW5kPC9ib2R5PjwvaHRtbD4="}}]}]',
    repair:
      'It is replaced by the text `[Image removed to save context: it cannot be decoded]`; what stands beside it stays.',
    safety: 'Safe: nothing could read it; it is named in the report and kept in the backup. Base64 is never cut.',
    sources: [
      'anthropics/claude-code#53228',
      'anthropics/claude-code#1747',
      'anthropics/claude-code#22351',
      'openai/codex#24582',
    ],
  },
  needs: ({ kinds }) => kinds.has('media'),
  *detect(conversation) {
    for (const { block, message } of mediaOf(conversation)) {
      const { state, format } = block.medium
      const isNothing = state !== 'outside' && format === '' && !block.is(Flag.document)
      if (state === 'broken' || isNothing) yield { at: block, message, block }
    }
  },
  words: ({ block }) => {
    const what = block.is(Flag.document) ? 'document' : 'image'
    return block.medium.state === 'broken'
      ? `the ${what} is no base64`
      : `the ${what} decodes to nothing that is a picture`
  },
  repair: ({ block }) => replaceBy([block], 'replace it by a text', () => 'it cannot be decoded'),
})
