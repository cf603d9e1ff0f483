import { expect, test } from 'vitest'
import { inTurns } from '../../src/engine/in-turns.ts'
import { fixFile } from '../../src/engine/repair.ts'
import { file, names, scratch, text } from '../files/scratch.ts'

/** Calls without results, many enough for some seconds of work. */
function broken(turns: number): string {
  const input = { command: 'ls', text: 'x'.repeat(2000) }
  const lines = Array.from({ length: turns }, (_, i) => [
    { role: 'user', content: `go ${i}` },
    { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${i}`, name: 'Bash', input }] },
  ])
  return lines.flatMap((each) => each.map((line) => `${JSON.stringify(line)}\n`)).join('')
}

test('long work gives way, and is left where it is told to stop', async () => {
  const stopping = new AbortController()
  let steps = 0
  function* work(): Generator<undefined, string> {
    for (; ; steps++) {
      if (steps > 1e8) return 'nobody stopped it'
      yield
    }
  }
  setTimeout(() => stopping.abort(), 20)
  await expect(inTurns(work(), stopping.signal)).rejects.toThrow('abort')
  expect(steps).toBeGreaterThan(0)
})

test('a run that is stopped leaves the file as it was or wholly repaired', async () => {
  const folder = scratch()
  const content = broken(800)
  const path = file(folder, 'a.jsonl', content)
  const began = performance.now()
  await fixFile(path, { backup: false })
  const whole = performance.now() - began
  const repaired = text(path)
  let stopped = 0
  for (const part of [0.05, 0.15, 0.3, 0.5]) {
    file(folder, 'a.jsonl', content)
    const stopping = new AbortController()
    setTimeout(() => stopping.abort(), whole * part)
    const outcome = await fixFile(path, { backup: false, signal: stopping.signal }).catch((error: Error) => error.name)
    if (outcome === 'AbortError') stopped++
    expect(text(path) === (outcome === 'AbortError' ? content : repaired), `at ${part}`).toBe(true)
    expect(names(folder)).toEqual(['a.jsonl'])
  }
  // Of a run that never gives way nothing would be heard before its end; the first one is slower than those that follow.
  expect(stopped).toBeGreaterThan(0)
})
