import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Engine, loadEngine } from '../../src/cli/engine.ts'
import { REPORTERS } from '../../src/reporters/index.ts'
import { folder, type Outcome, convfix as run, type Terminal } from './fake.ts'

/** What the program says and how it ends, all three together: what a person or a script has to go by. */

const KEY = `sk-ant-${'a1b2c3d4'.repeat(4)}`
const said = (content: unknown) => ({ role: 'user', content })
const call = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'toolu_k1', name: 'Look', input: { at: 'kettle' } }],
}
const BROKEN = [said(`Is it on? My key is ${KEY}.`), call, said('Hello? \u001b[31m\u202e')]
const WARNED = [said([{ type: 'text', text: 'Is it on?' }]), said('Hello?')]
const HEALTHY = [said('Is it on?')]

let engine: Engine
let cwd: string
beforeAll(async () => {
  engine = await loadEngine()
})

function filled(files: Readonly<Record<string, unknown>>): string {
  const path = folder()
  mkdirSync(join(path, '.git'))
  for (const [name, value] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true })
    writeFileSync(join(path, name), typeof value === 'string' ? value : JSON.stringify(value))
  }
  return path
}

/** The same on every machine and at every time. */
function normalised({ code, stdout, stderr }: Outcome): Outcome {
  const same = (text: string): string =>
    text
      .replaceAll(cwd, '<cwd>')
      .replace(/"durationMs": ?\d+/g, '"durationMs":0')
      .replace(/\d+ ms\b|\d+\.\d s\b/g, '0 ms')
      .replace(/(time|timestamp)="[^"]*"/g, '$1="0"')
  return { code, stdout: same(stdout), stderr: same(stderr) }
}

const outcome = async (argv: readonly string[], terminal: Terminal = {}): Promise<Outcome> =>
  normalised(await run([...argv, '--no-progress'], engine, { cwd, ...terminal }))

describe('each reporter, of a broken file, one with a warning, a healthy one and one that is not there', () => {
  test.each(Object.keys(REPORTERS).filter((name) => name !== 'html'))('%s', async (reporter) => {
    cwd = filled({ 'broken.json': BROKEN, 'warned.json': WARNED, 'healthy.json': HEALTHY })
    const files = ['broken.json', 'warned.json', 'healthy.json', 'no.json']
    const ended = await outcome(['check', '-r', reporter, ...files])
    expect(ended).toMatchSnapshot()
    expect(ended.code).toBe(2)
    expect(ended.stdout + ended.stderr).not.toContain(KEY)
    expect(ended.stdout).not.toMatch(/[\u001b\u202e]/)
    expect((await outcome(['check', '-r', reporter, 'broken.json'])).code).toBe(1)
    expect((await outcome(['check', '-r', reporter, 'healthy.json'])).code).toBe(0)
    // Into a file it is the same, and so is the exit code.
    expect(await outcome(['check', '-r', `${reporter}=report.txt`, ...files])).toEqual({ ...ended, stdout: '' })
  })

  test('html', async () => {
    cwd = filled({ 'broken.json': BROKEN, 'healthy.json': HEALTHY })
    const ended = await outcome(['check', '-r', 'html', 'broken.json', 'healthy.json'])
    const [, data] = /<script[^>]*type="application\/json"[^>]*>(.*?)<\/script>/s.exec(ended.stdout) ?? []
    expect({ ...ended, stdout: JSON.parse(data ?? 'null') }).toMatchSnapshot()
    expect(ended.stdout).not.toContain(KEY)
  })

  test.each(Object.keys(REPORTERS).filter((name) => name !== 'html'))('%s, of a repair', async (reporter) => {
    cwd = filled({ 'broken.json': BROKEN, 'healthy.json': HEALTHY })
    expect(await outcome(['fix', '-r', reporter, 'broken.json', 'healthy.json'])).toMatchSnapshot()
    // What was repaired is sound, and nothing is done again.
    expect((await outcome(['fix', '-r', 'concise', 'broken.json'])).code).toBe(0)
  })
})

const FILES = {
  'a.json': BROKEN,
  'sub/notes.json': { shop: 1 },
  'config.json': '{ "rules": ',
  'key.json': { rulez: {} },
}

