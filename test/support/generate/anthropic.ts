import { Dice } from '../dice.ts'
import type { Fields, Value } from './json.ts'
import type { Step, Talk } from './talk.ts'
import { Words } from './words.ts'

/** A small image that every provider takes. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAAAAAA6mKC9AAAAD0lEQVR4nGNoQAMMI1sAAAUMgAFaSOXNAAAAAElFTkSuQmCC'

/** Signatures in the form of real ones: what is signed, behind its length. */
const SIGNATURES = ['Kx7vQmZ0', 'Lw3bTt5y', 'Hn8RjPq2'].map((text, i) => signed(text, 170 + 40 * i))

function signed(text: string, length: number): string {
  const body = Buffer.from(text.repeat(40)).subarray(0, length)
  return Buffer.concat([
    Buffer.from([0x12, 0x80 | (length & 0x7f), length >> 7]),
    body,
    Buffer.from([0x18, 1]),
  ]).toString('base64')
}

export const image = (): Fields => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: PNG },
})

const text = (content: string): Fields => ({ type: 'text', text: content })

/** What the parts of one answer are; formats put them into one message or into several records. */
export interface Answer {
  readonly blocks: Fields[]
  /** In the order in which they came in. */
  readonly results: Fields[]
}

export class AnthropicWriter {
  readonly words: Words
  readonly dice: Dice

  constructor(seed: number) {
    this.dice = new Dice(seed)
    this.words = new Words(this.dice)
  }

  prompt(texts: number, withImage: boolean): Value {
    if (texts === 1 && !withImage && !this.dice.once(3)) return this.words.say('u')
    const blocks: Value[] = Array.from({ length: texts }, () => text(this.words.say('u')))
    if (withImage) blocks.splice(this.dice.roll(2), 0, image())
    return blocks
  }

  answer(step: Step): Answer {
    const blocks: Fields[] = []
    if (step.thinking)
      blocks.push({ type: 'thinking', thinking: this.dice.pick(['so', '']), signature: this.dice.pick(SIGNATURES) })
    if (step.text || step.calls === 0) blocks.push(text(this.words.say('a')))
    const results: Fields[] = []
    for (let i = 0; i < step.calls; i++) {
      const id = `toolu_${this.words.number()}x`
      blocks.push({ type: 'tool_use', id, name: this.dice.pick(['Read', 'Bash']), input: this.words.input() })
      results.push(this.result(id))
    }
    return { blocks, results: new Dice(step.order).shuffle(results) }
  }

  result(id: string): Fields {
    const said = this.words.say('r')
    const content = this.dice.pick<Value>([said, [text(said)], [text(said), image()], [text(said), text('more')]])
    const result: Fields = { type: 'tool_result', tool_use_id: id, content }
    if (this.dice.once(4) && typeof content === 'string') result.is_error = true
    return this.dice.once(5) ? { content: result.content!, ...result } : result
  }

  closing(): Value {
    const said = this.words.say('a')
    return this.dice.once(3) ? said : [text(said)]
  }
}

/** The messages of a request to the Messages API. */
export function anthropicMessages(talk: Talk): Fields[] {
  const writer = new AnthropicWriter(talk.seed)
  const { dice, words } = writer
  const messages: Fields[] = []
  for (const { texts, image: withImage, steps } of talk.turns) {
    messages.push({ role: 'user', content: writer.prompt(texts, withImage) })
    for (const step of steps) {
      const { blocks, results } = writer.answer(step)
      messages.push({ role: 'assistant', content: blocks })
      if (results.length === 0) {
        messages.push({ role: 'user', content: words.say('u') })
        continue
      }
      // Results may be spread over consecutive user messages, and text may follow them.
      const cut = dice.once(4) ? 1 + dice.roll(results.length) : results.length
      if (dice.once(4)) results.push(text(words.say('u')))
      messages.push({ role: 'user', content: results.slice(0, cut) })
      if (cut < results.length) messages.push({ role: 'user', content: results.slice(cut) })
    }
    messages.push({ role: 'assistant', content: writer.closing() })
  }
  // A request ends with what the user says.
  messages.push({ role: 'user', content: words.say('u') })
  return messages
}
