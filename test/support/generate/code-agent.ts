import type fc from 'fast-check'
import { Dice } from '../dice.ts'
import { Envelope } from './envelope.ts'
import type { Fields } from './json.ts'
import { openAiMessages } from './openai.ts'
import type { Specimen } from './specimen.ts'
import { talk } from './talk.ts'

/** codeAgent writes all keys of a record, empty ones as null. */
function recordsOf(messages: readonly Fields[], seed: number): Fields[] {
  const envelope = new Envelope(new Dice(seed), 'session')
  let turn = 0
  return messages.map((message) => {
    if (message.role === 'user') turn++
    return {
      id: envelope.uuid(),
      role: message.role!,
      content: message.content ?? null,
      tool_calls: message.tool_calls ?? null,
      tool_call_id: message.tool_call_id ?? null,
      name: null,
      timestamp: envelope.time(),
      turn_index: turn,
    }
  })
}

export const codeAgentSessions: fc.Arbitrary<Specimen> = talk.map((from) => ({
  format: 'codeagent',
  shape: 'openai',
  layout: 'lines',
  records: recordsOf(openAiMessages(from, { plain: true }), from.seed),
  around: {},
  seed: from.seed,
}))
