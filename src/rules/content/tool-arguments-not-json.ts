import { type Block, Flag } from '../../model/blocks.ts'
import type { Document } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'
import { callWords, idsOf } from '../words.ts'

interface NoJson extends Match {
  readonly at: Block
}

export const toolArgumentsNotJson = rule<NoJson>({
  name: 'tool-arguments-not-json',
  family: 'content',
  phase: 'shape',
  scope: 'conversation',
  severity: 'info',
  summary: 'The arguments of a tool call are no JSON',
  since: '0.1.0',
  errors: [
    { target: 'qwen', text: 'The "function.arguments" parameter of the code model must be in JSON format.' },
    { text: 'Unterminated string' },
  ],
  docs: {
    finds: 'A tool call whose arguments are a text that does not parse as JSON, an empty text, or null.',
    why: 'The answer was cut off in the middle of a call, or a tool without parameters was called with no arguments at all. DashScope and some gateways and chat templates parse the arguments of every call in the history, and refuse the request when one of them cannot be parsed.',
    example:
      '[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"write","arguments":"{\\"path\\":\\"notes"}}]},{"role":"tool","tool_call_id":"call_1","content":"the arguments could not be parsed"}]',
    repair:
      'Empty arguments and null become `{}`. A text that does not parse is kept whole as `{"_raw": …}`: it is never completed, since half a command would then look like the one that was given.',
    safety: 'Safe: every character of the arguments is still there.',
    sources: ['HKUDS/nanobot#1487', 'continuedev/continue#11556', 'xintaofei/codeg#538'],
  },
  needs: ({ flags }) => (flags & Flag.argumentsNotJson) !== 0,
  *detect(conversation, { document }) {
    for (const message of conversation.messages) {
      for (const block of message.blocks) {
        if (block.is(Flag.argumentsNotJson)) yield { at: block, message, ids: idsOf(document, block) }
      }
    }
  },
  words: ({ at }, { document }) =>
    `the arguments of ${callWords(document, at)} are ${textOf(document, at) === '' ? 'empty' : 'no JSON'}`,
  repair: ({ at }, { document }) => {
    const text = textOf(document, at)
    return {
      title: text === '' ? 'write empty arguments' : 'keep them as {"_raw": …}',
      safety: 'safe',
      loses: [],
      operations: [{ do: 'set-input', block: at, value: text === '' ? '{}' : JSON.stringify({ _raw: text }) }],
    }
  },
})

/** The arguments; white space and null are none. */
function textOf(document: Document, call: Block): string {
  const text = document.inputOf(call)?.string() ?? ''
  return text.trim() === '' ? '' : text
}
