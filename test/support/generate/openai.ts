import { Dice } from '../dice.ts'
import { PNG } from './anthropic.ts'
import { type Fields, type Value, write } from './json.ts'
import type { Talk } from './talk.ts'
import { Words } from './words.ts'

const text = (content: string): Fields => ({ type: 'text', text: content })

/** The messages of a request to Chat Completions. */
export function openAiMessages(talk: Talk, options: { readonly plain?: boolean } = {}): Fields[] {
  const dice = new Dice(talk.seed)
  const words = new Words(dice)
  const plain = options.plain ?? false
  const messages: Fields[] = []
  if (!plain && !dice.once(2)) messages.push({ role: dice.pick(['system', 'developer']), content: words.say('u') })
  for (const { texts, image, steps } of talk.turns) {
    const parts: Value[] = Array.from({ length: texts }, () => text(words.say('u')))
    if (image) parts.push({ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } })
    messages.push({ role: 'user', content: plain || parts.length === 1 ? words.say('u') : parts })
    for (const step of steps) {
      const said = step.text || step.calls === 0
      const message: Fields = { role: 'assistant', content: said ? words.say('a') : null }
      if (!said && dice.once(3) && !plain) delete message.content
      messages.push(message)
      if (step.calls === 0) {
        messages.push({ role: 'user', content: words.say('u') })
        continue
      }
      const results: Fields[] = []
      const calls: Value[] = []
      for (let i = 0; i < step.calls; i++) {
        const id = `call_${words.number()}x`
        const args = write(words.input(), dice, undefined)
        calls.push({ id, type: 'function', function: { name: dice.pick(['ls', 'cat']), arguments: args } })
        const content = words.say('r')
        const result: Fields = {
          role: 'tool',
          tool_call_id: id,
          content: plain || dice.once(2) ? content : [text(content)],
        }
        results.push(dice.once(5) ? { content: result.content!, ...result } : result)
      }
      message.tool_calls = calls
      messages.push(...new Dice(step.order).shuffle(results))
    }
    messages.push({ role: 'assistant', content: words.say('a') })
  }
  messages.push({ role: 'user', content: words.say('u') })
  return messages
}
