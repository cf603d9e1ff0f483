import { describe, expect, it } from 'vitest'
import { inventedUuid, laterStamp } from '../../src/formats/invented.ts'

describe('laterStamp', () => {
  it.each([
    ['2026-09-01T09:00:00.000Z', undefined, '2026-09-01T09:00:00.001Z'],
    ['2026-09-01T09:00:00.999Z', undefined, '2026-09-01T09:00:01.000Z'],
    ['2026-07-01T23:59:59.999123+00:00', undefined, '2026-07-02T00:00:00.000123+00:00'],
    ['2026-07-01T00:00:00+08:00', undefined, '2026-07-01T00:00:00.001+08:00'],
    ['2026-07-01T00:00:00', undefined, '2026-07-01T00:00:00.001'],
    ['2026-07-01 00:00:00.5Z', undefined, '2026-07-01 00:00:00.501Z'],
    ['2026-09-01T09:00:00.000Z', '2026-09-01T09:00:00.001Z', '2026-09-01T09:00:00.001Z'],
    ['2026-09-01T09:00:00.000Z', '2026-09-01T09:00:00.000Z', '2026-09-01T09:00:00.000Z'],
    ['2026-09-01T09:00:00.000Z', '2026-09-01T08:00:00.000Z', '2026-09-01T09:00:00.000Z'],
    ['yesterday', undefined, 'yesterday'],
    ['', undefined, ''],
  ])('%s before %s: %s', (stamp, limit, expected) => {
    expect(laterStamp(stamp, limit)).toBe(expected)
  })
})

describe('inventedUuid', () => {
  it('is a UUID, the same each time, another for other reasons, and free', () => {
    const uuid = inventedUuid(['s', 'r', 'c'], () => false)
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(inventedUuid(['s', 'r', 'c'], () => false)).toBe(uuid)
    expect(inventedUuid(['s', 'rc'], () => false)).not.toBe(uuid)
    expect(inventedUuid(['s', 'r', 'c'], (each) => each === uuid)).not.toBe(uuid)
  })
})
