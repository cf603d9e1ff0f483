import type { MediaBlock } from '../../model/media.ts'
import { type Match, rule } from '../rule.ts'
import { mediaOf } from './media.ts'
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
  errors: [{ target: 'anthropic', text: 'source.base64.data: Invalid base64 data' }],
  docs: {
    finds:
      'Base64 that stands for something whole, but is not written as the provider wants it: with line breaks, behind the prefix of a data URL, in the URL-safe alphabet, without its padding.',
    why: 'The provider refuses the request, and every later one with the same image.',
    example:
      '[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAADElEQVR4nGNgGB4AAADIAAGtQHYiAAAAAElFTkSuQmCC"}}]}]',
    repair: 'The base64 is written as it should be; the bytes that it stands for stay.',
    safety: 'Safe: nothing is taken out.',
    sources: ['anthropics/claude-code#2519', 'openai/codex#10571'],
  },
  needs: ({ kinds }) => kinds.has('media'),
  *detect(conversation) {
    for (const { block, message } of mediaOf(conversation))
      if (block.medium.state === 'unclean') yield { at: block, message, block }
  },
  words: () => 'the base64 is not written as the provider wants it',
  repair: ({ block }, { document }) => ({
    title: 'write it as plain base64',
    safety: 'safe',
    loses: [],
    operations: [recode(document, block, document.ids.text(block.name))],
  }),
})
