import type { Block } from '../../model/blocks.ts'
import { type Match, rule } from '../rule.ts'
import { callWords, idsOf } from '../words.ts'

interface WrongRole extends Match {
  readonly at: Block
}

export const wrongRoleBlock = rule<WrongRole>({
  name: 'wrong-role-block',
  family: 'roles',
  phase: 'shape',
  scope: 'conversation',
  severity: 'info',
  summary: 'A tool call or thinking stands in a message of the user',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: '`tool_result` blocks can only be in `user` messages' },
    { target: 'anthropic', text: '`tool_use` blocks can only be in `assistant` messages' },
  ],
  docs: {
    finds:
      'A tool call or a thinking block in a user message. A tool result in an assistant message is found by misordered-tool-result, or where it answers no call by orphan-tool-result.',
    why: 'Only the assistant calls tools and thinks. A history that was merged or trimmed by role can end up with such blocks, and the provider refuses it.',
    example:
      '[{"role":"user","content":"go"},{"role":"assistant","content":"ok"},{"role":"user","content":[{"type":"tool_use","id":"toolu_1","name":"Look","input":{}},{"type":"text","text":"and now?"}]}]',
    repair:
      'The block is removed; the texts beside it stay. It is not moved to the turn before: nobody can tell whether the assistant made the call there. A result of such a call then is an orphan-tool-result.',
    safety:
      'Safe: the provider refuses the request with it. What is removed is named in the report and stays in the backup.',
    sources: [
      'microsoft/agent-framework#4328',
      'tghamm/Anthropic.SDK#128',
      'block/goose, `crates/goose/src/conversation/mod.rs`, 2026',
    ],
  },
  needs: ({ kinds }) => kinds.has('tool-call') || kinds.has('thinking'),
  *detect(conversation, { document }) {
    for (const message of conversation.messages) {
      if (message.role !== 'user') continue
      for (const block of message.blocks) {
        if (block.kind !== 'tool-call' && block.kind !== 'thinking') continue
        yield { at: block, message, ids: block.kind === 'tool-call' ? idsOf(document, block) : [] }
      }
    }
  },
  words: ({ at }, { document }) =>
    at.kind === 'thinking'
      ? 'thinking stands in a message of the user'
      : `${callWords(document, at)} stands in a message of the user`,
  repair: ({ at }) => ({
    title: at.kind === 'thinking' ? 'remove the thinking' : 'remove the call',
    safety: 'safe',
    loses: [at.kind === 'thinking' ? 'reasoning' : 'text'],
    operations: [{ do: 'remove-block', block: at }],
  }),
})
