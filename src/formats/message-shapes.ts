import { isItemType, toolItem } from '../dialects/openai-responses-tools.ts'
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

/** Part types that only the Responses API has. */
const RESPONSES_PARTS = new Set(['input_text', 'output_text', 'input_image', 'input_file'])

/** Something that can be an item of the Responses API: it has a type, or a role. */
export function isResponsesItem(item: JsonView): boolean {
  return item.get('type')?.kind === 'string' || item.get('role')?.kind === 'string'
}

/** An item that shows by its type or its parts that it is one of the Responses API. */
export function showsResponses(item: JsonView): boolean {
  const type = item.get('type')?.string()
  if (type === undefined || type === 'message') return someType(item, (part) => RESPONSES_PARTS.has(part))
  if (!isItemType(type)) return false
  // Other shapes have blocks of such names, but none that name their call so.
  return toolItem(type) === undefined || item.get('call_id') !== undefined || item.get('id') !== undefined
}

/**
 * A body with items: `input` of a request, or `output` of a response. Texts alone are enough when a key says so; a bare list has
 * to show by an item what it is.
 */
export function isResponsesBody(body: JsonView): boolean {
  if (body.kind === 'array') return someOf(body, showsResponses)
  if (body.get('messages') !== undefined) return false
  return body.get('input')?.kind === 'array' || body.get('object')?.string() === 'response'
}

/** Something that can be an item of `contents`: it has a role, which a request with one turn may leave out, or parts. */
export function isGeminiItem(item: JsonView): boolean {
  return item.get('parts') !== undefined || item.get('role')?.kind === 'string'
}

const GEMINI_ROLES = new Set(['user', 'model', 'function'])

/** A message of the Gemini API: its parts have no type, where those of other shapes that have parts do. */
export function isGeminiMessage(message: JsonView): boolean {
  const parts = message.get('parts')
  const role = message.get('role')
  if (parts?.kind !== 'array' || parts.size === 0 || message.get('content') !== undefined) return false
  if (role !== undefined && !GEMINI_ROLES.has(role.string() ?? '')) return false
  for (const part of parts.items()) {
    if (
      part.kind !== 'string' &&
      (part.kind !== 'object' || part.get('type') !== undefined || part.get('kind') !== undefined)
    )
      return false
  }
  return true
}

/** A request or an answer of a batch: what it is called by, since answers come in any order. */
export function isNamedRow(row: JsonView): boolean {
  return row.get('custom_id')?.kind === 'string'
}

/** A request with an answer that was liked and one that was not. */
export function isPreference(row: JsonView): boolean {
  return row.get('preferred_output')?.kind === 'array' && row.get('non_preferred_output')?.kind === 'array'
}

/** A request of OpenAI's batches (https://platform.openai.com/docs/guides/batch). */
export function isBatchRequest(row: JsonView): boolean {
  return isNamedRow(row) && (row.get('url')?.kind === 'string' || row.get('method')?.kind === 'string')
}

/** Keys of which a block of Converse has one, and no type. */
const BEDROCK_KEYS = [
  'text',
  'toolUse',
  'toolResult',
  'image',
  'document',
  'reasoningContent',
  'cachePoint',
  'guardContent',
  'video',
  'audio',
]

/** A message of Bedrock Converse: its blocks have no type; the untyped parts of DashScope hold texts where these hold objects. */
export function isBedrockMessage(message: JsonView): boolean {
  const content = message.get('content')
  if (message.get('role')?.kind !== 'string' || content?.kind !== 'array' || content.size === 0) return false
  for (const block of content.items()) {
    if (block.get('type') !== undefined) return false
    const key = BEDROCK_KEYS.find((each) => block.get(each) !== undefined)
    if (key === undefined || (block.get(key)?.kind === 'object') === (key === 'text')) return false
  }
  return true
}

/** Items that are looked at before a list is taken for one of something else. */
const LOOKED_AT = 100

function someOf(list: JsonView, test: (item: JsonView) => boolean): boolean {
  let looked = 0
  for (const item of list.items()) {
    if (test(item)) return true
    if (++looked >= LOOKED_AT) return false
  }
  return false
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
