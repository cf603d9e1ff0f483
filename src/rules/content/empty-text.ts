import { Flag } from '../../model/blocks.ts'
import { rule } from '../rule.ts'
import { type SilentText, silentTexts } from './silent-texts.ts'

export const emptyText = rule<SilentText>({
  name: 'empty-text',
  family: 'content',
  phase: 'emptiness',
  scope: 'conversation',
  severity: 'info',
  summary: 'A text block is empty',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: 'text content blocks must be non-empty' },
    { target: 'anthropic', text: 'cache_control cannot be set for empty text blocks' },
  ],
  docs: {
    finds: 'A text block without a single character, beside other blocks of a message or inside a tool result.',
    why: 'A stream that was interrupted before its first word leaves such blocks behind, often beside a tool call. Anthropic refuses every request with one of them.',
    example:
      '[{"role":"user","content":"row 7?"},{"role":"assistant","content":[{"type":"text","text":""},{"type":"tool_use","id":"toolu_1","name":"Read","input":{}}]}]',
    repair: 'The block is removed. A message of which nothing would be left is an empty-message.',
    safety: 'Safe: there is no text to lose.',
    sources: ['anthropics/claude-code#59294', 'anthropics/claude-code#62396', 'anthropics/claude-code#62312'],
  },
  needs: ({ flags }) => (flags & Flag.empty) !== 0,
  detect: (conversation) => silentTexts(conversation, Flag.empty),
  words: ({ inResult }) => (inResult ? 'the result holds an empty text block' : 'the text block is empty'),
  repair: ({ at }) => ({
    title: 'remove the block',
    safety: 'safe',
    loses: [],
    operations: [{ do: 'remove-block', block: at }],
  }),
})
