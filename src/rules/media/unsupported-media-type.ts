import { cleaned } from '../../model/base64.ts'
import { Flag } from '../../model/blocks.ts'
import type { Document } from '../../model/document.ts'
import type { MediaBlock } from '../../model/media.ts'
import { lookup } from '../../text/view.ts'
import { type Match, rule } from '../rule.ts'
import { allMediaOf, nounOf, replaceBy } from './media.ts'

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
  summary: 'An image, document or recording is of a type that the provider does not take',
  since: '0.1.0',
  errors: [
    {
      target: 'anthropic',
      text: "media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
    },
    {
      target: 'anthropic',
      aspect: 'document',
      text: "document.source.base64.media_type: Input should be 'application/pdf'",
    },
    { target: 'openai-chat', aspect: 'recording', text: "Supported values are: 'wav' and 'mp3'" },
    {
      target: 'openai-chat',
      aspect: 'document',
      text: 'Expected a base64-encoded data URL with an application/pdf MIME type',
    },
  ],
  docs: {
    finds:
      'An image whose bytes, or where those say nothing whose declared type, are none of those that the provider takes: SVG, BMP, TIFF, HEIC; for Gemini also GIF. A document in base64 whose type is none of those either: Anthropic takes PDF alone, other texts as text. A recording whose declared format is none of those: OpenAI takes wav and mp3.',
    why: 'The provider refuses the request, and every later one with the same image.',
    example:
      '[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/bmp","data":"Qk1GAAAAAAAAADYAAAAoAAAAAQAAAAEAAAABABgA"}}]}]',
    repair:
      'The image is replaced by the text `[Image removed to save context: …]`; what stands beside it stays. A document that is a text becomes one.',
    safety:
      'Safe: what is replaced is named in the report and kept in the backup; the words of a text stay. A picture is not converted: that takes a picture apart.',
    sources: [
      'https://platform.claude.com/docs/en/build-with-claude/vision#request-limits',
      'anthropics/claude-code#8184',
      'https://ai.google.dev/gemini-api/docs/image-understanding',
    ],
  },
  needs: ({ kinds }) => kinds.has('media'),
  *detect(conversation, { document, target }) {
    for (const { block, message } of allMediaOf(conversation)) {
      const { format, state } = block.medium
      if (state !== 'sound' && state !== 'unclean') continue
      const declared = document.ids.text(block.name).toLowerCase()
      if (block.is(Flag.recording)) {
        const types = target.soundTypes?.types
        if (types && !types.includes(declared))
          yield { at: block, message, block, type: declared, types, aspect: 'recording' }
        continue
      }
      const type = format || declared
      const isDocument = block.is(Flag.document)
      const types = (isDocument ? target.documentTypes : target.imageTypes)?.types
      if (!types || types.includes(type) || !(isDocument ? type !== '' : type.startsWith('image/'))) continue
      yield { at: block, message, block, type, types, aspect: isDocument ? 'document' : undefined }
    }
  },
  words: ({ block, type, types }) => `the ${nounOf(block)} is ${type}; taken are ${types.join(', ')}`,
  repair: ({ block, type }, { document }) => {
    const text = block.is(Flag.document) ? textOf(block, document) : undefined
    return text === undefined
      ? replaceBy([block], 'replace it by a text', () => type)
      : {
          title: 'write it as the text that it is',
          safety: 'safe',
          loses: ['media'],
          operations: [{ do: 'replace-block', block, text }],
        }
  },
})

/** The text that a document is, where it is one. */
function textOf({ entry, medium }: MediaBlock, document: Document): string | undefined {
  if (medium.format !== '') return undefined
  const record = document.records.view(entry.record)
  const stored = record && lookup(record, [...entry.path, ...medium.data])?.string()
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(cleaned(stored ?? ''), 'base64'))
    return text.trim() === '' || /[\0-\x08\x0e-\x1f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
