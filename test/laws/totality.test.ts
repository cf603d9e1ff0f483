import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { check, fix, normalizeMessages } from '../../src/index.ts'
import { blowsToBytes, damage } from '../support/damage.ts'
import { SPECIMENS } from '../support/generate/index.ts'
import { params } from '../support/runs.ts'

const anyFile = fc.oneof(...Object.values(SPECIMENS))

function survives(bytes: Uint8Array): void {
  check(bytes)
  const { output } = fix(bytes)
  expect(Buffer.compare(fix(output).output, output)).toBe(0)
}

describe('totality', () => {
  test('any bytes', () => fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), survives), params(300)))

  test('any JSON, and any lines of JSON', () => {
    const lines = fc.array(fc.json({ maxDepth: 3 }), { maxLength: 6 }).map((all) => all.join('\n'))
    const property = fc.property(lines, (text) => survives(Buffer.from(text)))
    fc.assert(property, params(300))
  })

  test('transcripts whose bytes were changed at random', () => {
    const changes = fc.array(fc.record({ at: fc.nat(), byte: fc.nat(255), gone: fc.nat(20) }), { maxLength: 8 })
    const property = fc.property(anyFile, blowsToBytes, changes, (specimen, blows, edits) => {
      let { bytes } = damage(specimen, blows)
      for (const { at, byte, gone } of edits) {
        const from = at % (bytes.length + 1)
        bytes = Buffer.concat([bytes.subarray(0, from), Buffer.from([byte]), bytes.subarray(from + gone)])
      }
      check(bytes)
      fix(bytes)
    })
    fc.assert(property, params(150))
  })

  test('messages of any values', () => {
    const property = fc.property(fc.array(fc.anything(), { maxLength: 6 }), (messages) => {
      check(messages)
      fix(messages)
      normalizeMessages(messages)
    })
    fc.assert(property, params(300))
  })

  test.each([
    ['openings', '['.repeat(200_000)],
    ['objects', '{"a":'.repeat(100_000)],
    ['a message within messages', `${'{"role":"user","content":['.repeat(50_000)}`],
    ['lines that never end', `{"role":"user","content":"${'{\n'.repeat(100_000)}`],
    ['NUL bytes', '\0'.repeat(1_000_000)],
    ['line ends', '\n'.repeat(1_000_000)],
    ['empty objects', '{}\n'.repeat(100_000)],
    ['glued objects', '{"role":"user","content":"a"}'.repeat(20_000)],
  ])('%s are read in the time that their length allows', (_, text) => {
    const start = performance.now()
    const { output } = fix(Buffer.from(text))
    expect(output.length).toBeGreaterThanOrEqual(0)
    // Quadratic work would take minutes.
    expect(performance.now() - start).toBeLessThan(8_000)
  })

  test('calls without results cost a time in proportion to their number', () => {
    const conversation = (turns: number): unknown[] =>
      Array.from({ length: turns }, (_, i) => [
        { role: 'user', content: `go ${i}` },
        { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${i}`, name: 'Bash', input: {} }] },
      ]).flat()
    const time = (turns: number): number => {
      const messages = conversation(turns)
      const start = performance.now()
      normalizeMessages(messages)
      return performance.now() - start
    }
    time(1_000)
    const small = Math.max(time(2_000), 5)
    expect(time(32_000)).toBeLessThan(small * 16 * 6)
  })
})
