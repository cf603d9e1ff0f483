import fc from 'fast-check'

/** A conversation in no format: what was said and called, and how the answers came in. */
export interface Talk {
  readonly turns: readonly Turn[]
  /** For all small choices of writing. */
  readonly seed: number
}

export interface Turn {
  /** How many texts the prompt has, and whether an image is with it. */
  readonly texts: number
  readonly image: boolean
  readonly steps: readonly Step[]
}

/** One answer of the model, with the results of its calls. */
export interface Step {
  readonly text: boolean
  readonly thinking: boolean
  readonly calls: number
  /** The order in which the results came in, as a seed. */
  readonly order: number
}

const step: fc.Arbitrary<Step> = fc.record({
  text: fc.boolean(),
  thinking: fc.boolean(),
  calls: fc.nat(3),
  order: fc.nat(5),
})

const turn: fc.Arbitrary<Turn> = fc.record({
  texts: fc.integer({ min: 1, max: 2 }),
  image: fc.boolean(),
  steps: fc.array(step, { maxLength: 3 }),
})

/** Healthy: every call of it is answered, and each turn ends with an answer in words. */
export const talk: fc.Arbitrary<Talk> = fc.record({
  turns: fc.array(turn, { minLength: 1, maxLength: 4 }),
  seed: fc.nat(),
})
