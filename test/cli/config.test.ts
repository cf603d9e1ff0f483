import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { loadEngine } from '../../src/cli/engine.ts'
import { folder, type Outcome, convfix as run, type Terminal } from './fake.ts'

const call = (id: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'count', arguments: '{}' } }],
})
const said = (content: string) => ({ role: 'user', content })
/** One call without a result, which OpenAI refuses. */
const BROKEN = [said('Count the pears.'), call('call_1'), said('Well?')]

let cwd: string
const put = (name: string, value: unknown): void => {
  mkdirSync(join(cwd, name, '..'), { recursive: true })
  writeFileSync(join(cwd, name), typeof value === 'string' ? value : JSON.stringify(value))
}
const convfix = async (line: string, terminal: Terminal = {}): Promise<Outcome> =>
  run([...line.split(' '), '--no-progress'], await loadEngine(), { cwd, ...terminal })
const found = async (line: string, terminal?: Terminal) => {
  const { stdout } = await convfix(`${line} -r json`, terminal)
  const { files } = JSON.parse(stdout) as { files: { path: string; findings: { rule: string; severity: string }[] }[] }
  return files.flatMap(({ path, findings }) => findings.map(({ rule, severity }) => `${path} ${rule} ${severity}`))
}

beforeEach(() => {
  cwd = folder()
  mkdirSync(join(cwd, '.git'))
  put('a.json', BROKEN)
})

describe('what is wrong with a configuration is said with its place', () => {
  test.each([
    ['{\n  "rules": { "orphan-tool-cal": "off" }\n}'],
    ['{ "target": "antropic", "severity": { "pairing": "eror" } }'],
    ['{ "overides": [] }'],
    ['{ "rules": '],
    ['{ "overrides": [{ "files": ["{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"] }] }'],
  ])('%j', async (text) => {
    put('convfix.config.jsonc', text)
    expect(await convfix('check a.json')).toMatchSnapshot()
  })

  test('also of one that is named', async () => {
    expect(await convfix('check --config no.json a.json')).toMatchSnapshot()
    expect(await convfix('check --severity pairing=eror a.json')).toMatchSnapshot()
    expect(await convfix('check --update-baseline --no-baseline a.json')).toMatchSnapshot()
    expect(await convfix('check --baseline no.json a.json')).toMatchSnapshot()
    expect(await convfix('check --baseline a.json a.json')).toMatchSnapshot()
  })
})

test('rules, severities, overrides and presets; flags count more', async () => {
  put('sub/b.json', BROKEN)
  put('convfix.config.json', {
    rules: { pairing: 'off' },
    overrides: [{ files: ['sub/**'], rules: { 'orphan-tool-call': 'on' }, severity: { pairing: 'warning' } }],
  })
  expect(await found('check a.json sub/b.json')).toEqual(['sub/b.json orphan-tool-call warning'])
  expect(await found('check a.json sub/b.json --severity orphan-tool-call=error')).toEqual([
    'sub/b.json orphan-tool-call error',
  ])
  expect(await found('check a.json --no-config')).toEqual(['a.json orphan-tool-call error'])
  expect(await found('check a.json --select pairing')).toEqual(['a.json orphan-tool-call error'])
})

test('what is ignored is passed by, unless it is named', async () => {
  put('old/b.json', BROKEN)
  put('convfix.config.json', { ignores: ['old/'] })
  expect(await found('check .')).toEqual(['a.json orphan-tool-call error'])
  expect(await found('check old/b.json')).toEqual(['old/b.json orphan-tool-call error'])
  expect(await found('check a.json old/b.json --force-exclude')).toEqual(['a.json orphan-tool-call error'])
})

test('.gitignore files, nested ones too', async () => {
  put('old/b.json', BROKEN)
  put('new/c.json', BROKEN)
  put('.gitignore', 'old/\nc.json\n')
  put('new/.gitignore', '!c.json\n')
  expect(await found('check .')).toEqual(['a.json orphan-tool-call error', 'new/c.json orphan-tool-call error'])
  expect(await found('check old')).toEqual(['old/b.json orphan-tool-call error'])
  expect(await found('check old/b.json')).toEqual(['old/b.json orphan-tool-call error'])
  expect(await found('check --no-gitignore .')).toHaveLength(3)
})

test.each([['a.json\0[b].json\0'], ['a.json\n[b].json\n'], ['a.json\r\n[b].json']])(
  '--files-from - %j',
  async (stdin) => {
    put('[b].json', BROKEN)
    expect(await found('check --files-from -', { stdin })).toEqual([
      'a.json orphan-tool-call error',
      '[b].json orphan-tool-call error',
    ])
  },
)

test('init writes what says nothing, once', async () => {
  expect(await convfix('init')).toMatchObject({ code: 0, stdout: 'wrote convfix.config.jsonc\n' })
  expect(await found('check a.json')).toEqual(['a.json orphan-tool-call error'])
  const text = readFileSync(join(cwd, 'convfix.config.jsonc'), 'utf8')
  expect(await convfix('init')).toMatchObject({ code: 2, stdout: '' })
  expect(readFileSync(join(cwd, 'convfix.config.jsonc'), 'utf8')).toBe(text)
})

test('--print-config says what applies', async () => {
  put('convfix.config.json', { model: 'm-1', overrides: [{ files: ['a.*'], rules: { media: 'off' } }] })
  const { stdout } = await convfix('check --print-config a.json')
  expect(JSON.parse(stdout)).toMatchObject({
    config: 'convfix.config.json',
    model: 'm-1',
    rules: { 'media-overflow': 'off', 'orphan-tool-call': 'default' },
  })
})

