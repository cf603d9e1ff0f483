import { Transcript } from '../../src/engine/transcript.ts'
import { formatNamed } from '../../src/formats/index.ts'
import type { Block } from '../../src/model/blocks.ts'
import { type Pairing, pairingOf } from '../../src/rules/pairing/pairing.ts'
import { targetNamed } from '../../src/targets/index.ts'

/** Short ways to write messages; strings are texts. */
type Part = string | Record<string, unknown>

const part = (each: Part): Record<string, unknown> => (typeof each === 'string' ? { type: 'text', text: each } : each)

export const user = (...parts: Part[]) => ({ role: 'user', content: parts.map(part) })
export const assistant = (...parts: Part[]) => ({ role: 'assistant', content: parts.map(part) })
export const call = (id: string, name = 'Look', input: unknown = {}) => ({ type: 'tool_use', id, name, input })
export const result = (id: string, content: unknown = `out of ${id}`) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
})
export const LOST = '[convfix] No result was recorded for this tool call'
export const image = (n: number) => ({ type: 'image', source: { type: 'url', url: `https://example.com/${n}.png` } })
export const thinking = (text = 'hm') => ({ type: 'thinking', thinking: text, signature: 'c2lnbmVk' })
export const serverCall = (id: string) => ({ type: 'server_tool_use', id, name: 'web_search', input: {} })
export const serverResult = (id: string) => ({ type: 'web_search_tool_result', tool_use_id: id, content: [] })

/** The same in the shape of Chat Completions. */
export const chat = {
  user: (content: unknown) => ({ role: 'user', content }),
  say: (content: unknown) => ({ role: 'assistant', content }),
  calls: (...calls: (string | { id: string; name?: string; [key: string]: unknown })[]) => ({
    role: 'assistant',
    content: '',
    tool_calls: calls.map((each) => {
      const { id, name = 'look', arguments: input = '{}', ...more } = typeof each === 'string' ? { id: each } : each
      return { id, ...more, type: 'function', function: { name, arguments: input } }
    }),
  }),
  tool: (id: string, content = `out of ${id}`) => ({ role: 'tool', tool_call_id: id, content }),
}

export function transcriptOf(messages: readonly unknown[], target: string): Transcript {
  const format = formatNamed(target === 'anthropic' ? 'anthropic-lines' : 'openai-chat-lines')!
  return Transcript.ofMessages(messages, format, { target })
}

export function pairingIn(transcript: Transcript): Pairing {
  return pairingOf(transcript.conversations[0]!, targetNamed(transcript.target)!)
}

/** What became of each call and result, by id; what is empty is left out. */
export function fates(messages: readonly unknown[], target = 'anthropic'): Record<string, string[]> {
  const transcript = transcriptOf(messages, target)
  const { lastTurn: _, ...lists } = pairingIn(transcript)
  const id = (block: Block): string => transcript.ids.text(block.id)
  const named: Record<string, string[]> = {}
  for (const [name, list] of Object.entries(lists)) {
    if (list.length === 0) continue
    named[name] = list.map((each) => {
      if ('earlier' in each) return id(each.call.block)
      if (name === 'misnamed' && 'call' in each && each.call) return `${id(each.block)} for ${id(each.call.block)}`
      return id(each.block)
    })
  }
  return named
}
