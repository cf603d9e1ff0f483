import type { JsonView } from '../text/view.ts'

/** Block types that only the Anthropic API has. */
const ANTHROPIC_BLOCKS = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'image',
  'document',
  'server_tool_use',
])
/** Part types of the Chat Completions API. */
const OPENAI_PARTS = new Set(['text', 'image_url', 'input_audio', 'file', 'refusal', 'video_url'])
const OPENAI_ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** A message that shows by its blocks that it is in Anthropic's shape. */
export function isAnthropicMessage(message: JsonView): boolean {
  const role = message.get('role')?.string()
  if (role !== 'user' && role !== 'assistant') return false
  return someType(message, (type) => ANTHROPIC_BLOCKS.has(type) || type.endsWith('_tool_result'))
}

/** A body of the Anthropic API: a body with plain texts only is one when a key says so. */
export function isAnthropicBody(body: JsonView): boolean {
  return body.get('input') === undefined && body.get('contents') === undefined
}

/** A message that can be one of Chat Completions: what has no blocks of another shape. Other roles are left to the rules. */
export function isOpenAiMessage(message: JsonView): boolean {
  const role = message.get('role')?.string()
  if (role === undefined || message.get('parts') !== undefined) return false
  const content = message.get('content')
  if (message.get('tool_calls')?.kind === 'array' || role === 'tool' || role === 'function') return true
  if (content?.kind === 'array') return !someType(message, (type) => !OPENAI_PARTS.has(type))
  return (
    content !== undefined &&
    (content.kind === 'string' || content.kind === 'null') &&
    (OPENAI_ROLES.has(role) || content.kind === 'string')
  )
}

export function isOpenAiBody(body: JsonView): boolean {
  return body.get('input') === undefined && body.get('contents') === undefined
}

function someType(message: JsonView, test: (type: string) => boolean): boolean {
  const content = message.get('content')
  if (content?.kind !== 'array') return false
  for (const block of content.items()) {
    const type = block.get('type')?.string()
    if (type !== undefined && test(type)) return true
  }
  return false
}