test('a baseline holds while the conversation grows, is not repaired, and is pruned', async () => {
  expect(await convfix('check a.json --baseline b/base.json --update-baseline')).toMatchObject({ code: 0 })
  const written = JSON.parse(readFileSync(join(cwd, 'b/base.json'), 'utf8'))
  expect(written).toEqual({ version: 1, files: { '../a.json': { 'orphan-tool-call call_1': 1 } } })

  put('a.json', [said('Hello.'), { role: 'assistant', content: 'Hello.' }, ...BROKEN, call('call_2'), said('And?')])
  expect((await convfix('check a.json --baseline b/base.json')).code).toBe(1)
  await convfix('fix a.json --no-backup --baseline b/base.json')
  const fixed = readFileSync(join(cwd, 'a.json'), 'utf8')
  expect(fixed).toContain('"tool_call_id":"call_2"')
  expect(fixed).not.toContain('"tool_call_id":"call_1"')
  expect((await convfix('check a.json --baseline b/base.json')).code).toBe(0)

  await convfix('fix a.json --no-backup')
  expect((await convfix('check a.json --baseline b/base.json')).stderr).toContain('--prune-baseline')
  await convfix('check a.json --baseline b/base.json --prune-baseline')
  expect(JSON.parse(readFileSync(join(cwd, 'b/base.json'), 'utf8'))).toEqual({ version: 1, files: {} })
})

describe('the baseline beside the configuration', () => {
  beforeEach(() => put('convfix.config.json', {}))

  test('is written and taken without being named, from a folder below too', async () => {
    put('sub/b.json', BROKEN)
    expect((await convfix('check . --update-baseline')).code).toBe(0)
    const { files } = JSON.parse(readFileSync(join(cwd, 'convfix-baseline.json'), 'utf8'))
    expect(Object.keys(files)).toEqual(['a.json', 'sub/b.json'])
    expect(await convfix('check a.json')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 suppressed') })
    expect((await convfix('check b.json', { cwd: join(cwd, 'sub') })).code).toBe(0)
    for (const none of ['--no-baseline', '--no-config']) expect((await convfix(`check a.json ${none}`)).code).toBe(1)
  })

  test('also without a configuration, in the folder of the run', async () => {
    put('sub/.git/HEAD', '')
    put('sub/b.json', BROKEN)
    const inside = { cwd: join(cwd, 'sub') }
    await convfix('check . --update-baseline', inside)
    expect((await convfix('check b.json', inside)).code).toBe(0)
    expect((await convfix('check sub/b.json')).code).toBe(1)
  })

  test('entries that are found no longer fail a strict run, and no other', async () => {
    await convfix('check . --update-baseline')
    expect(await convfix('check . --strict-baseline')).toMatchObject({ code: 0, stderr: '' })
    await convfix('fix a.json --no-backup --no-baseline')
    const stale = 'convfix: convfix-baseline.json: 1 entry is found no longer; --prune-baseline takes such out\n'
    expect(await convfix('check .')).toMatchObject({ code: 0, stderr: stale })
    expect(await convfix('check . --strict-baseline')).toMatchObject({ code: 1, stderr: stale })
    expect((await convfix('check . --strict-baseline --exit-zero')).code).toBe(0)
    expect((await convfix('check . --strict-baseline --prune-baseline')).code).toBe(0)
    expect(await convfix('check . --strict-baseline')).toMatchObject({ code: 0, stderr: '' })
  })

  test('of a file that is gone, too', async () => {
    put('sub/b.json', BROKEN)
    await convfix('check . --update-baseline')
    rmSync(join(cwd, 'sub'), { recursive: true })
    expect((await convfix('check . --strict-baseline')).code).toBe(1)
  })

  test('what a run did not look for is not gone', async () => {
    await convfix('check . --update-baseline')
    for (const line of ['--select media', '--ignore pairing', '--ignore orphan-tool-call']) {
      expect(await convfix(`check . --strict-baseline ${line}`)).toMatchObject({ code: 0, stderr: '' })
      await convfix(`check . --update-baseline ${line}`)
    }
    expect((await convfix('check .')).code).toBe(0)
  })

  test('a strict run without one is no run', async () => {
    expect(await convfix('check . --strict-baseline')).toMatchObject({ code: 2, stdout: '' })
  })
})

test('CONVFIX_CONFIG names a configuration, which an option outdoes', async () => {
  put('other.json', { rules: { pairing: 'off' } })
  put('third.json', {})
  const env = { CONVFIX_CONFIG: 'other.json' }
  expect(await found('check a.json', { env })).toEqual([])
  expect(await found('check a.json', { env: { CONVFIX_CONFIG: '' } })).toHaveLength(1)
  expect(await found('check a.json --config third.json', { env })).toHaveLength(1)
  expect(await found('check a.json --no-config', { env })).toHaveLength(1)
  expect(await convfix('check a.json', { env: { CONVFIX_CONFIG: 'no.json' } })).toMatchObject({ code: 2, stdout: '' })
})

describe('presets', () => {
  test.each([
    ['recommended', ['orphan-tool-call error', 'stacked-roles warning'], 1, 0],
    ['strict', ['orphan-tool-call error', 'stacked-roles error'], 1, 1],
    ['resume', ['orphan-tool-call error'], 1, 0],
  ])('%s', async (preset, expected, broken, stacked) => {
    put('a.json', [...BROKEN, said('Are you there?')])
    put('stacked.json', [said('Count the pears.'), said('Well?')])
    put('convfix.config.json', { preset, target: 'openai-chat' })
    expect(await found('check a.json')).toEqual(expected.map((each) => `a.json ${each}`))
    expect((await convfix('check a.json')).code).toBe(broken)
    expect((await convfix('check stacked.json')).code).toBe(stacked)
  })
})
