import { expect, test } from 'vitest'
import { breach, mutant, SEEDS } from '../support/fuzz.ts'

const times = Number(process.env.CONVFIX_LAW_RUNS) || 1

test('fixtures of every format are survived however their bytes are changed', () => {
  expect(SEEDS.length).toBeGreaterThan(100)
  for (let seed = 1; seed <= 400 * times; seed++) {
    const { name, bytes } = mutant(seed)
    const began = performance.now()
    expect(breach(bytes), name).toBeUndefined()
    // 250 kB at most.
    expect(performance.now() - began, name).toBeLessThan(10_000)
  }
})
