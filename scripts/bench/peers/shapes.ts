import { asString, isObject, type Part, type Said, stringsIn } from '../../../test/support/judge/said.ts'
import { type Conversation, call, result, said, text } from './conversation.ts'

/** How a product holds messages in memory. */
export interface Shape {
  write(conversation: Conversation): unknown[]
  /** With the roles that the provider knows. */
  read(messages: readonly unknown[]): Said[]
}

type Fields = Record<string, unknown>

const items = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The names of calls by their ids, since some shapes want the name at the result, too. */
function namesIn(conversation: Conversation): (id: string) => string {
  const names = new Map<string, string>()
  for (const { parts } of conversation) for (const { kind, id, name } of parts) if (kind === 'call') names.set(id, name)
  return (id) => names.get(id) ?? 'unknown'
}

/** Runs of texts and calls as one message, each result as one of its own. */
function apart({ role, parts }: Said): { role: string; parts: Part[]; result?: Part }[] {
  const messages: { role: string; parts: Part[]; result?: Part }[] = []
  for (const part of parts) {
    const last = messages.at(-1)
    if (part.kind === 'result') messages.push({ role, parts: [], result: part })
    else if (last && !last.result) last.parts.push(part)
    else messages.push({ role, parts: [part] })
  }
  return messages
}

/** A result where the shape has a role for it, else as a message of the user. */
const answer = (id: unknown, name: unknown, content: unknown, role = 'user'): Said =>
  said(role, [result(asString(id), asString(name), content)])

export const anthropic: Shape = {
  write: (conversation) =>
    conversation.map(({ role, parts }) => ({
      role,
      content: parts.map(({ kind, id, name, value }) => {
        if (kind === 'call') return { type: 'tool_use', id, name, input: value }
        if (kind === 'result') return { type: 'tool_result', tool_use_id: id, content: value }
        return { type: 'text', text: value }
      }),
    })),
  read: (messages) =>
    items(messages).map(({ role, content }) => {
      const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : items(content)
      const parts = blocks.map((block: Fields): Part => {
        if (block.type === 'tool_use') return call(asString(block.id), asString(block.name), block.input)
        if (block.type === 'tool_result') return result(asString(block.tool_use_id), '', stringsIn(block.content))
        return text(asString(block.text))
      })
      return said(asString(role), parts)
    }),
}

export const gemini: Shape = {
  write(conversation) {
    const nameOf = namesIn(conversation)
    return conversation.map(({ role, parts }) => ({
      role: role === 'assistant' ? 'model' : 'user',
      parts: parts.map(({ kind, id, name, value }) => {
        if (kind === 'call') return { functionCall: { id, name, args: value } }
        if (kind === 'result') return { functionResponse: { id, name: nameOf(id), response: { output: value } } }
        return { text: value }
      }),
    }))
  },
  read: (messages) =>
    items(messages).map(({ role, parts }) => {
      const read = items(parts).map(({ functionCall, functionResponse, text: words }): Part => {
        if (isObject(functionCall))
          return call(asString(functionCall.id), asString(functionCall.name), functionCall.args)
        if (!isObject(functionResponse)) return text(asString(words))
        const { id, name, response } = functionResponse
        return result(asString(id), asString(name), stringsIn(response))
      })
      return said(asString(role), read)
    }),
}

export const chat: Shape = {
  write: (conversation) =>
    conversation.flatMap(apart).map(({ role, parts, result: answered }) => {
      if (answered) return { role: 'tool', tool_call_id: answered.id, content: answered.text }
      const words = parts.filter(({ kind }) => kind === 'text').map((each) => each.text)
      const calls = parts.filter(({ kind }) => kind === 'call')
      const tool_calls = calls.map(({ id, name, value }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(value) },
      }))
      const content = words.length > 0 ? words.join('\n') : null
      return { role, content, ...(calls.length > 0 && { tool_calls }) }
    }),
  read: (messages) =>
    items(messages).map(({ role, content, tool_calls, tool_call_id }) => {
      const words = typeof content === 'string' ? [content] : items(content).map((item) => asString(item.text))
      if (role === 'tool') return answer(tool_call_id, '', words.join('\n'), 'tool')
      const calls = items(tool_calls).map(({ id, function: body }) =>
        call(asString(id), isObject(body) ? asString(body.name) : '', isObject(body) ? body.arguments : undefined),
      )
      return said(asString(role), [...words.map(text), ...calls])
    }),
}

/** Items of the Responses API; the Agents SDK holds the same with other names. */
function responseItems(names: { call: string; callId: string; output: string }): Shape {
  const isAgents = names.callId === 'callId'
  const output = (value: string): unknown => (isAgents ? { type: 'text', text: value } : value)
  return {
    write(conversation) {
      const nameOf = namesIn(conversation)
      return conversation.flatMap(({ role, parts }) =>
        parts.map(({ kind, id, name, value, text: words }) => {
          const ids = { [names.callId]: id, status: 'completed' }
          if (kind === 'call') return { type: names.call, ...ids, name, arguments: JSON.stringify(value) }
          if (kind === 'result')
            return { type: names.output, ...ids, ...(isAgents && { name: nameOf(id) }), output: output(words) }
          const type = role === 'assistant' ? 'output_text' : 'input_text'
          return { type: 'message', role, status: 'completed', content: [{ type, text: value }] }
        }),
      )
    },
    read: (messages) =>
      items(messages).map((item) => {
        const id = asString(item[names.callId])
        if (item.type === names.call) return said('assistant', [call(id, asString(item.name), item.arguments)])
        if (item.type === names.output) return answer(id, item.name, stringsIn(item.output))
        const words =
          typeof item.content === 'string' ? [item.content] : items(item.content).map((part) => asString(part.text))
        return said(asString(item.role), words.map(text))
      }),
  }
}

export const responses = responseItems({ call: 'function_call', callId: 'call_id', output: 'function_call_output' })
export const agents = responseItems({ call: 'function_call', callId: 'callId', output: 'function_call_result' })

/** Messages of pi, which OpenClaw has, too. */
export const pi: Shape = {
  write(conversation) {
    const nameOf = namesIn(conversation)
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 }
    return conversation.flatMap(apart).map(({ role, parts, result: answered }, i) => {
      const timestamp = 1.79e12 + i
      if (answered) {
        const content = [{ type: 'text', text: answered.text }]
        const toolName = nameOf(answered.id)
        return { role: 'toolResult', toolCallId: answered.id, toolName, content, isError: false, timestamp }
      }
      const content = parts.map(({ kind, id, name, value }) =>
        kind === 'call' ? { type: 'toolCall', id, name, arguments: value } : { type: 'text', text: value },
      )
      if (role !== 'assistant') return { role, content, timestamp }
      const stopReason = parts.some(({ kind }) => kind === 'call') ? 'toolUse' : 'stop'
      return { role, content, ...PI_MODEL, model: PI_MODEL.id, usage, stopReason, timestamp }
    })
  },
  read: (messages) =>
    items(messages).map(({ role, content, toolCallId, toolName }) => {
      if (role === 'toolResult') return answer(toolCallId, toolName, stringsIn(items(content).map((part) => part.text)))
      const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : items(content)
      const parts = blocks.map(
        (block: Fields): Part =>
          block.type === 'toolCall'
            ? call(asString(block.id), asString(block.name), block.arguments)
            : text(asString(block.text)),
      )
      return said(asString(role), parts)
    }),
}

export const PI_MODEL = {
  id: 'claude-sonnet-4-5',
  api: 'anthropic-messages',
  provider: 'anthropic',
  input: ['text', 'image'],
}
