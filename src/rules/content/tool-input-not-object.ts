import { type Block, Flag } from '../../model/blocks.ts'
import type { Document } from '../../model/document.ts'
import { type Json, type JsonView, Verbatim } from '../../text/view.ts'
import { type Match, rule } from '../rule.ts'
import { callWords, idsOf } from '../words.ts'

interface NoObject extends Match {
  readonly at: Block
}

export const toolInputNotObject = rule<NoObject>({
  name: 'tool-input-not-object',
  family: 'content',
  phase: 'shape',
  scope: 'conversation',
  severity: 'info',
  summary: 'The input of a tool call is no object',
  since: '0.1.0',
  errors: [{ target: 'anthropic', text: 'tool_use.input: Input should be a valid dictionary' }],
  docs: {
    finds: 'A tool call whose input is a string, a list, a number or null, or that has none.',
    why: 'A client stored the streamed text of the arguments instead of what it parses to. Anthropic and Gemini refuse every request with such a call.',
    example:
      '[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":"{\\"command\\":\\"npm test\\"}"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"}]}]',
    repair:
      'A string that holds an object becomes that object, as it is spelled; an empty string and null become an empty object; anything else is kept whole as {"_raw": …}.',
    safety: 'Safe: every character of the input is still there.',
    sources: ['anthropics/claude-code#6696', 'anthropics/anthropic-sdk-typescript#648', 'lijunzh/koda#501'],
  },
  needs: ({ flags }) => (flags & Flag.inputNotObject) !== 0,
  *detect(conversation, { document }) {
    for (const message of conversation.messages) {
      for (const block of message.blocks) {
        if (block.kind !== 'tool-call' || !block.is(Flag.inputNotObject)) continue
        yield { at: block, message, ids: idsOf(document, block) }
      }
    }
  },
  words: ({ at }, { document }) => {
    const input = document.inputOf(at)
    return `the input of ${callWords(document, at)} is ${input ? nounOf(input) : 'missing'}, not an object`
  },
  repair: ({ at }, { document }) => {
    const value = asObject(document, at)
    return {
      title: Object.hasOwn(value, '_raw') ? 'keep it as {"_raw": …}' : 'make it an object',
      safety: 'safe',
      loses: [],
      operations: [{ do: 'set-input', block: at, value }],
    }
  },
})

function nounOf(input: JsonView): string {
  if (input.kind === 'null') return 'null'
  return input.kind === 'array' ? 'an array' : `a ${input.kind}`
}

function asObject(document: Document, call: Block): Verbatim | { readonly [key: string]: Json } {
  const input = document.inputOf(call)
  const text = input?.string()?.trim()
  if (!input || input.kind === 'null' || text === '') return {}
  if (text?.startsWith('{') && parses(text)) return Verbatim.ofText(Buffer.from(text))
  return { _raw: input.verbatim() }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
