import type { Dice } from '../dice.ts'
import { Doubled, type Fields, type Value, Verbatim } from './json.ts'

/** Record ids and times of a session, counted up. */
export class Envelope {
  readonly dice: Dice
  readonly session: string
  #count = 0

  constructor(dice: Dice, session: string) {
    this.dice = dice
    this.session = session
  }

  uuid(): string {
    return `${(++this.#count).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
  }

  /** The time of the record whose id was given out last. */
  time(): string {
    return new Date(Date.UTC(2026, 0, 1) + this.#count * 1000).toISOString()
  }

  /** What a tool showed on the screen: any JSON, with bytes that only survive when nobody prints them again. */
  shown(): Value {
    return this.dice.pick<Value>([
      { stdout: 'ok' },
      'plain text',
      { big: new Verbatim('12345678901234567890'), one: new Verbatim('1.0'), text: 'a\u2028b' },
      new Doubled(['a', 1], ['a', [null, true]]),
      [],
    ])
  }

  /** The keys of a record in one of the orders in which versions write them. */
  ordered(fields: Fields): Fields {
    return this.dice.once(8) ? Object.fromEntries(Object.entries(fields).reverse()) : fields
  }
}
