/** Begins every text that convfix invents, so that a later run can tell it from a real one. */
export const OWN_MARK = '[convfix]'

/**
 * How the texts begin that clients write in the place of a result that was lost (facts of each client, measured with
 * Claude Code 2.1.332, Qwen Code 0.24.4, pi 1.6.0, Gemini CLI 0.61.0, read in codeAgent's `_fix_tool_call_pairs`). They count as answers, but lose to a real result.
 */
const PLACEHOLDERS = [
  OWN_MARK,
  '[Tool call interrupted',
  '[Tool result missing due to internal error]',
  'Tool execution result was not recorded',
  'Tool result missing from saved history',
  'The tool execution result was lost due to context management truncation',
  'No result provided',
  // "The result of this tool call was lost by the compaction of the context"; other notes are results like any.
  '{"note": "此工具调用的结果因上下文压缩而丢失',
]

/** Placeholders that are the whole text: what Codex 0.171.0 sends (`normalize.rs`). */
const WHOLE = ['aborted']

/** Whether a result's text shows that no tool wrote it. */
export function isSynthetic(text: { readonly length: number; startsWith(prefix: string): boolean }): boolean {
  for (const placeholder of PLACEHOLDERS) if (text.startsWith(placeholder)) return true
  for (const whole of WHOLE) if (text.length === whole.length && text.startsWith(whole)) return true
  return false
}
