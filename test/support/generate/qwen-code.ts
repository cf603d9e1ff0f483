import fc from 'fast-check'
import { Dice } from '../dice.ts'
import { PNG } from './anthropic.ts'
import { Envelope } from './envelope.ts'
import type { Fields, Value } from './json.ts'
import type { Specimen } from './specimen.ts'
import { type Step, type Talk, talk } from './talk.ts'
import { Words } from './words.ts'

const SESSION = '11111111-1111-4111-8111-111111111111'

class Session {
  readonly records: Fields[] = []
  readonly dice: Dice
  readonly words: Words
  readonly #envelope: Envelope
  readonly #notes: boolean
  #tip: string | null = null

  constructor(seed: number, notes: boolean) {
    this.dice = new Dice(seed)
    this.words = new Words(this.dice)
    this.#envelope = new Envelope(this.dice, SESSION)
    this.#notes = notes
  }

  link(type: string, more: Fields): void {
    const uuid = this.#envelope.uuid()
    const record: Fields = {
      uuid,
      parentUuid: this.#tip,
      sessionId: SESSION,
      timestamp: this.#envelope.time(),
      type,
      cwd: '/w',
      version: '0.24.4',
      gitBranch: 'main',
      ...more,
    }
    this.records.push(this.#envelope.ordered(record))
    this.#tip = uuid
  }

  user(parts: Value[]): void {
    this.link('user', { message: { role: 'user', parts } })
  }

  say(): void {
    this.link('assistant', { model: 'qwen3-coder', message: { role: 'model', parts: [{ text: this.words.say('a') }] } })
    this.note()
  }

  answer(step: Step): void {
    const parts: Value[] = []
    if (step.thinking) parts.push({ text: 'thinking', thought: true })
    if (step.text || step.calls === 0) parts.push({ text: this.words.say('a') })
    const results: Fields[] = []
    for (let i = 0; i < step.calls; i++) {
      const call = { id: `call_${this.words.number()}x`, name: this.dice.pick(['ls', 'cat']) }
      parts.push({ functionCall: { ...call, args: this.words.input() } })
      results.push({ functionResponse: { ...call, response: { output: this.words.say('r') } } })
    }
    this.link('assistant', { model: 'qwen3-coder', message: { role: 'model', parts } })
    this.note()
    if (results.length === 0) {
      this.user([{ text: this.words.say('u') }])
      return
    }
    const mixed = new Dice(step.order).shuffle(results)
    const records = this.dice.once(3) ? mixed.map((result) => [result]) : [mixed]
    for (const parts of records) {
      const toolCallResult = {
        callId: (parts[0]!.functionResponse as Fields).id!,
        status: 'success',
        resultDisplay: this.#envelope.shown(),
      }
      this.link('tool_result', { message: { role: 'user', parts }, toolCallResult })
    }
  }

  /** System records are links of the chain. */
  note(): void {
    if (!this.#notes) return
    if (this.dice.once(2)) this.link('system', { subtype: 'ui_telemetry', systemPayload: { uiEvent: { ms: 12 } } })
  }

  compress(): void {
    const compressedHistory = [
      { role: 'user', parts: [{ text: `Summary: ${this.words.say('u')}` }] },
      { role: 'model', parts: [{ text: `Got it. ${this.words.say('a')}` }] },
    ]
    this.link('system', {
      subtype: 'chat_compression',
      systemPayload: { info: { originalTokenCount: 9 }, compressedHistory },
    })
  }
}

function session(from: Talk, notes: boolean, compressAfter: number): Fields[] {
  const made = new Session(from.seed, notes)
  from.turns.forEach(({ texts, image, steps }, i) => {
    const parts: Value[] = Array.from({ length: texts }, () => ({ text: made.words.say('u') }))
    if (image) parts.push({ inlineData: { mimeType: 'image/png', data: PNG } })
    made.user(parts)
    for (const step of steps) made.answer(step)
    made.say()
    if (i === compressAfter) made.compress()
  })
  return made.records
}

export const qwenCodeSessions: fc.Arbitrary<Specimen> = fc
  .tuple(talk, fc.boolean(), fc.nat(6))
  .map(([from, notes, compressAfter]) => ({
    format: 'qwen-code',
    shape: 'gemini',
    layout: 'lines',
    records: session(from, notes, compressAfter),
    around: {},
    seed: from.seed,
  }))
