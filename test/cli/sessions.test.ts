import { createHash } from 'node:crypto'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { loadEngine } from '../../src/cli/engine.ts'
import { convfix, folder } from './fake.ts'

const line = (record: object): string => `${JSON.stringify(record)}\n`
const claude = (cwd: string, open: boolean): string => {
  const envelope = { sessionId: 's', cwd, isSidechain: false, version: '2.1.300' }
  const call = { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }
  return (
    line({ ...envelope, type: 'user', uuid: 'u1', parentUuid: null, message: { role: 'user', content: 'read it' } }) +
    line({
      ...envelope,
      type: 'assistant',
      uuid: 'a1',
      parentUuid: 'u1',
      message: { id: 'm1', role: 'assistant', content: open ? [call] : [{ type: 'text', text: 'done' }] },
    }) +
    line({ ...envelope, type: 'user', uuid: 'u2', parentUuid: 'a1', message: { role: 'user', content: 'and now?' } })
  )
}

describe('sessions', () => {
  let home: string
  let project: string

  /** A session that changed so many hours before the year 2026. */
  function keep(path: string, text: string, hours: number): void {
    const file = join(home, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    const then = new Date(Date.UTC(2026, 0, 1) - hours * 3_600_000)
    utimesSync(file, then, then)
  }

  beforeEach(() => {
    home = folder()
    project = folder()
    keep('.claude/projects/-shop/healthy.jsonl', claude('/shop', false), 3)
    keep('.claude/projects/-shop/open.jsonl', claude(project, true), 2)
    keep('.claude/projects/-shop/agent-1.jsonl', claude('/shop', false), 1)
    keep('.codeAgent/.sessions/notes.txt', 'no session', 1)
  })

  const ask = async (argv: readonly string[], cwd = project) =>
    convfix(argv, await loadEngine(), { env: { HOME: home }, cwd })

  test('are listed newest first, with their health', async () => {
    const { code, stdout } = await ask(['sessions', '--json'])
    expect(code).toBe(0)
    const { sessions } = JSON.parse(stdout) as {
      sessions: { path: string; errors: number; project: string; records: number }[]
    }
    expect(sessions.map(({ path }) => path)).toEqual([
      join(home, '.claude/projects/-shop/open.jsonl'),
      join(home, '.claude/projects/-shop/healthy.jsonl'),
    ])
    expect(sessions.map(({ errors, records }) => ({ errors, records }))).toEqual([
      { errors: 1, records: 3 },
      { errors: 0, records: 3 },
    ])
    expect(sessions.map((session) => session.project)).toEqual([project, '/shop'])
  })

  test('that are not shown are counted', async () => {
    const { stdout } = await ask(['sessions', 'claude-code', '--limit', '1'])
    expect(stdout).toContain('1 error')
    expect(stdout).toContain('1 of 2 sessions; --limit 2 shows all')
  })

  test('an agent by the first word of its name, one that nobody knows, a limit that is none', async () => {
    expect((await ask(['sessions', 'claude'])).stdout).toContain('open.jsonl')
    expect((await ask(['sessions', 'codx'])).stderr).toContain('unknown agent "codx" (did you mean "codex"?)')
    expect((await ask(['sessions', '--limit', '0'])).code).toBe(2)
  })

  test('--latest takes the newest one of this folder', async () => {
    const found = await ask(['check', '--latest', '-r', 'concise'])
    expect(found.code).toBe(1)
    expect(found.stdout).toContain('open.jsonl:2:')
    expect((await ask(['check', '--latest'], home)).stderr).toContain(`no agent keeps a session of ${home}`)
    expect((await ask(['check', '--latest', 'a.jsonl'])).stderr).toContain('--latest takes no files')
    expect((await ask(['check', '--agent', 'codex'])).stderr).toContain('--agent goes with --latest')
  })

  test('a session of Gemini CLI names its folder by a hash, and a note beside it by its path', async () => {
    const projectHash = createHash('sha256').update(project).digest('hex')
    const header = { sessionId: '3f2a91c0', projectHash, startTime: '2026-01-01T00:00:00.000Z', kind: 'main' }
    keep('.gemini/tmp/mill/chats/session-1.jsonl', line(header), 1)
    const projectOf = async (): Promise<unknown> => {
      const { stdout } = await ask(['sessions', 'gemini', '--json'])
      return (JSON.parse(stdout) as { sessions: { project: string }[] }).sessions[0]?.project
    }
    expect(await projectOf()).toBe('mill')
    keep('.gemini/tmp/mill/.project_root', `${project}\n`, 1)
    expect(await projectOf()).toBe(project)
    expect((await ask(['check', '--latest', '--show-files'])).stdout).toContain('session-1.jsonl')
  })
})
