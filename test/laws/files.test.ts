import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyBlows, damagedFiles, healthyFiles } from '../support/damage.ts'
import { SPECIMENS } from '../support/generate/index.ts'
import { fairness, LAWS, run, silence } from '../support/laws.ts'
import { params } from '../support/runs.ts'

describe.each(Object.entries(SPECIMENS))('%s', (_, specimens) => {
  test('a healthy file is left alone: identity and silence', () => {
    const isLeftAlone = fc.property(healthyFiles(specimens), (file) => {
      const done = run(file)
      expect([...silence(done), ...fairness(done)]).toEqual([])
      expect(done.applied).toEqual([])
      expect(Buffer.compare(done.output, file.bytes)).toBe(0)
    })
    fc.assert(isLeftAlone, params(60))
  })

  test('a damaged file is repaired: identity, soundness, idempotence, conservation, determinism', () => {
    const isRepaired = fc.property(damagedFiles(specimens, anyBlows), (file) => {
      const done = run(file)
      expect(Object.entries(LAWS).flatMap(([law, of]) => of(done).map((text) => `${law}: ${text}`))).toEqual([])
    })
    fc.assert(isRepaired, params(150))
  })
})
