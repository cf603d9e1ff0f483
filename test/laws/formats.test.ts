import { expect, test } from 'vitest'
import { breach, SEEDS } from '../support/fuzz.ts'
import { HEALTHY, STRIKES, struck } from '../support/strikes.ts'

const times = Number(process.env.CONVFIX_LAW_RUNS) || 1

test('a healthy file of every format is repaired whatever happened to its records', () => {
  const formats = (files: readonly { readonly name: string }[]): Set<string> =>
    new Set(files.map(({ name }) => name.split('/')[0]!))
  expect([...formats(HEALTHY)].sort()).toEqual([...formats(SEEDS)].sort())
  expect(STRIKES.length).toBeGreaterThan(30)
  for (let seed = 1; seed <= 1500 * times; seed++) {
    const { name, bytes } = struck(seed)
    expect(breach(bytes), name).toBeUndefined()
  }
})
