import { Flag } from '../../model/blocks.ts'
import type { Document } from '../../model/document.ts'
import type { MediaBlock } from '../../model/media.ts'
import type { Target } from '../../targets/target.ts'
import { type Match, rule } from '../rule.ts'
import { group, mediaOf, replaceBy } from './media.ts'

interface TooLarge extends Match {
  readonly block: MediaBlock
  readonly limit: number
}

export const mediaTooLarge = rule<TooLarge>({
  name: 'media-too-large',
  family: 'media',
  phase: 'media',
  scope: 'conversation',
  severity: 'error',
  summary: 'An image or document is larger than the provider or the client takes',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: 'image exceeds 5 MB maximum: 7414068 bytes > 5242880 bytes' },
    { target: 'anthropic', text: 'image exceeds 10 MB maximum' },
  ],
  docs: {
    finds:
      'An image, also inside a tool result, whose base64 text is longer than the limit of the provider or, where that is smaller, of the client that resumes the session. It is the text that counts, not the picture that it stands for. A document likewise, where the provider limits each of them.',
    why: 'The image is sent with every further request, and every one of them is refused; Claude Code itself refuses to send it.',
    example:
      '{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"…"}}]}',
    repair:
      'It is replaced by the text `[Image removed to save context: … characters of base64]`; what stands beside it stays.',
    safety: 'Safe: what is replaced is named in the report and kept in the backup.',
    sources: [
      'https://platform.claude.com/docs/en/build-with-claude/vision#request-limits',
      'anthropics/claude-code#2104',
      'anthropics/claude-code#8202',
      'anthropics/claude-code#10138',
      'measured with Claude Code 2.1.332',
    ],
  },
  needs: ({ kinds }) => kinds.has('media'),
  *detect(conversation, { document, target }) {
    const images = limitOf(document, target)
    const documents = target.documentSize?.limit
    for (const { block, message } of mediaOf(conversation)) {
      const limit = block.is(Flag.document) ? documents : images
      if (limit !== undefined && block.size > limit) yield { at: block, message, block, limit }
    }
  },
  words: ({ block, limit }) =>
    `the ${block.is(Flag.document) ? 'document' : 'image'} has ${group(block.size)} characters of base64, at most ${group(limit)} are taken`,
  repair: ({ block }) =>
    replaceBy([block], 'replace it by a text', ({ size }) => `${group(size)} characters of base64`),
})

/** For images the smaller one of the provider's limit and the client's own. */
function limitOf({ imageSizes }: Document, target: Target): number | undefined {
  const limits = [target.imageSize?.limit, imageSizes?.[target.name]].filter((limit) => limit !== undefined)
  return limits.length === 0 ? undefined : Math.min(...limits)
}
