import { describe, expect, test } from 'vitest'
import { version } from '../../src/cli/version.ts'
import { convfix, fakeEngine } from './fake.ts'

const engine = fakeEngine({ 'a.jsonl': {} })

describe('what is wrong with the arguments is said in a sentence', () => {
  test.each([
    [['chekc', 'x.jsonl']],
    [['rulse']],
    [['check', 'a.jsonl', '--reporter', 'jsno']],
    [['check', 'a.jsonl', '--format', 'json']],
    [['-f', 'json', 'a.jsonl']],
    [['a.jsonl', '--max-warning', '3']],
    [['a.jsonl', '--max-warnings', 'many']],
    [['a.jsonl', '--max-warnings', '-1']],
    [['a.jsonl', '--max-warnings']],
    [['a.jsonl', '--max-media', '1.5']],
    [['a.jsonl', '--select', 'orphan-tool-cal']],
    [['a.jsonl', '--ignore', 'paring']],
    [['a.jsonl', '--select', 'pairing,']],
    [['a.jsonl', '--target', 'antropic']],
    [['a.jsonl', '--input-format', 'claud-code']],
    [['a.jsonl', '-r', 'pretty', '-r', 'json']],
    [['a.jsonl', '-r', 'pretty=x', '-r', 'json=x']],
    [['a.jsonl', '-r', 'json=']],
    [['a.jsonl', '--out-dir', 'out']],
    [['a.jsonl', '--fix', '--fixed-suffix', 'a/b']],
    [['a.jsonl', '--color=sometimes']],
    [['payload']],
    [['payload', 'a.jsonl', 'b.jsonl']],
    [['payload', 'a.jsonl', '--target', 'gemni']],
    [['explain', 'orphan-tool-cal']],
    [['explain', 'pairing']],
    [['help', 'chekc']],
  ])('%j', async (argv) => {
    const outcome = await convfix(argv, engine)
    expect(outcome).toMatchObject({ code: 2, stdout: '' })
    expect(outcome.stderr).toMatchSnapshot()
    expect(outcome.stderr).not.toMatch(/^ +at /m)
  })
})

test('a stack only with --debug', async () => {
  const failing = fakeEngine({}, { restore: () => Promise.reject(new Error('no such luck')) })
  expect(await convfix(['restore', 'a.jsonl'], failing)).toEqual({
    code: 2,
    stdout: '',
    stderr: 'convfix: error: internal error: no such luck (--debug shows where)\n',
  })
  expect((await convfix(['restore', 'a.jsonl', '--debug'], failing)).stderr).toMatch(/^ +at /m)
})

describe('what always works', () => {
  test.each(['--version', '-v'])('%s', async (flag) => {
    expect(await convfix([flag], engine)).toEqual({ code: 0, stdout: `${version()}\n`, stderr: '' })
  })

  test.each([
    ['--help'],
    ['check --help'],
    ['help fix'],
    ['payload -h'],
    ['rules -h'],
    ['explain -h'],
    ['restore -h'],
    ['info -h'],
  ])('%s', async (line) => {
    const { code, stdout, stderr } = await convfix(line.split(' '), engine)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatchSnapshot()
    expect(stdout).toContain('Examples:')
    expect(stdout).toContain('Exit codes:')
  })

  test('options that are only there for later', async () => {
    expect((await convfix(['check', '--no-config', '--no-progress', 'a.jsonl'], engine)).code).toBe(0)
  })
})

describe('other commands', () => {
  test('rules', async () => {
    expect(await convfix(['rules'], engine)).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "rule              family   severity  fix  what it finds
      empty-file        file     warning        The file is empty
      orphan-tool-call  pairing  error     yes  A tool call has no result

      2 rules; severities are those where no provider decides; more: convfix explain RULE
      their pages: https://github.com/convfix/convfix/blob/main/docs/rules/RULE.md
      ",
      }
    `)
    const rules = JSON.parse((await convfix(['rules', '--json'], engine)).stdout)
    expect(rules.map(({ name, fixable }: { name: string; fixable: boolean }) => [name, fixable])).toEqual([
      ['orphan-tool-call', true],
      ['empty-file', false],
    ])
  })

  test('explain', async () => {
    expect((await convfix(['explain', 'orphan-tool-call'], engine)).stdout).toMatchInlineSnapshot(`
      "orphan-tool-call
      A tool call has no result

      family pairing · error where no provider decides · fixable · since 0.1.0

      What it finds
        A tool call that nothing answers.

      Why it matters
        The API refuses the conversation from then on, with each new prompt, so that the session cannot be
        resumed until somebody repairs the file by hand.

      Example
        {"role":"assistant","content":[{"type":"tool_use","id":"toolu_1"}]}

      Repair
        An error result is added.

      Fix safety
        Safe: nothing is removed.

      Errors that it explains
        anthropic: \`tool_use\` ids were found without \`tool_result\` blocks immediately after

      Sources
        https://docs.example.test/tool-use

      Page
        https://github.com/convfix/convfix/blob/main/docs/rules/orphan-tool-call.md
      "
    `)
  })

  test('payload', async () => {
    const asked = fakeEngine({})
    const outcome = await convfix(['payload', '-', '--fix', '--target', 'openai-chat', '--stdin-filename', 'x'], asked)
    expect(outcome).toEqual({ code: 0, stdout: '[{"role":"user"}]\n', stderr: '' })
    expect(asked.calls[0]?.options).toMatchObject({ fix: true, target: 'openai-chat', path: 'x' })
  })

  test('restore', async () => {
    expect(await convfix(['restore', 'a.jsonl'], engine, { cwd: '/home/ada' })).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "restored a.jsonl from a.jsonl.convfix.bak
      what stood there before is now a.jsonl.convfix.2.bak
      ",
      }
    `)
  })
})
