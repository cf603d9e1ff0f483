import type { Block } from '../../model/blocks.ts'
import { type Match, rule } from '../rule.ts'
import { idsOf } from '../words.ts'
import { pairingOf } from './pairing.ts'

interface OrphanServerResult extends Match {
  readonly at: Block
}

export const orphanServerToolResult = rule<OrphanServerResult>({
  name: 'orphan-server-tool-result',
  family: 'pairing',
  phase: 'remove-orphans',
  scope: 'conversation',
  severity: 'info',
  summary: "A result of a provider's own tool has no call before it in its turn",
  since: '0.1.0',
  errors: [
    {
      target: 'anthropic',
      text: 'Each `advisor_tool_result` block must have a corresponding `server_tool_use` block before it',
    },
  ],
  docs: {
    finds:
      'A result of a tool that the provider runs itself whose call does not stand before it in the same assistant turn.',
    why: 'The block with the call was lost, or the turn was cut in two by a message between them. The provider refuses every request with such a result.',
    example:
      '[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"advisor_tool_result","tool_use_id":"srvtoolu_1","content":"fine"},{"type":"text","text":"Done."}]}]',
    repair: 'The result is removed; it is in the report and in the backup.',
    safety: 'Safe: what goes is named in the report and kept in the backup.',
    sources: ['anthropics/claude-code#64383', 'anthropics/claude-code#80439', 'anthropics/claude-code#84783'],
  },
  *detect(conversation, { document, target }) {
    for (const { block, message } of pairingOf(conversation, target).orphanServer) {
      yield { at: block, message, ids: idsOf(document, block) }
    }
  },
  words: ({ at }, { document }) => `server tool result ${document.ids.text(at.id)} has no call before it in its turn`,
  repair: ({ at }) => ({
    title: 'remove the result',
    safety: 'safe',
    loses: ['result'],
    operations: [{ do: 'remove-block', block: at }],
  }),
})
