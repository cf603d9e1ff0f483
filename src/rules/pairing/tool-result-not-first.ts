import type { Block } from '../../model/blocks.ts'
import type { Message } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'
import { idsOf, idWords } from '../words.ts'
import { pairingOf } from './pairing.ts'

interface NotFirst extends Match {
  readonly at: Block
  readonly message: Message
  readonly results: readonly Block[]
}

export const toolResultNotFirst = rule<NotFirst>({
  name: 'tool-result-not-first',
  family: 'pairing',
  phase: 'layout',
  scope: 'conversation',
  severity: 'error',
  summary: 'Text stands before a tool result in the same message',
  since: '0.1.0',
  errors: [{ target: 'anthropic', text: '`tool_use` ids were found without `tool_result` blocks immediately after' }],
  docs: {
    finds: 'A user message behind a tool call in which something else stands before a result.',
    why: 'Whatever is no result ends the run of results: the provider does not see the results behind it and says that they are missing. Reminders that a client puts in front of the results are a frequent cause.',
    example:
      '[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]},{"role":"user","content":[{"type":"text","text":"note"},{"type":"tool_result","tool_use_id":"toolu_1","content":"done"}]}]',
    repair: 'The results of the message are put first; results and other blocks each keep their order.',
    safety: 'Safe: nothing is taken out.',
    sources: [
      'https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls',
      'NousResearch/hermes-agent#65369',
    ],
  },
  *detect(conversation, { document, target }) {
    const byMessage = new Map<Message, Block[]>()
    for (const { block, message } of pairingOf(conversation, target).behindText) {
      const others = byMessage.get(message)
      if (others) others.push(block)
      else byMessage.set(message, [block])
    }
    for (const [message, results] of byMessage) {
      yield { at: results[0]!, message, results, ids: idsOf(document, ...results) }
    }
  },
  words: ({ results }, { document }) =>
    results.length === 1
      ? `result ${idWords(document.ids.text(results[0]!.id))} stands behind other content of its message`
      : `${results.length} results stand behind other content of their message`,
  repair: ({ message }) => ({
    title: 'put the results first',
    safety: 'safe',
    loses: [],
    operations: [{ do: 'results-first', message }],
  }),
})
