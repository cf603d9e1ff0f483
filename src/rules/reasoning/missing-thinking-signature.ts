import { type Block, Flag } from '../../model/blocks.ts'
import type { Conversation, Document } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'
import { refuses, signaturesOf, signedThinking, withoutThinking } from './signatures.ts'

interface Unsigned extends Match {
  readonly at: Block
}

export const missingThinkingSignature = rule<Unsigned>({
  name: 'missing-thinking-signature',
  family: 'reasoning',
  phase: 'reasoning',
  scope: 'conversation',
  severity: 'error',
  summary: 'A thinking block has no signature',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: 'thinking.signature: Field required' },
    { text: 'Invalid `signature` in `thinking` block' },
  ],
  docs: {
    finds:
      'A thinking block of an assistant message whose `signature` is missing or empty. A block without text but with a signature is healthy. In sessions the rule looks at thinking of Claude models only, or where other blocks of the same conversation are signed: other providers of the same API sign nothing, and clients leave thinking of another model out.',
    why: 'The stream was interrupted before the signature came, or a program that copied the history left it out. Anthropic looks at the signature of every thinking block, at any place, and refuses the request.',
    example:
      '[{"role":"user","content":"9 x 7?"},{"role":"assistant","content":[{"type":"thinking","thinking":"nine sevens"},{"type":"text","text":"63"}]},{"role":"user","content":"and 9 x 8?"}]',
    repair:
      'The block is removed. All other thinking of the turn stays where and as it is, to the byte, and a message of which nothing would be left goes with it.',
    safety:
      'Safe: nobody can sign it again, and with it every request is refused. What goes is named in the report and kept in the backup.',
    sources: ['anthropics/claude-code#21726', 'anthropics/claude-code#66204', 'openclaw/openclaw#84430'],
  },
  needs: ({ kinds, flags }) => kinds.has('thinking') && (flags & Flag.unsigned) !== 0,
  *detect(conversation, { document, target }) {
    if (!refuses(target, 'missing-thinking-signature') || !isAsked(conversation, document)) return
    for (const { at, message } of signedThinking(conversation, document)) {
      if (at.is(Flag.unsigned)) yield { at, message }
    }
  },
  words: () => 'the thinking has no signature',
  repair: ({ at }) => withoutThinking(at),
})

/** Whether thinking without a signature is known to be refused: the model is one that signs it, or it was signed elsewhere. */
function isAsked(conversation: Conversation, document: Document): boolean {
  if ((document.model ?? conversation.model) !== undefined) return true
  // Converse carries the reasoning of models that sign nothing, and so do agents that keep it in the shape of Anthropic.
  const isApiOwn = document.use !== 'session' && document.dialect === 'anthropic'
  return isApiOwn || signaturesOf(conversation, document).whole > 0
}
