import type { Document } from '../../model/document.ts'
import { saysTheSame } from '../content.ts'
import { NewIds } from '../new-id.ts'
import { type Match, rule } from '../rule.ts'
import { callWords, idsOf } from '../words.ts'
import { inOneTurn, type Repeat } from './answers.ts'
import { pairingOf } from './pairing.ts'

interface Duplicate extends Match {
  readonly repeat: Repeat
  /** Its new id; undefined where it is a copy, which goes. */
  readonly id: string | undefined
}

export const duplicateToolCall = rule<Duplicate>({
  name: 'duplicate-tool-call',
  family: 'pairing',
  phase: 'ids',
  scope: 'conversation',
  severity: 'error',
  summary: 'A tool call has the id of an earlier one',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: '`tool_use` ids must be unique' },
    { text: 'The toolUse blocks contain duplicate Ids' },
    { text: 'Duplicate tool call id in assistant message' },
  ],
  docs: {
    finds:
      'Two tool calls under one id: one call written twice, or different calls that a model or a proxy numbers from 0 in each turn. In one turn it is an error everywhere; across turns only where the provider wants ids to be unique in the whole request.',
    why: 'Anthropic refuses the request. In one turn nobody can tell which result belongs to which call.',
    example:
      '[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}},{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"done"}]}]',
    repair:
      'A copy in the same message, or in the same turn without a result of its own, is removed. Any other call gets a new id together with its results; the first one keeps its own. A like call in a later turn is another call.',
    safety: 'Safe: what is removed is an exact copy, and a new id goes to both sides of the pair.',
    sources: [
      'anthropics/claude-code#20901',
      'anthropics/claude-code#28515',
      'BerriAI/litellm#23510',
      'QwenLM/qwen-code#8382',
    ],
  },
  *detect(conversation, { document, target }) {
    const { repeats } = pairingOf(conversation, target)
    if (repeats.length === 0) return
    const newIds = NewIds.ofCalls(document, conversation, target)
    const counts = new Map<number, number>()
    for (const repeat of repeats) {
      const { block, message } = repeat.call
      const count = (counts.get(block.id) ?? 1) + 1
      counts.set(block.id, count)
      const match = {
        at: block,
        message,
        repeat,
        id: isCopy(repeat, document) ? undefined : newIds.another(document.ids.text(block.id), count),
        related: [{ at: repeat.earlier.block, message: 'the earlier call is here' }],
        ids: idsOf(document, block),
      }
      yield inOneTurn(repeat) ? { ...match, severity: 'error' } : match
    }
  },
  words: ({ repeat, id }, { document }) => {
    const named = callWords(document, repeat.call.block)
    if (id === undefined) return `${named} is written twice in one turn`
    return `${named} has the id of an earlier call${inOneTurn(repeat) ? ' of its turn' : ''}`
  },
  repair: ({ repeat: { call }, id }) => {
    if (id === undefined) {
      return {
        title: 'remove the copy',
        safety: 'safe',
        loses: [],
        operations: [{ do: 'remove-block', block: call.block }],
      }
    }
    const results = call.answer ? [call.answer, ...call.surplus] : []
    return {
      title: `rename the call${call.answer ? ' and its result' : ''} to ${id}`,
      safety: 'safe',
      loses: [],
      operations: [call, ...results].map(({ block }) => ({ do: 'rename-id', block, id })),
    }
  },
})

function isCopy(repeat: Repeat, document: Document): boolean {
  const { call, earlier } = repeat
  if (!inOneTurn(repeat) || (call.message !== earlier.message && call.answer)) return false
  return (
    call.block.name === earlier.block.name && saysTheSame(document.inputOf(call.block), document.inputOf(earlier.block))
  )
}
