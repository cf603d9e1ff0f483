import { type Block, deep, Flag } from '../../model/blocks.ts'
import type { Document } from '../../model/document.ts'
import { MediaBlock } from '../../model/media.ts'
import { storedOf } from '../content.ts'
import { nounOf, replaceBy } from '../media/media.ts'
import { recode } from '../media/recode.ts'
import { type Match, rule } from '../rule.ts'

interface Lacking extends Match {
  readonly at: Block
}

export const missingField = rule<Lacking>({
  name: 'missing-field',
  family: 'content',
  phase: 'shape',
  scope: 'conversation',
  severity: 'error',
  summary: 'A field is missing that the provider demands',
  since: '0.1.0',
  errors: [
    { target: 'openai-responses', text: 'Missing required parameter' },
    { target: 'anthropic', aspect: 'media', text: 'image.source: Field required' },
  ],
  docs: {
    finds:
      'A reasoning item without `summary`, and a function call without `arguments` (Responses); an image or document without its `source`, or whose source lacks its `data` or `url` (Anthropic).',
    why: 'A client left out a field because it was empty, or took a block of another protocol over as it was. The API demands it all the same and refuses the request.',
    example:
      '[{"role":"user","content":[{"type":"input_text","text":"hi"}]},{"type":"reasoning","id":"rs_1","encrypted_content":"gAAA"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hello"}]}]',
    repair:
      'The field is written as what it stands for when it is left out: an empty list, or the arguments `{}`. The source of an image is made of `data` and `mimeType` where these stand beside it; without them a text takes its place.',
    safety: 'Safe: nothing is said that was not said before, and where a block goes there was nothing to see in it.',
    sources: ['newo-ether/Agora#141', 'npm openai 7.59.0, `responses.d.ts`'],
  },
  needs: ({ flags }) => (flags & Flag.incomplete) !== 0,
  *detect(conversation, { document, target }) {
    for (const message of conversation.messages) {
      for (const block of deep(message.blocks)) {
        if (!block.is(Flag.incomplete)) continue
        if (!(block instanceof MediaBlock)) yield { at: block, message }
        // In data sets the images stand in a column of their own.
        else if (target.verdicts['missing-field/media'] && document.use !== 'rows')
          yield { at: block, message, aspect: 'media' }
      }
    }
  },
  words: ({ at }, { document }) => {
    if (at instanceof MediaBlock) return `the ${nounOf(at)} has no ${lackedBy(at, document)}`
    return at.kind === 'thinking' ? 'the reasoning has no summary' : 'the call has no arguments'
  },
  repair: ({ at }, { document }) => {
    if (at instanceof MediaBlock) {
      const { anew, format } = at.medium
      if (!anew) return replaceBy([at], 'replace it by a text', () => `it has no ${lackedBy(at, document)}`)
      const type = format || document.ids.text(at.name)
      return { title: 'write its source', safety: 'safe', loses: [], operations: [recode(document, at, type)] }
    }
    if (at.kind === 'tool-call') {
      return {
        title: 'write empty arguments',
        safety: 'safe',
        loses: [],
        operations: [{ do: 'set-input', block: at, value: '{}' }],
      }
    }
    const changes = [{ op: 'set', path: ['summary'], value: [] }] as const
    return {
      title: 'write an empty summary',
      safety: 'safe',
      loses: [],
      operations: [{ do: 'change-entry', entry: at.entry, changes }],
    }
  },
})

/** The field of an image or document that is not there. */
function lackedBy(block: MediaBlock, document: Document): string {
  const source = storedOf(document, block)?.get('source')
  if (source?.kind !== 'object') return 'source'
  return source.get('type')?.string() === 'url' ? 'url' : 'data'
}
