import { Flag } from '../../model/blocks.ts'
import { rule } from '../rule.ts'
import { callWords } from '../words.ts'
import { answer, matchOpen, openCalls } from './open-call.ts'

const TEXT = '[convfix] This tool call was cut off while the model wrote it. No result was recorded.'

export const partialToolCall = rule({
  name: 'partial-tool-call',
  family: 'pairing',
  phase: 'answer',
  scope: 'conversation',
  severity: 'error',
  summary: 'A tool call was cut off while it was written and has no result',
  since: '0.1.0',
  errors: [{ target: 'anthropic', text: '`tool_use` ids were found without `tool_result` blocks immediately after' }],
  docs: {
    finds:
      'A tool call without result that says of itself that it was cut off: it still carries the unfinished text of its arguments (`partialJson`).',
    why: 'The stream ended in the middle of the call, so it never ran. The provider wants a result all the same.',
    example:
      '[{"role":"user","content":"run the tests"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{},"partialJson":"{\\"comm"}]},{"role":"user","content":"again"}]',
    repair: 'An error result that says so is put where the result belongs. The call stays as it is.',
    safety: 'Safe: nothing is taken out. Completing the arguments would be a guess and is not done.',
    sources: ['openclaw/openclaw#8345', 'badlogic/pi-mono'],
  },
  needs: ({ flags }) => (flags & Flag.partial) !== 0,
  *detect(conversation, context) {
    for (const call of openCalls(conversation, context)) {
      if (call.block.is(Flag.partial)) yield matchOpen(call, context)
    }
  },
  words: ({ call }, { document }) => `${callWords(document, call)} was cut off and has no result`,
  repair: ({ call }) => answer(call, TEXT),
})
