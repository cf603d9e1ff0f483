import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { resolveColor, resolveLinks, resolveUnicode } from '../../src/cli/color.ts'
import { forTerminal } from '../../src/cli/diff-view.ts'
import { main } from '../../src/cli/main.ts'
import { distance, nearest } from '../../src/cli/suggest.ts'
import { bare, fileReport, finding } from '../reporters/sample.ts'
import { convfix, FakeProcess, fakeEngine, folder, withoutColour } from './fake.ts'

describe('colour', () => {
  test.each([
    // choice, environment, terminal → coloured
    ['auto', {}, true, true],
    ['auto', {}, false, false],
    ['auto', { NO_COLOR: '1' }, true, false],
    ['auto', { NO_COLOR: '' }, true, true],
    ['auto', { FORCE_COLOR: '1' }, false, true],
    ['auto', { FORCE_COLOR: '' }, false, true],
    ['auto', { FORCE_COLOR: '0' }, true, false],
    ['auto', { FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
    ['auto', { TERM: 'dumb' }, true, false],
    ['auto', { FORCE_COLOR: '1', TERM: 'dumb' }, false, true],
    ['auto', { GITHUB_ACTIONS: 'true' }, false, true],
    ['auto', { GITHUB_ACTIONS: 'true', NO_COLOR: '1' }, false, false],
    ['always', { NO_COLOR: '1', TERM: 'dumb' }, false, true],
    ['never', { FORCE_COLOR: '1' }, true, false],
  ] as const)('%s %j terminal: %s', (choice, env, isTTY, expected) => {
    expect(resolveColor(choice, env, isTTY)).toBe(expected)
  })

  const broken = fakeEngine({ 'a.jsonl': { findings: [finding()] } })
  const escapes = async (argv: string[], terminal = {}): Promise<boolean> =>
    (await convfix(argv, broken, terminal)).stdout.includes('\u001b[')

  test('options', async () => {
    expect(await escapes(['a.jsonl'])).toBe(false)
    expect(await escapes(['a.jsonl'], { columns: 80 })).toBe(true)
    expect(await escapes(['--no-color', 'a.jsonl'], { columns: 80 })).toBe(false)
    expect(await escapes(['--color', 'a.jsonl'])).toBe(true)
    expect(await escapes(['check', 'a.jsonl', '--color=always'])).toBe(true)
    expect(await escapes(['check', '--color', 'never', 'a.jsonl'], { columns: 80 })).toBe(false)
  })

  test('colours change nothing but the colours', async () => {
    const plain = await convfix(['--no-color', 'a.jsonl'], broken)
    expect(withoutColour(await convfix(['--color', 'a.jsonl'], broken))).toEqual(plain)
  })
})

test('characters outside ASCII', () => {
  expect(resolveUnicode({ LANG: 'C' }, 'linux', true)).toBe(false)
  expect(resolveUnicode({ LANG: 'C' }, 'linux', false)).toBe(true)
  expect(resolveUnicode({ LC_ALL: 'C.UTF-8' }, 'linux', true)).toBe(true)
  expect(resolveUnicode({}, 'linux', true)).toBe(true)
  expect(resolveUnicode({ LC_ALL: 'de_DE.ISO-8859-1', LANG: 'C.UTF-8' }, 'linux', true)).toBe(false)
  expect(resolveUnicode({ TERM: 'linux' }, 'linux', true)).toBe(false)
  expect(resolveUnicode({}, 'win32', true)).toBe(false)
})

describe('links', () => {
  test.each([
    // environment, terminal → links
    [{ TERM_PROGRAM: 'iTerm.app' }, true, true],
    [{ TERM_PROGRAM: 'iTerm.app' }, false, false],
    [{ TERM_PROGRAM: 'Apple_Terminal' }, true, false],
    [{ TERM: 'xterm-kitty' }, true, true],
    [{ TERM: 'xterm-256color' }, true, false],
    [{ VTE_VERSION: '5000' }, true, false],
    [{ VTE_VERSION: '7600' }, true, true],
    [{ WT_SESSION: '1' }, true, true],
    [{ WT_SESSION: '1', CI: 'true' }, true, false],
    [{ TERM_PROGRAM: 'vscode', TMUX: '/tmp/tmux' }, true, false],
    [{ TERM_PROGRAM: 'vscode', TERM: 'dumb' }, true, false],
    [{ FORCE_HYPERLINK: '1' }, false, true],
    [{ FORCE_HYPERLINK: '0', TERM_PROGRAM: 'vscode' }, true, false],
  ] as const)('%j terminal: %s', (env, isTTY, expected) => {
    expect(resolveLinks(env, isTTY)).toBe(expected)
  })

  test('a rule leads to its page, and takes no more room for it', async () => {
    const engine = fakeEngine({ 'a.jsonl': { findings: [finding()] } })
    const env = { TERM_PROGRAM: 'vscode' }
    const linked = await convfix(['a.jsonl'], engine, { columns: 80, env })
    const { rule, helpUri } = finding()
    const line = linked.stdout.split('\n').find((each) => each.includes(rule))!
    const [, inside, after] = line.split(/\u001b]8;;[^\u0007]*\u0007/)
    expect(line).toContain(`\u001b]8;;${helpUri}\u0007`)
    expect([stripVTControlCharacters(inside!), after]).toEqual([rule, ''])
    expect(withoutColour(linked)).toEqual(await convfix(['--no-color', 'a.jsonl'], engine, { columns: 80, env }))
  })
})

describe('a rule leads to its page', () => {
  const env = { TERM_PROGRAM: 'vscode' }
  const page = (rule: string) => `https://github.com/convfix/convfix/blob/main/docs/rules/${rule}.md`

  test('in the list', async () => {
    const engine = fakeEngine({})
    const linked = (await convfix(['rules'], engine, { columns: 80, env })).stdout
    for (const name of ['orphan-tool-call', 'empty-file'])
      expect(linked).toContain(`\u001b]8;;${page(name)}\u0007${name}\u001b]8;;\u0007`)
    const plain = (await convfix(['rules'], engine)).stdout
    expect(plain).not.toContain('\u001b')
    expect(plain).toContain(page('RULE'))
    expect(stripVTControlCharacters(linked)).toBe(
      (await convfix(['rules', '--no-color'], engine, { columns: 80 })).stdout,
    )
  })

  test('where it is explained', async () => {
    const [linked, plain] = [{ columns: 80, env }, {}].map((terminal) =>
      convfix(['explain', 'empty-file'], fakeEngine({}), terminal),
    )
    const uri = page('empty-file')
    expect((await linked!).stdout).toContain(`\u001b]8;;${uri}\u0007${uri}\u001b]8;;\u0007`)
    expect((await plain!).stdout).toMatch(new RegExp(`^Page\n  ${uri}$`, 'm'))
  })
})

test('suggestions', () => {
  expect(distance('chekc', 'check')).toBe(1)
  expect(distance('', 'abc')).toBe(3)
  expect(nearest('jsno', ['pretty', 'concise', 'json'])).toEqual(['json'])
  expect(nearest('sessions', ['check', 'fix', 'rules'])).toEqual([])
})

describe('a difference on a terminal', () => {
  const long = 'x'.repeat(300)
  const diff = `--- a.jsonl\n+++ a.jsonl\n@@ -1 +1 @@\n ${long}\n-{"k":"${long}","v":"old\u009b"}\n+{"k":"${long}","v":"new"}\n`

  test('is cut to where the lines differ', () => {
    expect(forTerminal(diff, 60, '…')).toMatchInlineSnapshot(`
      [
        "--- a.jsonl",
        "+++ a.jsonl",
        "@@ -1 +1 @@",
        " xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…",
        "-…xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx","v":"old\\u009b"}",
        "+…xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx","v":"new"}",
        "",
      ]
    `)
  })

  test('goes into a pipe as it is', async () => {
    const engine = fakeEngine({ 'a.jsonl': { diff } })
    expect((await convfix(['--diff', 'a.jsonl'], engine)).stdout).toBe(diff)
    expect((await convfix(['--diff', '--no-color', 'a.jsonl'], engine, { columns: 60 })).stdout).not.toContain('\u009b')
  })
})

describe('stopped by a signal', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s', async (signal, expected) => {
    let cleaned = false
    let began = (): void => {}
    const hanging = new Promise<void>((resolve) => {
      began = resolve
    })
    const engine = fakeEngine(
      { 'a.jsonl': {} },
      {
        checkFile: () => {
          began()
          return new Promise(() => {})
        },
        cleanUp: async () => {
          cleaned = true
        },
      },
    )
    const io = new FakeProcess()
    const code = main(['a.jsonl'], io, async () => engine)
    await hanging
    io.listeners.get(signal)!()
    expect(await code).toBe(expected)
    expect(cleaned).toBe(true)
    expect(io.stdout.text + io.stderr.text).toBe('')
    expect(io.listeners.size).toBe(0)
  })

  test('nothing is reported of a run that was stopped between two files', async () => {
    const io = new FakeProcess()
    const checkFile = async () => {
      io.listeners.get('SIGINT')?.()
      return fileReport({ findings: [bare()] })
    }
    const engine = fakeEngine({ 'a.jsonl': {}, 'b.jsonl': {} }, { checkFile })
    expect(await main(['a.jsonl', 'b.jsonl'], io, async () => engine)).toBe(130)
    expect(io.stdout.text + io.stderr.text).toBe('')
  })
})

