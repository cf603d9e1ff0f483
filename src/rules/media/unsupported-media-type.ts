import type { MediaBlock } from '../../model/media.ts'
import { type Match, rule } from '../rule.ts'
import { imagesOf, replaceBy } from './media.ts'

interface Unsupported extends Match {
  readonly block: MediaBlock
  readonly type: string
  readonly types: readonly string[]
}

export const unsupportedMediaType = rule<Unsupported>({
  name: 'unsupported-media-type',
  family: 'media',
  phase: 'media',
  scope: 'conversation',
  severity: 'info',
  summary: 'An image is of a type that the provider does not take',
  since: '0.1.0',
  errors: [
    {
      target: 'anthropic',
      text: "media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
    },
  ],
  docs: {
    finds:
      'An image whose bytes, or where those say nothing whose declared type, are none of those that the provider takes: SVG, BMP, TIFF, HEIC; for Gemini also GIF.',
    why: 'The provider refuses the request, and every later one with the same image.',
    example:
      '[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/bmp","data":"Qk1GAAAAAAAAADYAAAAoAAAAAQAAAAEAAAABABgA"}}]}]',
    repair: 'The image is replaced by the text `[Image removed to save context: …]`; what stands beside it stays.',
    safety:
      'Safe: what is replaced is named in the report and kept in the backup. It is not converted: that takes a picture apart.',
    sources: [
      'https://platform.claude.com/docs/en/build-with-claude/vision#request-limits',
      'anthropics/claude-code#8184',
      'https://ai.google.dev/gemini-api/docs/image-understanding',
    ],
  },
  needs: ({ kinds }) => kinds.has('media'),
  *detect(conversation, { document, target }) {
    const types = target.imageTypes?.types
    if (!types) return
    for (const { block, message } of imagesOf(conversation)) {
      const { format, state } = block.medium
      if (state === 'outside' || state === 'broken') continue
      const type = format || document.ids.text(block.name)
      if (type.startsWith('image/') && !types.includes(type)) yield { at: block, message, block, type, types }
    }
  },
  words: ({ type, types }) => `the image is ${type}; taken are ${types.join(', ')}`,
  repair: ({ block, type }) => replaceBy([block], 'replace it by a text', () => type),
})
