import type { MediaBlock } from '../../model/media.ts'
import { type Match, rule } from '../rule.ts'
import { imagesOf } from './media.ts'
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
  summary: 'An image is declared as another type than its bytes are',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: 'Image does not match the provided media type image/png' },
    {
      target: 'anthropic',
      text: 'The image was specified using the image/png media type, but the image appears to be a image/jpeg image',
    },
    { target: 'anthropic', text: 'source.base64.media_type: Field required' },
  ],
  docs: {
    finds:
      'An image whose first bytes are those of another type than the declared one: a JPEG that was saved as `.png`, `image/jpg` for `image/jpeg`; and one that is declared as nothing.',
    why: 'Clients take the type from the name of the file. The provider looks at the bytes and refuses the request, and every later one with the same image.',
    example:
      '[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"/9j/4AAQSkZJRgABAQEAYABgAAD/2Q=="}}]}]',
    repair: 'The declared type becomes that of the bytes; the bytes stay.',
    safety: 'Safe: nothing is taken out.',
    sources: ['anthropics/claude-code#17452', 'BerriAI/litellm#24900', 'home-assistant/core#167208'],
  },
  needs: ({ kinds }) => kinds.has('media'),
  *detect(conversation, { document, target }) {
    for (const { block, message } of imagesOf(conversation)) {
      const { format, state } = block.medium
      const declared = document.ids.text(block.name)
      if (state === 'outside' || !format.startsWith('image/') || declared === format) continue
      // Shapes that have no place for a type need none.
      if (declared === '' && !block.medium.type) continue
      // What is refused whatever it is called is told of there.
      if (target.imageTypes && !target.imageTypes.types.includes(format)) continue
      yield { at: block, message, block }
    }
  },
  words: ({ block }, { document }) =>
    `the image is declared as ${document.ids.text(block.name) || 'nothing'}, its bytes are ${block.medium.format}`,
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