test('a reader that has gone away is no error', async () => {
  const io = new FakeProcess()
  io.stdout._write = (_chunk, _encoding, done: (error?: Error) => void) =>
    done(Object.assign(new Error('gone'), { code: 'EPIPE' }))
  expect(await main(['a.jsonl'], io, async () => fakeEngine({ 'a.jsonl': {} }))).toBe(0)
  expect(io.stderr.text).toBe('')
})

const bin = new URL('../../bin/convfix.js', import.meta.url).pathname
const built = existsSync(new URL('../../dist/cli/main.js', import.meta.url))
const hasScript = spawnSync('script', ['--version']).status === 0
const why = !hasScript
  ? ' (skipped: there is no `script` to make a terminal with)'
  : built
    ? ''
    : ' (skipped: not built)'

describe.skipIf(why !== '')(`on a terminal${why}`, () => {
  const run = (columns: number, command: string, more: Readonly<Record<string, string>> = {}) => {
    const cwd = folder()
    writeFileSync(join(cwd, 'a.json'), '[{"role":"user","content":"hello"}]\n')
    const env = { PATH: process.env.PATH, TERM: 'xterm', LANG: 'C.UTF-8', ...more }
    const line = `stty cols ${columns}; ${process.execPath} ${bin} ${command}`
    return spawnSync('script', ['-qec', line, '/dev/null'], { cwd, env, encoding: 'utf8', timeout: 20_000 })
  }

  test.each([0, 80])('of %i columns a run ends, with colours and without a spinner left behind', (columns) => {
    const { status, stdout } = run(columns, 'check a.json')
    expect(status).toBe(0)
    expect(stdout).toContain('\u001b[32m')
    expect(stdout).toContain('no problems')
    expect(stdout.length).toBeLessThan(2000)
  })

  test('NO_COLOR is obeyed', () => {
    expect(run(80, 'check --no-color a.json').stdout).not.toContain('\u001b[3')
    expect(run(80, 'check a.json', { NO_COLOR: '1', TERM_PROGRAM: 'vscode' }).stdout).not.toContain('\u001b')
  })

  test('of another character set, marks are of ASCII', () => {
    expect(run(80, 'check --no-color a.json', { LANG: 'C' }).stdout).toMatch(/^ok: 1 file, 1 record, no problems/m)
    const rule = run(80, 'explain --no-color orphan-tool-call', { LANG: 'C' }).stdout
    expect(rule).toContain('family pairing - error')
    expect(rule).toMatch(/^[\r\n -~]*$/)
  })
})

