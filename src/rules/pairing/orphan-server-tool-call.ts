import type { Block } from '../../model/blocks.ts'
import { type Match, rule } from '../rule.ts'
import { idsOf } from '../words.ts'
import { pairingOf } from './pairing.ts'

interface OpenServerCall extends Match {
  readonly at: Block
}

export const orphanServerToolCall = rule<OpenServerCall>({
  name: 'orphan-server-tool-call',
  family: 'pairing',
  phase: 'remove-orphans',
  scope: 'conversation',
  severity: 'info',
  summary: "A call of a provider's own tool has no result in its turn",
  since: '0.1.0',
  errors: [
    {
      target: 'anthropic',
      text: '`web_search` tool use was found without a corresponding `web_search_tool_result` block',
    },
    { target: 'anthropic', text: 'but no `web_search` tool was provided' },
  ],
  docs: {
    finds:
      'A call of a tool that the provider runs itself (web search, code execution, MCP) without its result in the same assistant turn. In the last turn this is legal as long as nothing but results of other tools follows: the provider goes on with it.',
    why: 'The stream ended before the result. Once other content follows, the provider refuses every request with such a call.',
    example:
      '[{"role":"user","content":"look it up"},{"role":"assistant","content":[{"type":"text","text":"Searching."},{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}]},{"role":"user","content":"never mind"}]',
    repair: 'The call is removed. No result is invented: results of these tools are written by the provider alone.',
    safety: 'Safe: the call had no outcome, and the report names it.',
    sources: [
      'https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons',
      'vellum-ai/vellum-assistant#15911',
    ],
  },
  *detect(conversation, { document, target }) {
    const { openServer, lastTurn } = pairingOf(conversation, target)
    for (const { block, message, turn } of openServer) {
      if (turn === lastTurn && !turn.continued) continue
      yield { at: block, message, ids: idsOf(document, block) }
    }
  },
  words: ({ at }, { document }) => `server tool call ${document.ids.text(at.id)} has no result in its turn`,
  repair: ({ at }) => ({
    title: 'remove the call',
    safety: 'safe',
    loses: ['text'],
    operations: [{ do: 'remove-block', block: at }],
  }),
})
