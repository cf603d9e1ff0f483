import { type Block, Flag } from '../../model/blocks.ts'
import type { Message } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'
import { callWords, idsOf } from '../words.ts'

/** Takes the place of a signature that is not there (https://ai.google.dev/gemini-api/docs/thought-signatures). */
const SENTINEL = 'skip_thought_signature_validator'

interface Unsigned extends Match {
  readonly at: Block
}

export const missingThoughtSignature = rule<Unsigned>({
  name: 'missing-thought-signature',
  family: 'reasoning',
  phase: 'reasoning',
  scope: 'conversation',
  severity: 'error',
  summary: 'The first tool call of a step has no thought signature',
  since: '0.1.0',
  errors: [{ target: 'gemini', text: 'Function call is missing a thought_signature in functionCall parts' }],
  docs: {
    finds:
      'In the current turn, that is behind the last message of the user with content of their own: a message of a Gemini 3 model whose first call has no `thoughtSignature`. Later calls of the same message need none, and earlier turns are not looked at. Without a model name nothing is said, and nothing of sessions whose client signs the calls itself.',
    why: 'Gemini 3 binds its calls to the thoughts before them. A proxy or a client that leaves the signature out makes the provider refuse the request.',
    example:
      '{"model":"gemini-3-pro-preview","contents":[{"role":"user","parts":[{"text":"list"}]},{"role":"model","parts":[{"functionCall":{"name":"ls","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"ls","response":{"output":"a.txt"}}}]}]}',
    repair:
      'The call gets the value that Google documents for calls without a signature: `skip_thought_signature_validator`.',
    safety: 'Safe: nothing is taken out. The model loses the thoughts that were lost before.',
    sources: [
      'https://ai.google.dev/gemini-api/docs/thought-signatures',
      'google-gemini/gemini-cli#28604',
      'octos-org/octos#1897',
    ],
  },
  *detect({ messages, model }, { document, target }) {
    if (!target.thoughtSignatures?.model.test(document.model ?? model ?? '')) return
    // Gemini CLI gives the calls of the current turn the sentinel itself (0.61.0).
    if (document.folds) return
    for (const message of messages.slice(messages.findLastIndex(isPrompt) + 1)) {
      if (message.role !== 'assistant') continue
      const call = message.blocks.find((block) => block.kind === 'tool-call')
      if (call?.is(Flag.unsigned)) yield { at: call, message, ids: idsOf(document, call) }
    }
  },
  words: ({ at }, { document }) => `${callWords(document, at)} has no thought signature`,
  repair: ({ at }) => ({
    title: 'put the documented stand-in for a signature there',
    safety: 'safe',
    loses: [],
    operations: [
      {
        do: 'change-entry',
        entry: at.entry,
        changes: [{ op: 'set', path: [...at.tail, 'thoughtSignature'], value: SENTINEL }],
      },
    ],
  }),
})

function isPrompt({ role, blocks }: Message): boolean {
  return role === 'user' && blocks.some((block) => block.kind === 'text' || block.kind === 'media')
}