const hasShell = spawnSync('sh', ['-c', 'true']).status === 0
const whyNoPipe = !hasShell ? ' (skipped: there is no `sh`)' : built ? '' : ' (skipped: not built)'

describe.skipIf(whyNoPipe !== '')(`into a pipe${whyNoPipe}`, () => {
  /** A file with so many open calls that its report is longer than a pipe takes at once. */
  const piped = (reader: string) => {
    const cwd = folder()
    const turns = Array.from({ length: 600 }, (_, i) => [
      { role: 'user', content: 'Is it on?' },
      { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_k${i}`, name: 'Look', input: {} }] },
    ])
    writeFileSync(join(cwd, 'a.json'), JSON.stringify(turns.flat()))
    const line = `{ ${process.execPath} ${bin} check --no-config --reporter json a.json; echo "code $?" >&2; } | ${reader}`
    return spawnSync('sh', ['-c', line], { cwd, encoding: 'utf8', timeout: 60_000, maxBuffer: 1 << 26 })
  }

  test('a long report arrives whole, whatever the exit code', () => {
    const { stdout, stderr } = piped('{ sleep 1; cat; }')
    expect(stdout.length).toBeGreaterThan(1 << 17)
    const { files } = JSON.parse(stdout) as { files: { findings: unknown[] }[] }
    expect(files[0]!.findings.length).toBeGreaterThanOrEqual(600)
    expect(stderr).toBe('code 1\n')
  })

  test('a reader that stops early is passed over in silence', () => {
    expect(piped('head -c 10').stderr).toBe('code 1\n')
  })
})
