import { cleaned } from '../../model/base64.ts'
import { Flag } from '../../model/blocks.ts'
import type { Document } from '../../model/document.ts'
import type { MediaBlock } from '../../model/media.ts'
import { lookup } from '../../text/view.ts'
import { type Match, rule } from '../rule.ts'
import { allMediaOf, nounOf } from './media.ts'
import { recode } from './recode.ts'

interface Unclean extends Match {
  readonly block: MediaBlock
}

export const invalidBase64 = rule<Unclean>({
  name: 'invalid-base64',
  family: 'media',
  phase: 'media',
  scope: 'conversation',
  severity: 'info',
  summary: 'The base64 of an image or document has a prefix, white space, another alphabet or no padding',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: 'source.base64.data: Invalid base64 data' },
    {
      target: 'openai-responses',
      text: 'Expected a base64-encoded data URL with an image MIME type, but got an invalid base64-encoded value',
    },
    { target: 'ollama', text: 'illegal base64 data at input byte 4' },
  ],
  docs: {
    finds:
      'Base64 that stands for something whole, but is not written as the provider wants it: with line breaks, behind the prefix of a data URL (or two of them), in the URL-safe alphabet, without its padding; a data URL that stands where a link to the web should.',
    why: 'The provider refuses the request, and every later one with the same image.',
    example:
      '[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAADElEQVR4nGNgGB4AAADIAAGtQHYiAAAAAElFTkSuQmCC"}}]}]',
    repair: 'The base64 is written as it should be; the bytes that it stands for stay.',
    safety: 'Safe: nothing is taken out.',
    sources: ['anthropics/claude-code#2519', 'openai/codex#10571', 'ollama/ollama-js#68', 'BerriAI/litellm#18338'],
  },
  needs: ({ kinds }) => kinds.has('media'),
  *detect(conversation, { document }) {
    for (const { block, message } of allMediaOf(conversation))
      if (isLink(block)) yield { at: block, message, block, aspect: 'link' }
      else if (block.medium.state === 'unclean') yield { at: block, message, block, aspect: aspectOf(block, document) }
  },
  words: ({ block }) =>
    isLink(block)
      ? `the ${nounOf(block)} is a data URL where a link to the web belongs`
      : 'the base64 is not written as the provider wants it',
  repair: ({ block }, { document }) => ({
    title: 'write it as plain base64',
    safety: 'safe',
    loses: [],
    operations: [recode(document, block, document.ids.text(block.name))],
  }),
})

/** Whether it is base64 that was stored as a link. Where a field is lacking, that is the fault. */
function isLink(block: MediaBlock): boolean {
  const { anew, state } = block.medium
  return anew !== undefined && !block.is(Flag.incomplete) && (state === 'sound' || state === 'unclean')
}

/** A recording, or what is not clean for its line breaks alone: decoders that read nothing else may pass over these. */
function aspectOf(block: MediaBlock, document: Document): string | undefined {
  if (block.is(Flag.recording)) return 'recording'
  const record = document.records.view(block.entry.record)
  const stored = record && lookup(record, [...block.entry.path, ...block.medium.data])?.string()
  return stored?.replace(/[\r\n]/g, '') === cleaned(stored ?? '') ? 'line-breaks' : undefined
}
