import { Flag } from '../../model/blocks.ts'
import { rule } from '../rule.ts'
import { callWords } from '../words.ts'
import { answer, matchOpen, openCalls } from './open-call.ts'

const TEXT =
  '[convfix] No result was recorded for this tool call: it was interrupted, or its result was lost. Whether it took effect is unknown.'

export const orphanToolCall = rule({
  name: 'orphan-tool-call',
  family: 'pairing',
  phase: 'answer',
  scope: 'conversation',
  severity: 'error',
  summary: 'A tool call has no result',
  since: '0.1.0',
  errors: [
    { target: 'bedrock-converse', text: 'Expected toolResult blocks at messages.2.content for the following Ids' },
    { target: 'deepseek', text: '(insufficient tool messages following tool_calls message)' },
    { target: 'mistral', text: 'Not the same number of function calls and responses' },
    { target: 'openai-responses', text: 'No tool output found for function call' },
    { target: 'anthropic', text: '`tool_use` ids were found without `tool_result` blocks immediately after' },
    {
      target: 'openai-chat',
      text: "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'",
    },
    {
      target: 'gemini',
      text: 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn',
    },
    {
      target: 'qwen',
      text: "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'",
    },
    { text: 'The following tool_call_ids did not have response messages' },
    { text: '400 due to tool use concurrency issues' },
  ],
  docs: {
    finds:
      'A tool call that no result in the conversation answers. As the last thing in the file it is a warning, since the tool may still be running; while the file is being written, an info.',
    why: 'The agent was killed while the tool ran, or the record of the result was lost. The provider refuses every request that holds such a call, so the session is stuck for good.',
    example:
      '[{"role":"user","content":"run the tests"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]},{"role":"user","content":"are you there?"}]',
    repair:
      "An error result is put at the end of that turn's run of results, never at the end of the list. It says that whether the call took effect is unknown. A later run that meets the real result replaces it.",
    safety: 'Safe: nothing is taken out, and the result claims nothing that is not known.',
    sources: [
      'https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls',
      'anthropics/claude-code#1237',
      'QwenLM/qwen-code#606',
      'langgenius/dify#32222',
    ],
  },
  *detect(conversation, context) {
    for (const call of openCalls(conversation, context)) {
      if (!call.block.is(Flag.partial)) yield matchOpen(call, context)
    }
  },
  words: ({ call }, { document }) => `${callWords(document, call)} has no result`,
  repair: ({ call }) => answer(call, TEXT),
})
