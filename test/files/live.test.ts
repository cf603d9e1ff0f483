import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type LiveOptions, liveReason } from '../../src/files/live.ts'
import { beganAfter, isAlive } from '../../src/files/process.ts'
import { procWriters } from '../../src/files/writers.ts'
import { file, scratch } from './scratch.ts'

const NOW = 1_800_000_000_000
const SESSION = '3f2a91c0-0000-4000-8000-000000000001'

function reason(path: string, options: Partial<LiveOptions> = {}): string | undefined {
  return liveReason(path, statSync(path, { bigint: true }), { now: NOW, env: {}, home: '/nowhere', ...options })
}

function aged(path: string, seconds: number): string {
  utimesSync(path, NOW / 1000 - seconds, NOW / 1000 - seconds)
  return path
}

test('a change within 15 seconds is a reason, an older one is not', () => {
  const path = file(scratch(), 'a.jsonl')
  expect(reason(aged(path, 14))).toBe('the file changed 14 seconds ago, so an agent may be writing to it')
  expect(reason(aged(path, 1))).toContain('1 second ago')
  expect(reason(aged(path, -3))).toContain('0 seconds ago')
  expect(reason(aged(path, 15))).toBeUndefined()
  expect(reason(aged(path, -3600))).toBeUndefined()
})

test('a process that has the file open for writing is named, a reader is not', async (context) => {
  if (process.platform !== 'linux') return context.skip('only Linux shows open files')
  const folder = scratch()
  const path = aged(file(folder, 'a.jsonl'), 60)
  const link = join(folder, 'link.jsonl')
  symlinkSync('a.jsonl', link)
  const findWriter = procWriters({ self: process.pid, maxAge: 0 })
  for (const [mode, expected] of [
    ['r', undefined],
    ['a', /^.+ \(process \d+\) has the file open for writing$/],
    ['r+', /open for writing/],
  ] as const) {
    const script = `require('fs').openSync(${JSON.stringify(path)}, '${mode}'); console.log('open'); setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    const found = [reason(path, { findWriter }), reason(link, { findWriter })]
    child.kill()
    await once(child, 'exit')
    for (const one of found) expected ? expect(one).toMatch(expected) : expect(one).toBeUndefined()
  }
  expect(reason(path, { findWriter })).toBeUndefined()
  expect(reason(path, { findWriter: procWriters({ self: process.pid, proc: '/no/such/folder' }) })).toBeUndefined()
})

test('Claude Code names its session in a note for its process', () => {
  const root = scratch()
  const project = join(root, 'projects/-home-me')
  const path = aged(file(project, `${SESSION}.jsonl`), 60)
  const child = aged(file(project, `${SESSION}/subagents/agent-a1.jsonl`), 60)
  const other = aged(file(project, 'other.jsonl'), 60)
  file(root, 'sessions/4242.json', JSON.stringify({ pid: 4242, sessionId: SESSION, startedAt: NOW }))
  file(root, 'sessions/17.json', 'torn {')
  file(root, 'sessions/18.json', 'null')
  const env = { CLAUDE_CONFIG_DIR: root }
  const running = { env, isAlive: (pid: number) => pid === 4242 }
  const sentence = 'Claude Code (process 4242) says that it is using this session'
  expect(reason(path, running)).toBe(sentence)
  expect(reason(child, running)).toBe(sentence)
  expect(reason(other, running)).toBeUndefined()
  expect(reason(path, { env, isAlive: () => false })).toBeUndefined()
  const copy = join(scratch(), `${SESSION}.jsonl`)
  copyFileSync(path, copy)
  expect(reason(aged(copy, 60), running)).toBeUndefined()
})

test('without CLAUDE_CONFIG_DIR the note is looked for in the home folder, through links', () => {
  const home = scratch()
  const real = scratch()
  symlinkSync(real, join(home, '.claude'))
  const path = aged(file(join(home, '.claude'), `projects/p/${SESSION}.jsonl`), 60)
  file(real, 'sessions/4242.json', JSON.stringify({ sessionId: SESSION }))
  expect(reason(path, { home, isAlive: () => true })).toContain('process 4242')
})

test('Qwen Code writes its note beside the session or holds a lease', () => {
  const base = scratch()
  const chats = join(base, 'projects/p/chats')
  const path = aged(file(chats, `${SESSION}.jsonl`), 60)
  const isAlive = (): boolean => true
  expect(reason(path, { isAlive })).toBeUndefined()
  const lease = (state: string): string =>
    file(base, `tmp/session-writer-locks/${SESSION}.lock`, JSON.stringify({ session_id: SESSION, pid: 77, state }))
  lease('active')
  expect(reason(path, { isAlive })).toBe('Qwen Code (process 77) says that it is using this session')
  lease('sealed')
  expect(reason(path, { isAlive })).toBeUndefined()
  file(chats, `${SESSION}.runtime.json`, JSON.stringify({ session_id: SESSION, pid: 78, started_at: NOW / 1000 }))
  expect(reason(path, { isAlive })).toContain('process 78')
  file(chats, `${SESSION}.runtime.json`, JSON.stringify({ session_id: 'another', pid: 78 }))
  expect(reason(path, { isAlive })).toBeUndefined()
})

test('a lock beside the file counts while its process runs', () => {
  const path = aged(file(scratch(), 'a.jsonl'), 60)
  file(join(path, '..'), 'a.jsonl.lock', JSON.stringify({ pid: 99, createdAt: new Date(NOW).toISOString() }))
  expect(reason(path, { isAlive: () => true })).toContain('process 99')
  expect(reason(path, { isAlive: () => false })).toBeUndefined()
  mkdirSync(join(path, '../b.jsonl.lock'))
  expect(reason(aged(file(join(path, '..'), 'b.jsonl'), 60), { isAlive: () => true })).toBeUndefined()
})

test('a process id that was given to a newer process does not count', (context) => {
  if (process.platform !== 'linux') return context.skip('only Linux shows when a process began')
  expect(beganAfter(process.pid, Date.now())).toBe(false)
  expect(beganAfter(process.pid, Date.now() - 3_600_000 - process.uptime() * 1000)).toBe(true)
  expect(beganAfter(process.pid, 0, '/no/such/folder')).toBe(false)
  const path = aged(file(scratch(), 'a.jsonl'), 60)
  file(join(path, '..'), 'a.jsonl.lock', JSON.stringify({ pid: process.pid, createdAt: '2020-01-01T00:00:00Z' }))
  expect(reason(path)).toBeUndefined()
  expect([isAlive(process.pid), isAlive(0), isAlive(-1), isAlive(1.5)]).toEqual([true, false, false, false])
  expect(isAlive(spawnSync(process.execPath, ['-e', '']).pid)).toBe(false)
})

test('one look at the open files of other processes serves many questions', (context) => {
  if (process.platform !== 'linux') return context.skip('only Linux shows open files')
  const proc = scratch()
  const path = aged(file(scratch(), 'a.jsonl'), 60)
  const findWriter = procWriters({ self: process.pid, proc, maxAge: 60_000 })
  const anew = procWriters({ self: process.pid, proc, maxAge: 0 })
  expect(reason(path, { findWriter })).toBeUndefined()
  mkdirSync(join(proc, '7/fd'), { recursive: true })
  symlinkSync(path, join(proc, '7/fd/3'))
  file(proc, '7/fdinfo/3', 'flags:\t0100001\n')
  file(proc, '7/comm', 'agent\n')
  expect(reason(path, { findWriter })).toBeUndefined()
  expect(reason(path, { findWriter: anew })).toBe('agent (process 7) has the file open for writing')
})
