import { Flag } from '../../model/blocks.ts'
import type { Document } from '../../model/document.ts'
import type { MediaBlock } from '../../model/media.ts'
import { lookup } from '../../text/view.ts'
import { type Match, rule } from '../rule.ts'
import { allMediaOf, group, nounOf, replaceBy } from './media.ts'

interface Undecodable extends Match {
  readonly block: MediaBlock
  /** What is wrong with it, behind `the image`. */
  readonly fault: string
}

export const undecodableMedia = rule<Undecodable>({
  name: 'undecodable-media',
  family: 'media',
  phase: 'media',
  scope: 'conversation',
  severity: 'info',
  summary: 'What stands in the place of an image or document is none',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: 'Could not process image' },
    { target: 'ollama', text: 'image: unknown format' },
    {
      target: 'openai-chat',
      aspect: 'recording',
      text: 'The audio file could not be decoded or its format is not supported.',
    },
    { target: 'anthropic', aspect: 'no-text', text: 'source.base64.data: Input should be a valid string' },
    { target: 'anthropic', aspect: 'document', text: 'The PDF specified was not valid.' },
  ],
  docs: {
    finds:
      'An image, document or recording that is no base64 at all (other output got into it; null or a number), is empty, or decodes to something that is no picture: an error page saved as `.png`, a picture that is cut within its head or says that it has no pixels; a document that is declared as a PDF and is none. A picture that begins as one is not accused; whether its end is there nobody looks.',
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
      'anthropics/claude-code#5174',
      'ollama/ollama#11320',
      'TutoriaLLM/TutoriaLLM#370',
    ],
  },
  needs: ({ kinds }) => kinds.has('media'),
  *detect(conversation, { document }) {
    for (const { block, message } of allMediaOf(conversation)) {
      const [fault, aspect] = faultOf(block, document)
      if (fault !== undefined) yield { at: block, message, block, fault, aspect }
    }
  },
  words: ({ block, fault }) => `the ${nounOf(block)} ${fault}`,
  repair: ({ block }) => replaceBy([block], 'replace it by a text', () => 'it cannot be decoded'),
})

function faultOf(block: MediaBlock, document: Document): [fault?: string, aspect?: string] {
  const { state, format, flaw, width, height } = block.medium
  if (state === 'outside') return []
  if (block.is(Flag.recording) && (state === 'empty' || state === 'broken'))
    return [state === 'empty' ? 'is empty' : 'is no base64', 'recording']
  if (state === 'none') return [`is ${storedKind(block, document)} where its base64 should be`, 'no-text']
  if (state === 'empty') return ['is empty']
  if (state === 'broken') return ['is no base64']
  // Sounds need no mark.
  if (block.is(Flag.recording)) return []
  if (block.is(Flag.document)) {
    const isPdf = document.ids.text(block.name).toLowerCase() === 'application/pdf'
    return isPdf && format !== 'application/pdf' ? ['is declared as a PDF and is none', 'document'] : []
  }
  if (!format.startsWith('image/')) return [`decodes to ${format || 'nothing that is a picture'}`]
  if (flaw === 'cut') return ['ends within its head: no picture has begun']
  return flaw === 'no-pixels' ? [`says that it has ${group(width)} x ${group(height)} pixels`] : []
}

function storedKind({ entry, medium }: MediaBlock, document: Document): string {
  const record = document.records.view(entry.record)
  const kind = record && lookup(record, [...entry.path, ...medium.data])?.kind
  return kind === 'null' ? 'null' : kind === 'array' ? 'a list' : `a ${kind}`
}
