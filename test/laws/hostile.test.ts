import { describe, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { check, fix, normalizeMessages } from '../../src/index.ts'
import { FakeProcess } from '../cli/fake.ts'
import { file, scratch } from '../files/scratch.ts'

const json = (value: unknown): string => JSON.stringify(value)
const PROMPT = json({ role: 'user', content: 'go' })
const NEXT = json({ role: 'user', content: 'are you there?' })
const call = (input: string, id = 'toolu_1'): string =>
  `{"role":"assistant","content":[{"type":"tool_use","id":${json(id)},"name":"Bash","input":${input}}]}`
const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('')

/** Repairs a text with one open call, and expects nothing else of it to change. */
function repaired(input: string): void {
  const text = lines(PROMPT, call(input), NEXT)
  const { output, applied } = fix(text)
  expect(applied.map(({ rule }) => rule)).toEqual(['orphan-tool-call'])
  const [prompt, called, answer] = output.split('\n')
  expect(`${prompt}\n${called}` === lines(PROMPT, call(input)).trimEnd()).toBe(true)
  expect(answer).toContain('[convfix] No result was recorded')
  expect(answer).toContain('are you there?')
}

describe('a session with something huge or odd in it is repaired beside it', () => {
  test.each<[string, () => string]>([
    ['a nesting of 1,000,000', () => `{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`],
    ['objects 200,000 deep', () => `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
    ['200,000 keys', () => `{${Array.from({ length: 200_000 }, (_, i) => `"key ${i}":${i}`).join()}}`],
    ['one key 100,000 times', () => `{${'"a":1,'.repeat(100_000)}"a":2}`],
    ['a line of 8 MB', () => `{"text":"${'long and longer '.repeat(500_000)}"}`],
    ['4 MB of escapes', () => `{"text":"${'\\u00e4\\n'.repeat(500_000)}"}`],
    ['a number of 100,000 digits', () => `{"n":1${'0'.repeat(100_000)}.5e-7}`],
    [
      'names of what every object has',
      () => '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1}',
    ],
    ['keys twice', () => '{"a":1,"a":{"b":2,"b":3},"__proto__":1,"__proto__":2}'],
  ])('%s', (_, input) => {
    const began = performance.now()
    repaired(input())
    // Quadratic work would take minutes.
    expect(performance.now() - began).toBeLessThan(15_000)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  test('such names as ids, tools, roles, types and keys of a message', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']
    for (const name of names) {
      const key = json(name)
      const text = lines(
        `{"role":"user","content":"go",${key}:{"polluted":true}}`,
        `{"role":"assistant","content":[{"type":"tool_use","id":${key},"name":${key},"input":{}},{"type":${key},${key}:1}]}`,
        `{"role":${key},"content":${key}}`,
        `{"type":${key},"uuid":${key},"parentUuid":${key},"sessionId":${key},${key}:null}`,
      )
      for (const each of [text, `[${text.trim().split('\n').join()}]`, text.split('\n')[3]!]) {
        const once = fix(each)
        expect(fix(once.output).output).toBe(once.output)
      }
      const messages = JSON.parse(`[${text.trim().split('\n').join()}]`) as unknown[]
      normalizeMessages(messages)
    }
    expect(({} as { polluted?: true }).polluted).toBeUndefined()
    const own = JSON.parse(
      '[{"role":"user","content":"go","__proto__":{"a":1}},{"role":"user","content":"on"}]',
    ) as object[]
    const [folded] = normalizeMessages(own, { target: 'anthropic' }).messages
    expect(Object.getPrototypeOf(folded)).toBe(Object.prototype)
    expect(Object.keys(folded!)).toContain('__proto__')
  })
})

describe('what grows a hundredfold takes a hundred times as long', () => {
  const HEAD = json({ sessionId: '3f2a91c0', projectHash: '0', startTime: '2026-01-01T00:00:00.000Z', kind: 'main' })
  const message = (id: string) => ({
    id,
    timestamp: '2026-01-01T00:00:00.000Z',
    type: 'user',
    content: [{ text: `~${id}` }],
  })
  const set = (id: string) => ({ $set: { messages: [message(id)] } })
  const many = (count: number, of: (i: number) => object[]): string =>
    lines(HEAD, ...Array.from({ length: count }, (_, i) => of(i).map(json)).flat())

  test.each<[string, (count: number) => string]>([
    ['snapshots of Gemini CLI', (count) => many(count, (i) => [set(`m${i}`)])],
    ['fields that it sets', (count) => many(count, (i) => [{ $set: { lastUpdated: `${i}` } }])],
    [
      'messages that it takes back',
      (count) => many(count, (i) => [message(`a${i}`), message(`b${i}`), { $rewindTo: `b${i}` }]),
    ],
    ['one message again and again', (count) => many(count, () => [message('m')])],
    ['records under one id', (count) => lines(PROMPT, ...Array.from({ length: count }, () => call('{}')), NEXT)],
  ])('%s', (_, make) => {
    const time = (count: number): number => {
      const text = make(count)
      const began = performance.now()
      const { output } = fix(text)
      expect(output.length).toBeGreaterThan(0)
      return performance.now() - began
    }
    time(300)
    const small = Math.max(time(1_000), 20)
    expect(time(8_000)).toBeLessThan(small * 8 * 5)
  })

  test('what a snapshot of Gemini CLI takes the place of is not judged, what comes after it is', () => {
    const open = {
      ...message('x'),
      type: 'gemini',
      toolCalls: [],
      content: [{ functionCall: { id: 'c1', name: 'ls', args: {} } }],
    }
    const before = lines(HEAD, json(open), json(message('y')), json(set('z')))
    expect(check(before)).toMatchObject({ format: 'gemini-cli', findings: [] })
    const found = check(before + lines(json(open), json(message('y')))).findings
    expect(found.map(({ rule, line }) => [rule, line])).toEqual([['orphan-tool-call', 5]])
  })
})

describe('a transcript that is made for whoever reads the report', () => {
  /** All that steers a terminal, or turns the writing around. */
  const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/
  const EVIL =
    '\u001b]0;title\u0007\u001b[2J\u009b31m\u202egnp.exe\u2066\r\n::error::x </script><img src=x onerror=alert(1)>'

  test.each(['pretty', 'concise', 'github', 'json', 'jsonl', 'sarif', 'junit', 'gitlab', 'html'])(
    '%s',
    async (reporter) => {
      const content = lines(
        json({ role: 'user', content: EVIL }),
        json({ role: 'assistant', content: [{ type: 'tool_use', id: EVIL, name: EVIL, input: { [EVIL]: EVIL } }] }),
        json({ role: EVIL, content: [{ type: EVIL, [EVIL]: EVIL }] }),
        json({ role: 'user', content: [{ type: 'tool_result', tool_use_id: `${EVIL}2`, content: EVIL }] }),
      )
      const io = new FakeProcess({ cwd: scratch() })
      const path = file(scratch(), 'a.jsonl', content)
      expect(await main(['check', '--no-config', '--select', 'pairing,roles,content', '-r', reporter, path], io)).toBe(
        1,
      )
      // The page is laid out with tabs.
      expect(reporter === 'html' ? io.stdout.text.replaceAll('\t', ' ') : io.stdout.text).not.toMatch(STEERING)
      if (reporter === 'github') expect(io.stdout.text).not.toMatch(/^::error::x/m)
      if (reporter === 'html') expect(io.stdout.text).not.toContain('<img src=x')
    },
  )

  test.each(['--dangerously-skip-permissions', 'x; rm -rf ~', '$(id)', '../../secret id', 'x\nid', ''])(
    'the session id %j is not part of a command to copy',
    async (session) => {
      const path = file(scratch(), 'a.jsonl')
      const record = (type: string, message: object, uuid: string, parentUuid: string | null) =>
        json({
          parentUuid,
          isSidechain: false,
          sessionId: session,
          type,
          message,
          uuid,
          timestamp: '2026-01-01T00:00:00.000Z',
        })
      const used = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} }
      const content = lines(
        record('user', { role: 'user', content: 'go' }, 'u1', null),
        record('assistant', { id: 'msg_1', role: 'assistant', content: [used] }, 'u2', 'u1'),
        record('user', { role: 'user', content: 'are you there?' }, 'u3', 'u2'),
      )
      file(path.slice(0, path.lastIndexOf('/')), 'a.jsonl', content)
      const io = new FakeProcess({ cwd: scratch() })
      expect(await main(['fix', '--no-config', '--force', path], io)).toBe(0)
      expect(io.stdout.text).toContain('fixed: 1 × orphan-tool-call')
      expect(io.stdout.text).not.toContain('--resume')
    },
  )
})
