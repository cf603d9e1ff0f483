import { describe, expect, test } from 'vitest'
import { check } from '../../src/index.ts'

/** The words for the message that holds the finding. */
function faultyLine(messages: readonly unknown[], rule: string): readonly string[] | undefined {
  const found = check(messages, { target: 'anthropic', select: [rule] }).findings
  return found[0]?.frame.find(({ mark }) => mark === 'fault')?.blocks
}

const call = (n: number) => ({ type: 'tool_use', id: `toolu_${n}`, name: 'count', input: {} })
const result = (n: number) => ({ type: 'tool_result', tool_use_id: `toolu_${n}`, content: '12' })
const numbers = Array.from({ length: 9 }, (_, i) => i + 1)

describe('the turn with the fault', () => {
  test('shows the faulty block, wherever in the message it stands', () => {
    const messages = [
      { role: 'user', content: 'Count.' },
      { role: 'assistant', content: numbers.map(call) },
      { role: 'user', content: numbers.filter((n) => n !== 9).map(result) },
    ]
    expect(faultyLine(messages, 'orphan-tool-call')).toEqual([
      '…',
      ...numbers.slice(3).map((n) => `call count toolu_${n}`),
    ])
  })

  test('says that there is more', () => {
    const messages = [
      { role: 'user', content: 'Count.' },
      { role: 'assistant', content: numbers.map(call) },
      { role: 'user', content: numbers.filter((n) => n !== 1).map(result) },
    ]
    expect(faultyLine(messages, 'orphan-tool-call')).toEqual([
      ...numbers.slice(0, 6).map((n) => `call count toolu_${n}`),
      '…',
    ])
  })
})
