import { Flag } from '../../model/blocks.ts'
import type { MediaBlock } from '../../model/media.ts'
import { type Match, rule } from '../rule.ts'
import { mediaOf, nounOf } from './media.ts'
import { recode } from './recode.ts'

interface Mismatch extends Match {
  readonly block: MediaBlock
}

export const mediaTypeMismatch = rule<Mismatch>({
  name: 'media-type-mismatch',
  family: 'media',
  phase: 'media',
  scope: 'conversation',
  severity: 'info',
  summary: 'An image or document is declared as another type than its bytes are',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: 'Image does not match the provided media type image/png' },
    {
      target: 'anthropic',
      text: 'The image was specified using the image/png media type, but the image appears to be a image/jpeg image',
    },
    { target: 'anthropic', text: 'source.base64.media_type: Field required' },
    {
      target: 'anthropic',
      aspect: 'case',
      text: "media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
    },
    {
      target: 'anthropic',
      aspect: 'document',
      text: "document.source.base64.media_type: Input should be 'application/pdf'",
    },
  ],
  docs: {
    finds:
      'An image whose first bytes are those of another type than the declared one: a JPEG that was saved as `.png`, `image/jpg` for `image/jpeg`; one that is declared as nothing; and, where the provider compares letter by letter, `IMAGE/PNG`. A PDF that is declared as something else likewise.',
    why: 'Clients take the type from the name of the file. The provider looks at the bytes and refuses the request, and every later one with the same image.',
    example:
      '[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"/9j/4AAQSkZJRgABAQEAYABgAAD/wAALCAAQABABAREA/9k="}}]}]',
    repair: 'The declared type becomes that of the bytes; the bytes stay.',
    safety: 'Safe: nothing is taken out.',
    sources: ['anthropics/claude-code#17452', 'BerriAI/litellm#24900', 'home-assistant/core#167208'],
  },
  needs: ({ kinds }) => kinds.has('media'),
  *detect(conversation, { document, target }) {
    for (const { block, message } of mediaOf(conversation)) {
      const { format, flaw } = block.medium
      const declared = document.ids.text(block.name)
      if (declared === format || flaw) continue
      const isDocument = block.is(Flag.document)
      const taken = isDocument ? target.documentTypes : target.imageTypes
      if (isDocument ? !taken?.types.includes(format) : !format.startsWith('image/')) continue
      // The case of a media type matters only to who compares it letter by letter.
      const isCase = declared.toLowerCase() === format
      if (isCase && !taken?.isVerbatim) continue
      // Shapes that have no place for a type need none.
      if (declared === '' && !block.medium.type) continue
      // What is refused whatever it is called is told of there.
      if (taken && !taken.types.includes(format)) continue
      yield { at: block, message, block, aspect: isDocument ? 'document' : isCase ? 'case' : undefined }
    }
  },
  words: ({ block }, { document }) => {
    const declared = document.ids.text(block.name) || 'nothing'
    const { format } = block.medium
    return declared.toLowerCase() === format
      ? `the type of the ${nounOf(block)} is written ${declared}, taken is ${format}`
      : `the ${nounOf(block)} is declared as ${declared}, its bytes are ${format}`
  },
  repair: ({ block }, { document }) => {
    const { type, isUrl, format } = block.medium
    if (!type && !isUrl) return undefined
    return {
      title: `declare it as ${format}`,
      safety: 'safe',
      loses: [],
      operations: [recode(document, block, format)],
    }
  },
})
