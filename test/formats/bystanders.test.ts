import { describe, expect, it } from 'vitest'
import { check, fix } from '../../src/index.ts'

const lines = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const prompt = { display: 'weed', timestamp: 1, project: '/garden' }
const shown = { ts: 1, type: 'say', say: 'text', text: 'x' }

/** Files that look alike: the one is passed over, the other is not. */
describe('what stands beside conversations', () => {
  it.each<[string, string, string]>([
    ['Claude Code’s prompts', lines(prompt, prompt), lines(prompt, { display: 'weed' })],
    ['one prompt alone', lines(prompt), lines({ ...prompt, timestamp: 'today' })],
    ['Codex’s prompts', lines({ session_id: 's', ts: 1, text: 'a' }), lines({ session_id: 's', ts: 1 })],
    ['Codex’s index', lines({ id: 's', thread_name: 'a', updated_at: 'b' }), lines({ id: 's', thread_name: 'a' })],
    [
      'Gemini CLI’s prompts',
      JSON.stringify([{ sessionId: 's', messageId: 0, type: 'user', message: 'a', timestamp: 't' }]),
      JSON.stringify([{ sessionId: 's', messageId: 0, type: 'user', message: 'a' }]),
    ],
    ['what Cline showed', JSON.stringify([shown]), JSON.stringify([{ ...shown, type: 'sing' }])],
    ['files of a task', JSON.stringify({ files_in_context: [] }), JSON.stringify({ files: [] })],
    [
      'an index of tasks',
      JSON.stringify([{ id: '1', ts: 1, task: 'a' }]),
      JSON.stringify([{ id: '1', ts: 1, task: 'a' }, 7]),
    ],
    [
      'an entry of the index',
      JSON.stringify({ id: '1', ts: 1, task: 'a', tokensIn: 1 }),
      JSON.stringify({ id: '1', ts: 1 }),
    ],
    [
      'Cline’s notes of a session',
      JSON.stringify({ version: 1, session_id: 's', source: 'cli', started_at: 't' }),
      JSON.stringify({ version: 1, session_id: 's' }),
    ],
    [
      'OpenClaw’s index',
      JSON.stringify({ 'agent:main:main': { sessionId: 's', updatedAt: 1 } }),
      JSON.stringify({ main: { sessionId: 's', updatedAt: 1 } }),
    ],
  ])('%s', (_, one, other) => {
    const known = check(Buffer.from(one), {})
    expect(known).toMatchObject({ findings: [], format: null })
    expect(Buffer.from(fix(Buffer.from(one), {}).output).toString()).toBe(one)
    const { format, findings } = check(Buffer.from(other), {})
    expect(format ?? findings.map(({ rule }) => rule)).not.toEqual([])
  })

  it('is not looked for where a format is named', () => {
    expect(check(Buffer.from(lines(prompt)), { format: 'pi' }).format).toBe('pi')
  })

  it('is left alone even where it is torn', () => {
    const torn = `${lines(prompt, prompt)}{"display":"we`
    expect(check(Buffer.from(torn), {}).findings).toEqual([])
    expect(Buffer.from(fix(Buffer.from(torn), {}).output).toString()).toBe(torn)
  })
})