describe('each error that is known is said in a sentence, without a stack', () => {
  test.each<[string, readonly string[], Terminal?]>([
    // files
    ['no such file', ['check', 'no.json']],
    ['no such file among others', ['check', 'no.json', 'a.json', '-r', 'concise']],
    ['a pattern that matches nothing', ['check', '*.jsonl']],
    ['a folder without transcripts', ['check', 'sub']],
    ['an empty folder', ['check', 'empty']],
    ['a link that leads nowhere', ['check', 'dangling.json']],
    ['no transcript', ['check', 'sub/notes.json']],
    ['bytes that are no text', ['check', 'image.json', '-r', 'concise']],
    ['an empty file', ['check', 'nothing.json', '-r', 'concise']],
    ['a list of files that is not there', ['check', '--files-from', 'list.txt']],
    ['a report that cannot be written', ['check', 'a.json', '-r', 'json=no/report.json']],
    ['nothing to restore', ['restore', 'a.json']],
    ['a payload of no transcript', ['payload', 'sub/notes.json']],
    ['a payload of no such file', ['payload', 'no.json']],
    ['a payload of no such conversation', ['payload', 'a.json', '--conversation', 'x']],
    ['an error text and no such file', ['explain', '400 concurrency issues', 'no.json']],
    // options
    ['unknown option', ['check', '--fxi', 'a.json']],
    ['unknown command', ['chekc', 'a.json']],
    ['unknown rule', ['check', '--select', 'orphan-tool-cal', 'a.json']],
    ['unknown rule to explain', ['explain', 'orphan-tool-cal']],
    ['nothing to explain', ['explain', '']],
    ['only spaces to explain', ['explain', ' \n']],
    ['nothing to explain on standard input', ['explain', '-']],
    ['unknown format', ['check', '--input-format', 'claud-code', 'a.json']],
    ['unknown target', ['check', '--target', 'antropic', 'a.json']],
    ['unknown target to list', ['targets', 'antropic']],
    ['unknown reporter', ['check', '-r', 'jsno', 'a.json']],
    ['unknown rule that may be repaired', ['fix', '--fixable', 'orphan-tool-cal', 'a.json']],
    ['unknown severity', ['check', '--severity', 'pairing=eror', 'a.json']],
    ['unknown agent', ['sessions', 'claud-code']],
    ['no number', ['check', '--max-warnings', 'few', 'a.json']],
    ['a model that nobody knows', ['check', '--model', 'claude-sonet-5', 'a.json', '-r', 'concise']],
    ['a model that nobody knows, of a target', ['targets', 'deepseek', '--model', 'deepsek-chat']],
    ['a model where it does not matter', ['targets', 'mistral', '--model', 'x']],
    ['a model of all targets', ['targets', '--model', 'x']],
    // configuration and baseline
    ['a configuration that is no JSON', ['check', '--config', 'config.json', 'a.json']],
    ['unknown key of a configuration', ['check', '--config', 'key.json', 'a.json']],
    ['no such configuration', ['check', '--config', 'no.json', 'a.json']],
    ['no such configuration in the environment', ['check', 'a.json'], { env: { CONVFIX_CONFIG: 'no.json' } }],
    ['no such baseline', ['check', '--baseline', 'no.json', 'a.json']],
    ['a baseline that is none', ['check', '--baseline', 'a.json', 'a.json']],
    ['a strict baseline that is not there', ['check', '--strict-baseline', 'a.json']],
    // standard input
    ['standard input that is empty', ['check', '-']],
    ['standard input that is empty, repaired', ['fix', '-']],
    ['standard input, repaired', ['fix', '-', '-r', 'concise'], { stdin: JSON.stringify(BROKEN) }],
    ['standard input, repaired and reported as JSON', ['fix', '-', '-r', 'jsonl'], { stdin: JSON.stringify(BROKEN) }],
    ['standard input that is no transcript', ['check', '-', '-r', 'concise'], { stdin: 'Hello.' }],
    ['standard input that is typed', ['check', '-', '-r', 'concise'], { stdin: '[]', typed: true }],
    ['standard input twice', ['check', '-', '--files-from', '-']],
    [
      'a name for standard input',
      ['check', '-', '--stdin-filename', 'x.json', '-r', 'concise'],
      { stdin: JSON.stringify(BROKEN) },
    ],
  ])('%s', async (_, argv, terminal) => {
    cwd = filled({ ...FILES, 'image.json': '\u0000\u0001\u0002PNG', 'nothing.json': '' })
    mkdirSync(join(cwd, 'empty'))
    symlinkSync(join(cwd, 'gone.json'), join(cwd, 'dangling.json'))
    const ended = await outcome(argv, { env: { HOME: cwd }, ...terminal })
    expect(ended).toMatchSnapshot()
    expect(ended.stderr).not.toMatch(/^ +at |internal error/m)
  })
})

