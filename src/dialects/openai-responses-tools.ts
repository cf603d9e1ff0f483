import type { Json } from '../text/view.ts'

/**
 * The kinds of tools whose calls the caller has to answer, by the types of their items (npm openai 7.59.0, `responses.d.ts`). A list,
 * not the endings of the names: `web_search_call` has no output of its own, `tool_search_output` is one. Types do not cross-match, but
 * Codex answers a local shell call with a `function_call_output` and so does the API take it.
 */
export const Kind = { function: 0, custom: 1, shell: 2, patch: 3, computer: 4, search: 5 } as const

interface ToolItem {
  readonly kind: number
  readonly side: 'call' | 'output'
}

const ITEMS: Readonly<Record<string, ToolItem>> = {
  function_call: { kind: Kind.function, side: 'call' },
  function_call_output: { kind: Kind.function, side: 'output' },
  local_shell_call: { kind: Kind.function, side: 'call' },
  local_shell_call_output: { kind: Kind.function, side: 'output' },
  custom_tool_call: { kind: Kind.custom, side: 'call' },
  custom_tool_call_output: { kind: Kind.custom, side: 'output' },
  shell_call: { kind: Kind.shell, side: 'call' },
  shell_call_output: { kind: Kind.shell, side: 'output' },
  apply_patch_call: { kind: Kind.patch, side: 'call' },
  apply_patch_call_output: { kind: Kind.patch, side: 'output' },
  computer_call: { kind: Kind.computer, side: 'call' },
  computer_call_output: { kind: Kind.computer, side: 'output' },
  tool_search_call: { kind: Kind.search, side: 'call' },
  tool_search_output: { kind: Kind.search, side: 'output' },
}

/** Types without an id of a call: who speaks in them. What has no output of its own, or is answered by the provider, is here. */
const OTHERS: Readonly<Record<string, 'system' | 'user' | 'assistant'>> = {
  message: 'assistant',
  reasoning: 'assistant',
  web_search_call: 'assistant',
  file_search_call: 'assistant',
  code_interpreter_call: 'assistant',
  image_generation_call: 'assistant',
  mcp_call: 'assistant',
  mcp_list_tools: 'assistant',
  mcp_approval_request: 'assistant',
  mcp_approval_response: 'user',
  program: 'assistant',
  program_output: 'assistant',
  compaction: 'assistant',
  compaction_trigger: 'user',
  configuration_update: 'system',
  additional_tools: 'system',
  item_reference: 'assistant',
}

/** What a type is to the pairing of calls and outputs; undefined where it is none of the two. */
export function toolItem(type: string): ToolItem | undefined {
  return Object.hasOwn(ITEMS, type) ? ITEMS[type] : undefined
}

/** Who speaks in an item that is neither a message nor one side of a pair. */
export function speakerOf(type: string): 'system' | 'user' | 'assistant' {
  return Object.hasOwn(OTHERS, type) ? OTHERS[type]! : 'assistant'
}

/** Whether a type is one that an item of the API has. */
export function isItemType(type: string): boolean {
  return Object.hasOwn(ITEMS, type) || Object.hasOwn(OTHERS, type)
}

/** One pixel, transparent: the output of a computer call has to be a screenshot. */
const NO_PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** An output that says no more than a text, in the type that the call's kind wants. */
export function outputItem(kind: number, callId: string, text: string): Json {
  switch (kind) {
    case Kind.custom:
      return { type: 'custom_tool_call_output', call_id: callId, output: text }
    case Kind.shell:
      // An outcome is demanded; this one claims no exit code.
      return {
        type: 'shell_call_output',
        call_id: callId,
        output: [{ stdout: '', stderr: text, outcome: { type: 'timeout' } }],
      }
    case Kind.patch:
      return { type: 'apply_patch_call_output', call_id: callId, status: 'failed', output: text }
    case Kind.computer:
      return {
        type: 'computer_call_output',
        call_id: callId,
        status: 'incomplete',
        output: { type: 'computer_screenshot', image_url: NO_PICTURE },
      }
    case Kind.search:
      return { type: 'tool_search_output', call_id: callId, status: 'completed', execution: 'client', tools: [] }
    default:
      return { type: 'function_call_output', call_id: callId, output: text }
  }
}
