import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { replaceFile } from '../../src/files/replace.ts'
import { bundledChild } from './bundle.ts'
import { content, file, names, scratch, text, untouched } from './scratch.ts'

const LINES = 5000

async function killOnce(program: string, delay: number): Promise<void> {
  const folder = scratch()
  const path = file(folder, 'a.jsonl', `0 ${'x'.repeat(200)}\n`.repeat(LINES))
  const args = [program, 'loop', path, String(LINES)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  await new Promise((done) => setTimeout(done, delay))
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  for (const name of names(folder)) {
    if (name.endsWith('.tmp') || name.endsWith('.sha256')) continue
    const whole = text(join(folder, name))
    const first = whole.slice(0, whole.indexOf('\n') + 1)
    expect(whole === first.repeat(LINES), `${name} after ${delay} ms`).toBe(true)
  }
  await replaceFile(path, content('the next run\n'), untouched)
  expect(text(path)).toBe('the next run\n')
  expect(names(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
}

test('a process killed at any moment leaves the old file or the new one, whole', async () => {
  const program = await bundledChild()
  const began = performance.now()
  let rounds = 0
  // A slow or busy machine plays fewer rounds instead of failing.
  while (rounds < 40 && performance.now() - began < 6_000) {
    await Promise.all(Array.from({ length: 4 }, () => killOnce(program, Math.random() * 60)))
    rounds += 4
  }
})
