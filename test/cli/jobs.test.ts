import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { threadsFor } from '../../src/cli/workers.ts'
import { folder } from './fake.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** A copy that nobody is writing any more. */
function copyOld(from: string, to: string): void {
  copyFileSync(from, to)
  utimesSync(to, 1e9, 1e9)
}

test('threads find what one thread finds, in the same order', () => {
  const cwd = folder()
  const examples = join(ROOT, 'fixtures', 'examples')
  const names = readdirSync(examples).filter((name) => /\.jsonl?$/.test(name))
  for (let copy = 0; copy < 4; copy++)
    for (const name of names) copyOld(join(examples, name), join(cwd, `${copy}-${name}`))
  writeFileSync(join(cwd, 'empty.jsonl'), '')
  const run = (jobs: string): object => {
    const argv = [join(ROOT, 'bin', 'convfix.js'), 'check', '--jobs', jobs, '-r', 'json', '.', 'missing.jsonl']
    const { stdout, status } = spawnSync(process.execPath, argv, { cwd, encoding: 'utf8' })
    expect(status).toBe(2)
    const report = JSON.parse(stdout) as { files: object[]; summary: { durationMs: number } }
    return { ...report, summary: { ...report.summary, durationMs: 0 } }
  }
  const alone = run('1')
  expect(run('3')).toEqual(alone)
  expect((alone as { files: object[] }).files.length).toBeGreaterThan(20)
})

test.each([
  [1, undefined, 1],
  [10, undefined, 1],
  [10, 4, 4],
  [3, 8, 3],
  [0, 8, 1],
])('%i files, %s asked: %i threads', (files, asked, threads) => {
  expect(threadsFor(files, asked)).toBe(threads)
})
