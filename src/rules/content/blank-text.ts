import { Flag } from '../../model/blocks.ts'
import { rule } from '../rule.ts'
import { type SilentText, silentTexts } from './silent-texts.ts'

export const blankText = rule<SilentText>({
  name: 'blank-text',
  family: 'content',
  phase: 'emptiness',
  scope: 'conversation',
  severity: 'info',
  summary: 'A text block holds nothing but white space',
  since: '0.1.0',
  errors: [{ target: 'anthropic', text: 'text content blocks must contain non-whitespace text' }],
  docs: {
    finds:
      'A text block of spaces and line breaks only, beside other blocks of a message. Inside a tool result it is of note only: nobody has seen it refused there.',
    why: 'Models write a line break before a call or between two thoughts, and some clients fill empty blocks with a space. Anthropic refuses every request with one of them.',
    example:
      '[{"role":"user","content":"row 7?"},{"role":"assistant","content":[{"type":"text","text":"\\n\\n"},{"type":"tool_use","id":"toolu_1","name":"Read","input":{}}]}]',
    repair: 'The block is removed. A message of which nothing would be left is an empty-message.',
    safety: 'Safe: there is no text to lose.',
    sources: ['table of message shapes sent to the API, 2026-07-25', 'anthropics/claude-code#60837'],
  },
  needs: ({ flags }) => (flags & Flag.blank) !== 0,
  *detect(conversation, { target }) {
    const isKnown = target.verdicts['blank-text']?.verdict === 'error'
    for (const match of silentTexts(conversation, Flag.blank)) {
      yield match.inResult && isKnown ? { ...match, severity: 'info' } : match
    }
  },
  words: ({ inResult }) => (inResult ? 'the result holds a blank text block' : 'the text block is blank'),
  repair: ({ at }) => ({
    title: 'remove the block',
    safety: 'safe',
    loses: [],
    operations: [{ do: 'remove-block', block: at }],
  }),
})
