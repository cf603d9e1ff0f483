import fc from 'fast-check'
import { type Blow, strike } from '../../../test/support/damage.ts'
import { anthropicLists } from '../../../test/support/generate/lists.ts'
import { bytesOf } from '../../../test/support/generate/specimen.ts'
import { asString, isObject, type Part, type Said, stringsIn } from '../../../test/support/judge/said.ts'

/** A conversation in no provider's shape: results stand in messages of the user. */
export type Conversation = readonly Said[]

/** Damage to the pairing of calls and results, and to the order of messages: what repair functions are for. */
const KINDS = [
  'drop',
  'double',
  'move',
  'swap',
  'tail',
  'head',
  'callGone',
  'resultGone',
  'resultTwice',
  'resultElsewhere',
  'resultRenamed',
  'callTwice',
  'sameIds',
  'textInFront',
]

const blow: fc.Arbitrary<Blow> = fc.record({ kind: fc.constantFrom(...KINDS), seed: fc.nat() })

/** The same damaged conversations for the same seed. What other functions do not claim to repair is not in them: no thinking, no media. */
export function damagedConversations(number: number, seed: number): Conversation[] {
  const specimens = anthropicLists.filter(({ layout }) => layout === 'array')
  return fc
    .sample(fc.tuple(specimens, fc.array(blow, { minLength: 1, maxLength: 3 })), { numRuns: number, seed })
    .map(([specimen, blows]) => {
      const messages: unknown = JSON.parse(bytesOf({ ...strike(specimen, blows), seed: 0 }).toString())
      return Array.isArray(messages) ? plain(messages) : []
    })
    .filter((conversation) => conversation.length > 0)
}

/** A healthy conversation but for every hundredth result, which is missing. */
export function longConversation(number: number): Conversation {
  const messages: Said[] = []
  for (let turn = 0; messages.length < number; turn++) {
    const id = `call_${turn}`
    messages.push(said('user', [text(`read file ${turn}, please`)]))
    messages.push(said('assistant', [call(id, 'read', { path: `src/${turn}.ts` })]))
    if (turn % 100 !== 99) messages.push(said('user', [result(id, 'read', `export const n = ${turn}`)]))
    messages.push(said('assistant', [text(`it exports ${turn}`)]))
  }
  return messages
}

function plain(messages: readonly unknown[]): Conversation {
  return messages.filter(isObject).flatMap(({ role, content }): Said[] => {
    const blocks = Array.isArray(content) ? content.filter(isObject) : [{ type: 'text', text: content }]
    const parts = blocks.flatMap((block): Part[] => {
      if (block.type === 'text') return [text(asString(block.text))]
      if (block.type === 'tool_use') return [call(asString(block.id), asString(block.name), block.input)]
      if (block.type !== 'tool_result') return []
      return [result(asString(block.tool_use_id), '', stringsIn(words(block.content)))]
    })
    return parts.length > 0 ? [said(asString(role), parts)] : []
  })
}

const words = (content: unknown): unknown =>
  Array.isArray(content) ? content.filter(isObject).map((block) => block.text ?? '') : content

export function said(role: string, parts: Part[], where = ''): Said {
  return { role, parts, content: parts, where }
}

export const text = (value: string): Part => part('text', value)
export const call = (id: string, name: string, input: unknown): Part => part('call', input, id, name)
export const result = (id: string, name: string, value: unknown): Part => part('result', value, id, name)

function part(kind: Part['kind'], value: unknown, id = '', name = ''): Part {
  return { kind, id, name, value, text: stringsIn(value), raw: '', whole: '', inner: [] }
}
