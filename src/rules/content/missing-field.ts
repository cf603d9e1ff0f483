import { type Block, Flag } from '../../model/blocks.ts'
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
  errors: [{ target: 'openai-responses', text: 'Missing required parameter' }],
  docs: {
    finds: 'A reasoning item without `summary`, and a function call without `arguments` (Responses).',
    why: 'A client left out a field because it was empty. The API demands it all the same and refuses the request.',
    example:
      '[{"role":"user","content":[{"type":"input_text","text":"hi"}]},{"type":"reasoning","id":"rs_1","encrypted_content":"gAAA"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hello"}]}]',
    repair: 'The field is written as what it stands for when it is left out: an empty list, or the arguments `{}`.',
    safety: 'Safe: nothing is taken out, and nothing is said that was not said before.',
    sources: ['newo-ether/Agora#141', 'npm openai 7.59.0, `responses.d.ts`'],
  },
  needs: ({ flags }) => (flags & Flag.incomplete) !== 0,
  *detect(conversation) {
    for (const message of conversation.messages) {
      for (const block of message.blocks) if (block.is(Flag.incomplete)) yield { at: block, message }
    }
  },
  words: ({ at }) => (at.kind === 'thinking' ? 'the reasoning has no summary' : 'the call has no arguments'),
  repair: ({ at }) => {
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
