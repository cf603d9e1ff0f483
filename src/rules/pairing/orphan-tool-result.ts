import type { Block } from '../../model/blocks.ts'
import type { Document } from '../../model/document.ts'
import { isTornBetween } from '../../model/rows.ts'
import { lossesAsText, textOfResult } from '../content.ts'
import { type Match, rule } from '../rule.ts'
import { idsOf, idWords } from '../words.ts'
import { pairingOf } from './pairing.ts'
import type { Result } from './turns.ts'

interface Orphan extends Match {
  readonly result: Block
  /** Whether a torn record stands where its call may have stood. */
  readonly torn: boolean
  /** Whether it stays as text: because somebody wants that, because its call is torn, or because nothing else would be left. */
  readonly kept: boolean
}

export const orphanToolResult = rule<Orphan>({
  name: 'orphan-tool-result',
  family: 'pairing',
  phase: 'remove-orphans',
  scope: 'conversation',
  severity: 'error',
  summary: 'A tool result has no call',
  since: '0.1.0',
  errors: [
    { target: 'mistral', text: 'More tool responses than tool calls' },
    { target: 'mistral', text: 'Unexpected tool call id in tool results' },
    { target: 'openai-responses', text: 'No tool call found for function call output with call_id' },
    { target: 'anthropic', text: 'unexpected `tool_use_id` found in `tool_result` blocks' },
    {
      target: 'anthropic',
      text: 'Each `tool_result` block must have a corresponding `tool_use` block in the previous message',
    },
    {
      target: 'openai-chat',
      text: "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'",
    },
    {
      target: 'gemini',
      text: 'Please ensure that function response turn comes immediately after a function call turn',
    },
    { target: 'qwen', text: "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'" },
    { text: "Invalid parameter: 'tool_call_id' not found in 'tool_calls' of previous message" },
  ],
  docs: {
    finds:
      'A tool result whose call is nowhere in the conversation. A result that only stands in the wrong place, or that has lost its id on the way, is a misordered-tool-result.',
    why: 'The history was shortened between a call and its result, or the record of the call was lost. The provider refuses the request; some clients drop such results without a word.',
    example: '[{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_0","content":"9 rows"}]}]',
    repair:
      'The result is removed; its text is in the report and in the backup. With the option orphanResults: "text", and always where the record of its call is torn or nothing else would be left, it stays as quoted text of the user. It never becomes a system message, and no call is invented.',
    safety:
      'Safe: what goes is named in the report and kept in the backup. Nothing can be done with a result of no call.',
    sources: [
      'anthropics/claude-code#13460',
      'anthropics/claude-code#64383',
      'microsoft/semantic-kernel#12708',
      'langchain-ai/langchain#35313',
    ],
  },
  *detect(conversation, { document, target, options }) {
    if (conversation.isContinued) return
    const { orphans } = pairingOf(conversation, target)
    if (orphans.length === 0) return
    const blocks = new Set(orphans.map(({ block }) => block))
    const isAll = conversation.messages.every((message) => message.blocks.every((block) => blocks.has(block)))
    for (const orphan of orphans) {
      const { block, message } = orphan
      const torn = callMayBeTorn(document, orphan)
      const kept = torn || isAll || options.orphanResults === 'text'
      yield { at: block, message, result: block, ids: idsOf(document, block), torn, kept }
    }
  },
  words: ({ result, torn }, { document }) => {
    const named = ['result', idWords(document.ids.text(result.id))].filter((word) => word !== '').join(' ')
    return torn ? `${named} has no call: a record before it is torn` : `${named} has no call in this conversation`
  },
  repair: ({ result, kept }, { document }) =>
    kept
      ? {
          title: 'keep the result as text of the user',
          safety: 'safe',
          loses: lossesAsText(result),
          operations: [{ do: 'replace-block', block: result, text: quoted(document, result) }],
        }
      : {
          title: 'remove the result',
          safety: 'safe',
          loses: ['result'],
          operations: [{ do: 'remove-block', block: result }],
        },
})

function quoted(document: Document, result: Block): string {
  return `[convfix] Result of a tool call that is not recorded:\n${textOfResult(document, result)}`
}

/** Whether a torn record, cut or not, stands right before the turn in front of the result, within it, or behind it. */
function callMayBeTorn(document: Document, { block, turn }: Result): boolean {
  const first = turn.messages[0]?.entries[0]?.record ?? 0
  return isTornBetween(document, first - 2, block.entry.record)
}
