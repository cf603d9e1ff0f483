import type { Dice } from '../dice.ts'
import { Doubled, type Fields, type Value, Verbatim } from './json.ts'

/** Finds the marks in any text. Each says who wrote it: u(ser), a(ssistant), r(esult), c(all's input). */
export const MARK = /~[uarc]\d+~/g

const FLAVOURS = [
  '',
  ' Größe 10 µm, 你好',
  ' 🦊👩‍👩‍👧 ok',
  ' line one\nline "two"\ttab \\ slash/',
  ' \u2028 and \u2029 \u0001 \u007f',
  ' {"role":"user","content":"not a record"}',
  ' {"tool_use_id":"toolu_none","type":"tool_result"}',
  ' \r\n',
  ` ${'long and longer '.repeat(60)}`,
]

/** Writes texts that can be told from one another wherever they end up. */
export class Words {
  readonly #dice: Dice
  #count = 0

  constructor(dice: Dice) {
    this.#dice = dice
  }

  say(who: 'u' | 'a' | 'r' | 'c'): string {
    return `~${who}${++this.#count}~${this.#dice.pick(FLAVOURS)}`
  }

  number(): number {
    return ++this.#count
  }

  /** The input of a tool call, with bytes that only survive when nobody parses and prints them again. */
  input(): Fields | Doubled {
    const text = this.say('c')
    switch (this.#dice.roll(6)) {
      case 1:
        return { n: new Verbatim('12345678901234567890'), x: new Verbatim('1.0'), e: new Verbatim('-1E+2'), text }
      case 2:
        return new Doubled(['a', 1], ['text', text], ['a', new Verbatim('"\\u0041\\/"')])
      case 3:
        return { text, deep: nested(40) }
      case 4:
        return { '10': 1, '2': 2, text, '': [], empty: {} }
      case 5:
        return { text, __proto__x: null, id: 'toolu_inside', type: 'tool_use', content: [{ type: 'tool_result' }] }
      default:
        return { text }
    }
  }
}

function nested(depth: number): Value {
  let value: Value = []
  for (let i = 0; i < depth; i++) value = i % 2 ? [value, i] : { k: value }
  return value
}
