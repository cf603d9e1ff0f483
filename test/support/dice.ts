/**
 * Small choices from one seed. The seed 0 always takes the first choice, so that a property that is shrunk towards 0 ends at
 * the plainest case.
 */
export class Dice {
  #state: number
  readonly #isPlain: boolean

  constructor(seed: number) {
    this.#state = seed | 0
    this.#isPlain = seed === 0
  }

  /** From 0 to `sides` - 1. */
  roll(sides: number): number {
    if (this.#isPlain || sides <= 1) return 0
    let t = (this.#state = (this.#state + 0x6d2b79f5) | 0)
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) % sides
  }

  /** True once in `sides` rolls; never with the seed 0. */
  once(sides: number): boolean {
    return this.roll(sides) === sides - 1 && !this.#isPlain
  }

  pick<T>(items: readonly T[]): T {
    return items[this.roll(items.length)]!
  }

  shuffle<T>(items: readonly T[]): T[] {
    const mixed = [...items]
    for (let i = mixed.length - 1; i > 0; i--) {
      const j = i - this.roll(i + 1)
      ;[mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!]
    }
    return mixed
  }
}
