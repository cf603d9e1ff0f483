import { type Block, Flag } from '../../model/blocks.ts'
import { type Match, rule } from '../rule.ts'
import { refuses, signaturesOf, signedThinking, withoutThinking } from './signatures.ts'

interface Invalid extends Match {
  readonly at: Block
  /** Length of the shortest whole signature of the conversation. */
  readonly shortest: number
}

export const invalidThinkingSignature = rule<Invalid>({
  name: 'invalid-thinking-signature',
  family: 'reasoning',
  phase: 'reasoning',
  scope: 'conversation',
  severity: 'error',
  summary: 'The signature of a thinking block was cut, or cannot be one',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: 'Invalid `signature` in `thinking` block' },
    { text: 'Invalid `data` in `redacted_thinking` block' },
  ],
  docs: {
    finds:
      'A thinking block whose signature is no base64, or is the name of the field in which another provider gave its reasoning. And, by comparison with the other signatures of the conversation, one that was cut: it is too short, its length is none of base64, or it is shorter than it says itself, while at least as many others fit. The comparison is a heuristic, since only the provider can verify a signature; what is well-formed is not accused, and where there is nothing to compare with nothing is said.',
    why: 'A stream that broke off, a log that shortens long texts, or thinking of another provider in the history. Anthropic refuses every request with such a block, at any place.',
    example:
      '[{"role":"user","content":"9 x 7?"},{"role":"assistant","content":[{"type":"thinking","thinking":"nine sevens","signature":"reasoning_content"},{"type":"text","text":"63"}]},{"role":"user","content":"and 9 x 8?"}]',
    repair:
      'The block is removed. All other thinking of the turn stays where and as it is, to the byte; thinking without text but with a whole signature is healthy and stays, too.',
    safety:
      'Safe: with a signature that cannot be verified every request is refused. What goes is named in the report and kept in the backup.',
    sources: ['openclaw/openclaw#92201', 'anthropics/claude-code#21726', 'anthropics/anthropic-sdk-python#1598'],
  },
  needs: ({ kinds, flags }) => kinds.has('thinking') && (flags & (Flag.badSignature | Flag.cutSignature)) !== 0,
  *detect(conversation, { document, target }) {
    if (!refuses(target, 'invalid-thinking-signature')) return
    const { whole, cut, shortest } = signaturesOf(conversation, document)
    const isTelling = whole > 0 && whole >= cut
    for (const { at, message } of signedThinking(conversation, document)) {
      if (at.is(Flag.badSignature) || (isTelling && at.is(Flag.cutSignature))) yield { at, message, shortest }
    }
  },
  words: ({ at, shortest }) => {
    if (at.is(Flag.badSignature)) return 'the signature of the thinking cannot be valid'
    const length = at.size < shortest ? `it has ${at.size} characters, others ${shortest} and more` : 'it is not whole'
    return `the signature of the thinking looks cut beside the others: ${length}`
  },
  repair: ({ at }) => withoutThinking(at),
})
