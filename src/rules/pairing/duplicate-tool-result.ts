import { Flag } from '../../model/blocks.ts'
import type { Document } from '../../model/document.ts'
import { outputOf, saysTheSame } from '../content.ts'
import { type Match, rule } from '../rule.ts'
import { callWords, idsOf } from '../words.ts'
import { pairingOf } from './pairing.ts'
import { isAstray, type Result } from './turns.ts'

interface Surplus extends Match {
  readonly result: Result
  /** The result that stays. */
  readonly kept: Result
  readonly kind: 'equal' | 'placeholder' | 'different'
}

export const duplicateToolResult = rule<Surplus>({
  name: 'duplicate-tool-result',
  family: 'pairing',
  phase: 'deduplicate',
  scope: 'conversation',
  severity: 'error',
  summary: 'A tool call has more than one result',
  since: '0.1.0',
  errors: [
    { target: 'openai-responses', text: 'Duplicate output for call_id' },
    {
      target: 'anthropic',
      text: 'each tool_use must have a single result. Found multiple `tool_result` blocks with id',
    },
    {
      target: 'gemini',
      text: 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn',
    },
    { target: 'openai-chat', text: "Duplicate value for 'tool_call_id'" },
  ],
  docs: {
    finds: 'A second result for a tool call that has one.',
    why: 'A restarted server sends its results again, Gemini CLI stores each result twice and sends both when it resumes, a call is approved twice, or a late result meets the placeholder that a client wrote for it. The provider wants one result for each call.',
    example:
      '[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"done"},{"type":"tool_result","tool_use_id":"toolu_1","content":"done"}]}]',
    repair:
      'Of equal results the first stays. A placeholder gives way to a real result. Of different real results the first stays and the text of the other is appended to it.',
    safety: 'Safe: only a copy or a placeholder goes; of two different results both texts stay.',
    sources: ['RooCodeInc/Roo-Code#10465', 'strands-agents/sdk-python#4154', 'google-gemini/gemini-cli#29365'],
  },
  *detect(conversation, { document, target }) {
    for (const result of pairingOf(conversation, target).surplus) {
      const { block, message, call } = result
      const kept = call!.answer!
      const match = {
        at: block,
        message,
        result,
        kept,
        kind: kindOf(result, kept, document),
        related: [{ at: kept.block, message: 'this result stays' }],
        ids: idsOf(document, block, call!.block),
      }
      // Where the provider does not look for results it takes none, whatever it thinks of two in the right place.
      const isRefused = isAstray(result) && target.verdicts['misordered-tool-result']?.verdict === 'error'
      yield isRefused ? { ...match, severity: 'error' } : match
    }
  },
  words: ({ result, kind }, { document }) => {
    const named = callWords(document, result.call!.block)
    if (kind === 'equal') return `${named} has the same result twice`
    return kind === 'placeholder' ? `${named} has a placeholder beside its result` : `${named} has a second result`
  },
  repair: ({ result, kept, kind }) =>
    kind === 'different'
      ? {
          title: 'append the second result to the first',
          safety: 'safe',
          loses: [],
          operations: [{ do: 'merge-result', from: result.block, into: kept.block }],
        }
      : {
          title: kind === 'equal' ? 'remove the copy' : 'remove the placeholder',
          safety: 'safe',
          loses: [],
          operations: [{ do: 'remove-block', block: result.block }],
        },
})

function kindOf(result: Result, kept: Result, document: Document): Surplus['kind'] {
  const [a, b] = [result.block, kept.block]
  if (a.is(Flag.synthetic)) return 'placeholder'
  if (a.size !== b.size) return 'different'
  const [said, other] = [outputOf(document, a), outputOf(document, b)]
  if (!said && !other) return document.textOfResult(a) === document.textOfResult(b) ? 'equal' : 'different'
  return saysTheSame(said, other) ? 'equal' : 'different'
}
