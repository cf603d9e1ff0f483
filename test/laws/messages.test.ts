import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fix, normalizeMessages } from '../../src/index.ts'
import { blowsToMessages, strike } from '../support/damage.ts'
import { SPECIMENS } from '../support/generate/index.ts'
import { bytesOf } from '../support/generate/specimen.ts'
import { judge } from '../support/judge.ts'
import { params } from '../support/runs.ts'

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) freeze(each)
    Object.freeze(value)
  }
  return value
}

/** Damaged messages in memory, with the JSON text that they stand for. */
const damaged = fc
  .tuple(fc.oneof(SPECIMENS.anthropic!, SPECIMENS.openai!), blowsToMessages)
  .filter(([specimen]) => specimen.layout === 'array')
  .map(([specimen, blows]) => {
    const text = `${bytesOf({ ...strike(specimen, blows), seed: 0 })}`
    return { text, messages: freeze(JSON.parse(text) as unknown[]), shape: specimen.format }
  })

function isResults(message: unknown): boolean {
  const { role, content } = message as { role?: string; content?: unknown }
  const isResult = (block: { type?: string }): boolean => block.type === 'tool_result'
  return role === 'tool' || (Array.isArray(content) && content.every(isResult))
}

const rulesOf = ({ applied }: { readonly applied: readonly { readonly rule: string }[] }): string[] =>
  applied.map(({ rule }) => rule)

describe('messages in memory', () => {
  test('are not touched, and what no repair changed is the same object', () => {
    const property = fc.property(damaged, ({ messages }) => {
      const before = JSON.stringify(messages)
      const { messages: after } = normalizeMessages(messages)
      expect(JSON.stringify(messages)).toBe(before)
      const old = new Map(messages.map((message) => [JSON.stringify(message), message]))
      for (const message of after) {
        const same = old.get(JSON.stringify(message))
        // A result that is moved is a new message. Of messages that say the same any may be the one that stays.
        if (isResults(message)) continue
        if (same !== undefined && !messages.includes(message)) expect.fail(`made anew: ${JSON.stringify(message)}`)
      }
    })
    fc.assert(property, params(200))
  })

  test('are repaired as their JSON text is', () => {
    const property = fc.property(damaged, ({ text, messages }) => {
      const fromText = fix(text)
      const inMemory = normalizeMessages(messages)
      expect(inMemory.messages).toEqual(JSON.parse(String(fromText.output)))
      // A fault of a record is told once of a text that is one record, and of each message that is one.
      expect([...new Set(rulesOf(inMemory))]).toEqual([...new Set(rulesOf(fromText))])
    })
    fc.assert(property, params(200))
  })

  test('are valid afterwards, and a second time nothing is done', () => {
    const property = fc.property(damaged, ({ messages, shape }) => {
      const target = shape === 'anthropic' ? 'anthropic' : 'openai-chat'
      const options = { format: `${shape}-lines`, target }
      const once = normalizeMessages(messages, options)
      expect(judge(Buffer.from(JSON.stringify(once.messages)), shape).faults).toEqual([])
      const twice = normalizeMessages(once.messages, options)
      expect(twice.applied).toEqual([])
      expect(twice.messages).toEqual(once.messages)
    })
    fc.assert(property, params(200))
  })
})
