import { Flag } from '../../model/blocks.ts'
import { type Match, rule } from '../rule.ts'
import { callWords, idsOf, idWords } from '../words.ts'
import { isMisnamed, isOfOtherKind, pairingOf } from './pairing.ts'
import type { Call, Result } from './turns.ts'

interface Misordered extends Match {
  readonly result: Result
  readonly call: Call
}

export const misorderedToolResult = rule<Misordered>({
  name: 'misordered-tool-result',
  family: 'pairing',
  phase: 'move-results',
  scope: 'conversation',
  severity: 'error',
  summary: 'A tool result does not follow its call, or names it wrongly',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: '`tool_use` ids were found without `tool_result` blocks immediately after' },
    {
      target: 'openai-chat',
      text: "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'",
    },
    { target: 'openai-responses', text: 'No tool call found for function call output with call_id' },
    {
      target: 'gemini',
      text: 'Please ensure that function call turn comes immediately after a user turn or after a function response turn',
    },
    { text: "Unexpected role 'tool' after role 'user'" },
    { text: 'invalid_request_message_order' },
  ],
  docs: {
    finds:
      'A result whose call is in the conversation, but not where the provider looks: something stands between the two, or the result stands before its call. And a result under another id, where exactly one call of its turn is open and it is the only one left over.',
    why: 'Providers look for results directly behind the turn that made the calls. A result anywhere else counts as missing there and as unexpected where it stands.',
    example:
      '[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]},{"role":"user","content":"wait"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"done"}]}]',
    repair:
      'The result is moved directly behind its call; what stood between follows after the results. A result under another id takes the id of the call. An id that comes back in a later turn is another call, so the nearest call is meant.',
    safety: 'Safe: nothing is taken out. An id is changed only where no other call and no other result could be meant.',
    sources: [
      'https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls',
      'charmbracelet/crush#279',
      'NousResearch/hermes-agent#58168',
    ],
  },
  *detect(conversation, { document, target }) {
    const { displaced, misnamed } = pairingOf(conversation, target)
    for (const result of [...displaced, ...misnamed]) {
      const call = result.call!
      yield {
        at: result.block,
        message: result.message,
        result,
        call,
        related: [{ at: call.block, message: `${callWords(document, call.block)} is here` }],
        ids: idsOf(document, result.block, call.block),
      }
    }
  },
  words: ({ result, call }, { document, target }) => {
    const named = callWords(document, call.block)
    if (isMisnamed(result, call, target)) {
      if (result.block.is(Flag.unnamed)) return `the result of ${named} has no id`
      return `the result of ${named} has another id: ${idWords(document.ids.text(result.block.id))}`
    }
    if (isOfOtherKind(result)) return `the result of ${named} is the output of another kind of call`
    return `the result of ${named} ${whereabouts(result, call)}`
  },
  repair: ({ result, call }, { document, target }) => {
    if (!isMisnamed(result, call, target)) {
      return {
        title: isOfOtherKind(result)
          ? 'write the result as the kind of output that its call wants'
          : 'move the result directly behind its call',
        safety: 'safe',
        loses: [],
        operations: [{ do: 'move-result', result: result.block, call: call.block }],
      }
    }
    const id = document.ids.text(call.block.id)
    if (id === '') return undefined
    // Where it stands as well in the wrong place it is moved in the next round, when its id is right.
    return {
      title: `give the result the id ${id}`,
      safety: 'safe',
      loses: [],
      operations: [{ do: 'rename-id', block: result.block, id }],
    }
  },
})

function whereabouts(result: Result, call: Call): string {
  if (result.turn.index < call.turn.index) return 'stands before the call'
  if (result.turn.index > call.turn.index) return 'stands behind a later turn'
  return result.message.role === 'assistant'
    ? "stands in the assistant's own message"
    : 'does not stand directly behind the call'
}
