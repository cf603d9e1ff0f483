import type { Shape } from '../generate/specimen.ts'
import { asString, isObject, type Node, type Part, type Said, stringsIn } from './said.ts'
import { type Span, sliceOf } from './spans.ts'

/** Reads one stored message. */
export function readMessage(node: Node, shape: Shape): Said {
  const { value } = node
  const parts = shape === 'anthropic' ? anthropic(node) : shape === 'gemini' ? gemini(node) : openAi(node)
  const content = shape === 'gemini' ? value.parts : value.content
  return { role: asString(value.role), parts, content, where: node.where }
}

/** The node of something inside another one. */
export function inside(node: Node, ...path: readonly (string | number)[]): Node | undefined {
  let value: unknown = node.value
  let span: Span | undefined = node.span
  for (const step of path) {
    value = isObject(value) || Array.isArray(value) ? (value as Record<string | number, unknown>)[step] : undefined
    span = typeof step === 'string' ? span?.members.get(step) : span?.items[step]
  }
  return isObject(value) && span
    ? { value, span, text: node.text, where: `${node.where}/${path.join('/')}` }
    : undefined
}

function part(
  kind: Part['kind'],
  value: unknown,
  raw: string,
  whole = raw,
  id = '',
  name = '',
  inner: readonly Part[] = [],
): Part {
  return { kind, id, name, value, text: stringsIn(value), raw, whole, inner }
}

function anthropic(node: Node): Part[] {
  const { content } = node.value
  if (typeof content === 'string') return [part('text', content, sliceOf(node.text, node.span, 'content'))]
  return anthropicBlocks(content, node.text, node.span.members.get('content'))
}

function anthropicBlocks(content: unknown, text: string, span: Span | undefined): Part[] {
  if (!Array.isArray(content)) return []
  return content.map((block: unknown, i) => {
    const at = span?.items[i]
    const raw = sliceOf(text, at)
    if (!isObject(block)) return part('other', block, raw)
    switch (block.type) {
      case 'text':
        return part('text', block.text, sliceOf(text, at, 'text'), raw)
      case 'tool_use':
        return part('call', block.input, sliceOf(text, at, 'input'), raw, asString(block.id), asString(block.name))
      case 'tool_result': {
        const inner = anthropicBlocks(block.content, text, at?.members.get('content'))
        return part('result', block.content, raw, raw, asString(block.tool_use_id), '', inner)
      }
      case 'image':
      case 'document':
        return part('media', null, raw)
      case 'thinking':
      case 'redacted_thinking':
        return part('thinking', null, raw)
      default:
        return part('other', block, raw)
    }
  })
}

function openAi({ value, text, span }: Node): Part[] {
  const { content } = value
  const at = span.members.get('content')
  const inner: Part[] =
    typeof content === 'string'
      ? [part('text', content, sliceOf(text, at))]
      : Array.isArray(content)
        ? content.map((item: unknown, i) => openAiPart(item, text, at?.items[i]))
        : []
  if (value.role === 'tool') {
    return [
      part(
        'result',
        content,
        sliceOf(text, span),
        sliceOf(text, span),
        asString(value.tool_call_id),
        asString(value.name),
        inner,
      ),
    ]
  }
  if (!Array.isArray(value.tool_calls)) return inner
  const calls = value.tool_calls.map((call: unknown, i) => {
    const body = isObject(call) && isObject(call.function) ? call.function : {}
    const raw = sliceOf(text, span, 'tool_calls', i, 'function', 'arguments')
    const whole = sliceOf(text, span, 'tool_calls', i)
    return part('call', body.arguments, raw, whole, isObject(call) ? asString(call.id) : '', asString(body.name))
  })
  return [...inner, ...calls]
}

function openAiPart(item: unknown, text: string, at: Span | undefined): Part {
  if (!isObject(item)) return part('other', item, sliceOf(text, at))
  if (item.type === 'text') return part('text', item.text, sliceOf(text, at, 'text'), sliceOf(text, at))
  return part(item.type === 'image_url' || item.type === 'file' ? 'media' : 'other', null, sliceOf(text, at))
}

function gemini({ value, text, span }: Node): Part[] {
  if (!Array.isArray(value.parts)) return []
  return value.parts.map((item: unknown, i) => {
    const at = span.members.get('parts')?.items[i]
    const raw = sliceOf(text, at)
    if (!isObject(item)) return part('other', item, raw)
    if (isObject(item.functionCall)) {
      const { id, name, args } = item.functionCall
      return part('call', args, sliceOf(text, at, 'functionCall', 'args'), raw, asString(id), asString(name))
    }
    if (isObject(item.functionResponse)) {
      const { id, name, response } = item.functionResponse
      return part('result', response, raw, raw, asString(id), asString(name))
    }
    if (item.thought === true) return part('thinking', null, raw)
    if (typeof item.text === 'string') return part('text', item.text, sliceOf(text, at, 'text'), sliceOf(text, at))
    return part(isObject(item.inlineData) ? 'media' : 'other', null, raw)
  })
}