describe('which findings are repaired', () => {
  const parts = ['', 'Still there?'].map((text) => ({ type: 'text', text }))
  const TWO = [...BROKEN, { role: 'assistant', content: 'Yes.' }, said(parts)]
  test.each([
    [[], ['empty-text', 'orphan-tool-call']],
    [['--fixable', 'orphan-tool-call'], ['orphan-tool-call']],
    [['--fixable', 'pairing'], ['orphan-tool-call']],
    [['--fixable', 'pairing,content', '--unfixable', 'empty-text'], ['orphan-tool-call']],
    [['--unfixable', 'pairing'], ['empty-text']],
    [['--unfixable', 'pairing', '--fixable', 'orphan-tool-call'], ['orphan-tool-call']],
    [['--unfixable', 'pairing,content'], []],
  ])('%j: %j', async (options, expected) => {
    cwd = filled({ 'a.json': TWO })
    const argv = ['--ignore', 'roles', '-r', 'json', 'a.json', ...options]
    const report = async (command: string) => JSON.parse((await outcome([command, ...argv])).stdout)
    const before = await report('check')
    expect(before.files[0].findings.map(({ rule }: { rule: string }) => rule).sort()).toEqual([
      'empty-text',
      'orphan-tool-call',
    ])
    expect(before.summary.fixable).toBe(expected.length)
    const after = await report('fix')
    expect(after.files[0].fixed.map(({ rule }: { rule: string }) => rule).sort()).toEqual(expected)
    expect(after.summary.exitCode).toBe(expected.length === 2 ? 0 : 1)
  })
})

test('silent: the exit code, and reports that go to files', async () => {
  cwd = filled({ 'broken.json': BROKEN, 'healthy.json': HEALTHY })
  expect(await outcome(['check', '--silent', 'broken.json'])).toEqual({ code: 1, stdout: '', stderr: '' })
  expect(await outcome(['check', '--silent', 'healthy.json'])).toEqual({ code: 0, stdout: '', stderr: '' })
  const more = ['--statistics', '--max-warnings', '0', '-r', 'concise=out.txt']
  expect(await outcome(['check', '--silent', 'broken.json', ...more])).toEqual({ code: 1, stdout: '', stderr: '' })
  expect(readFileSync(join(cwd, 'out.txt'), 'utf8')).toContain('[orphan-tool-call]')
  // What keeps it from its job is said nevertheless.
  expect((await outcome(['check', '--silent', 'no.json'])).stderr).toContain('does not exist')
})

test('info says what a report of a fault needs', async () => {
  cwd = filled({ 'convfix.config.json': {}, 'convfix-baseline.json': { version: 1, files: {} } })
  const { code, stdout, stderr } = await outcome(['info'])
  expect([code, stderr]).toEqual([0, ''])
  const facts = Object.fromEntries(
    stdout.split('\n').map((line) => [line.split(' ', 1)[0], line.replace(/^\S+ +/, '')]),
  )
  expect(facts).toMatchObject({ node: process.version, folder: '<cwd>', columns: '120', links: 'no' })
  expect([facts.configuration, facts.baseline]).toEqual(['convfix.config.json', 'convfix-baseline.json'])
  expect((await outcome(['info', '--no-config'])).stdout).toMatch(/^configuration +none\nbaseline +none$/m)
})

const isRoot = process.getuid?.() === 0

describe.skipIf(isRoot)(`without a permission${isRoot ? ' (skipped: root has them all)' : ''}`, () => {
  test('to read a file', async () => {
    cwd = filled({ 'a.json': BROKEN, 'b.json': BROKEN })
    chmodSync(join(cwd, 'a.json'), 0)
    expect(await outcome(['check', 'a.json', 'b.json', '-r', 'concise'])).toEqual({
      code: 2,
      stdout: 'b.json:1:122: error: Look call toolu_k1 has no result [orphan-tool-call]\n',
      stderr: 'convfix: error: permission to use "<cwd>/a.json" is denied\n',
    })
  })

  test('to write into a folder', async () => {
    cwd = filled({ 'sub/a.json': BROKEN })
    chmodSync(join(cwd, 'sub'), 0o555)
    const ended = await outcome(['fix', 'sub/a.json', '-r', 'concise'])
    chmodSync(join(cwd, 'sub'), 0o755)
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/^convfix: error: .*permission.*\n$/) })
  })

  test('to read a configuration or a baseline', async () => {
    cwd = filled({ 'a.json': BROKEN, 'convfix.config.json': {}, 'known.json': {} })
    for (const name of ['convfix.config.json', 'known.json']) chmodSync(join(cwd, name), 0)
    for (const argv of [
      ['check', 'a.json'],
      ['check', 'a.json', '--no-config', '--baseline', 'known.json'],
    ]) {
      const { code, stdout, stderr } = await outcome(argv)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(/cannot be read: permission to use .* is denied\n$/)
    }
  })
})
