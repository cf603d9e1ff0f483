import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bare, finding, fixOf } from '../reporters/sample.ts'
import { convfix, fakeEngine, folder } from './fake.ts'

const clean = { 'a.jsonl': {} }
const broken = { 'a.jsonl': {}, 'b.jsonl': { findings: [finding()] } }

describe('arguments', () => {
  test('a missing file keeps no other from being checked', async () => {
    expect(await convfix(['check', 'nosuch.jsonl', 'b.jsonl'], fakeEngine(broken))).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "convfix: error: "nosuch.jsonl" does not exist
      ",
        "stdout": "b.jsonl  claude-code · 212 records · anthropic · claude-sonnet-5

        118:1  error  Bash call toolu_01Ab has no result  orphan-tool-call
               116  user       "run the tests"
               117  assistant  "Running them." · call Bash toolu_01Ab  the call
             ▸ 118  user       "are you there?"                        a result for toolu_01Ab must stand before this
               messages[57] · API: 400 \`tool_use\` ids were found without \`tool_result\` blocks immediately after
               fix: add an error result behind line 117 · nothing is lost
               left as it is: Claude Code 2.1.332 would drop the call

      ✖ 1 error in 1 of 1 file · 1 fixable: convfix check --fix nosuch.jsonl b.jsonl · 1 ms
      ",
      }
    `)
  })

  test.each([['nosuch/*.jsonl'], ['nosuch.jsonl']])('%s alone', async (argument) => {
    expect(await convfix([argument], fakeEngine(clean))).toMatchSnapshot()
    const lenient = await convfix([argument, '--no-error-on-unmatched-pattern'], fakeEngine(clean))
    expect(lenient).toMatchObject({ code: 0, stderr: '' })
  })

  test('what stands beside conversations is passed over with a word where it is named', async () => {
    const cwd = folder()
    for (const name of ['history.jsonl', 's.jsonl']) writeFileSync(join(cwd, name), '')
    const skipped = 'no conversation: a history of prompts'
    const reports = { 'history.jsonl': { format: null, skipped }, 's.jsonl': {} }
    expect(await convfix(['history.jsonl'], fakeEngine(reports), { cwd })).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "history.jsonl  no conversation: a history of prompts

      ✔ 0 files, 0 records, no problems (1 ms)
      ",
      }
    `)
    expect((await convfix([], fakeEngine(reports), { cwd })).stdout).not.toContain('history.jsonl')
    expect((await convfix(['--show-files'], fakeEngine(reports), { cwd })).stdout).toContain(
      `history.jsonl  ${skipped}`,
    )
  })

  test('a folder: what is no transcript is passed by', async () => {
    const cwd = folder()
    for (const name of ['package.json', 's.jsonl']) writeFileSync(join(cwd, name), '')
    const reports = { 'package.json': { format: null, findings: [bare()] } }
    expect(await convfix([], fakeEngine(reports), { cwd })).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "✔ 1 file, 212 records, no problems (1 ms)
      ",
      }
    `)
    expect((await convfix(['--show-files'], fakeEngine(reports), { cwd })).stdout).toMatchInlineSnapshot(`
      "package.json  not a transcript
      s.jsonl  claude-code · 212 records · anthropic · claude-sonnet-5

      ✔ 1 file, 212 records, no problems (1 ms)
      "
    `)
    // Named, it is checked.
    expect((await convfix(['package.json'], fakeEngine(reports), { cwd })).code).toBe(1)
  })

  test('a folder without transcripts', async () => {
    const cwd = folder()
    mkdirSync(join(cwd, 'sub'))
    writeFileSync(join(cwd, 'sub/package.json'), '')
    const reports = { 'sub/package.json': { format: null, findings: [bare()] } }
    const engine = fakeEngine(reports)
    expect(await convfix(['sub'], engine, { cwd })).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "convfix: error: none of the files in sub is a transcript
      ",
        "stdout": "",
      }
    `)
    expect((await convfix(['sub', '--no-error-on-unmatched-pattern'], engine, { cwd })).code).toBe(0)
  })

  test('a fault of our own in one file keeps no other from being checked', async () => {
    const engine = fakeEngine({ ...broken, 'a.jsonl': new TypeError('x is not a function') })
    const { code, stdout, stderr } = await convfix(['a.jsonl', 'b.jsonl'], engine)
    expect(code).toBe(2)
    expect(stderr).toBe('convfix: error: a.jsonl: internal error: x is not a function (--debug shows where)\n')
    expect(stdout).toContain('1 error in 1 of 2 files')
    expect((await convfix(['a.jsonl', '--debug'], engine)).stderr).toMatch(/at .*files\.test\.ts/)
  })
})

describe('repairs', () => {
  test('options reach the engine', async () => {
    const engine = fakeEngine(clean)
    await convfix(
      [
        'fix',
        'a.jsonl',
        '--unsafe-fixes',
        '--force',
        '--no-backup',
        '--out-dir',
        'out',
        '--fixed-suffix',
        '.ok',
        '--max-media',
        '50',
        '--model',
        'm',
      ],
      engine,
      { cwd: '/home/ada', env: { HOME: '/home/dev' } },
    )
    expect(engine.calls).toMatchInlineSnapshot(`
      [
        {
          "options": {
            "backup": false,
            "diff": false,
            "dryRun": false,
            "fixedSuffix": ".ok",
            "force": true,
            "format": undefined,
            "ignore": undefined,
            "maxMedia": 50,
            "model": "m",
            "outDir": "/home/ada/out",
            "path": "a.jsonl",
            "select": undefined,
            "self": {
              "env": {
                "HOME": "/home/dev",
              },
              "home": "/home/dev",
              "pid": 4711,
            },
            "target": undefined,
            "timeline": false,
            "unsafe": true,
          },
          "what": "fixFile",
        },
      ]
    `)
  })

  test('check --fix and fix are the same', async () => {
    const [a, b] = [fakeEngine(clean), fakeEngine(clean)]
    expect(await convfix(['check', '--fix', 'a.jsonl'], a)).toEqual(await convfix(['fix', 'a.jsonl'], b))
    expect(a.calls).toEqual(b.calls)
  })

  test('--diff: the difference on stdout, the report on stderr', async () => {
    const diff = '--- a.jsonl\n+++ a.jsonl\n@@ -1 +1 @@\n-{"a":1}\n+{"a":2}\n'
    const outcome = await convfix(['--diff', 'a.jsonl'], fakeEngine({ 'a.jsonl': { diff, fixed: [fixOf()] } }))
    expect(outcome).toMatchInlineSnapshot(`
      {
        "code": 1,
        "stderr": "a.jsonl  claude-code · 212 records · anthropic · claude-sonnet-5

        would fix: 1 × orphan-tool-call

      ⚠ 1 problem would be fixed in 1 of 1 file, none left · 1 ms
      ",
        "stdout": "--- a.jsonl
      +++ a.jsonl
      @@ -1 +1 @@
      -{"a":1}
      +{"a":2}
      ",
      }
    `)
  })

  test('standard input: the text on stdout, the report on stderr', async () => {
    const engine = fakeEngine({ 'x.jsonl': { fixed: [fixOf()], changed: true } })
    const outcome = await convfix(['--fix', '-', '--stdin-filename', 'x.jsonl'], engine, { stdin: '{"a":1}\n' })
    expect(outcome).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "x.jsonl  claude-code · 212 records · anthropic · claude-sonnet-5

        fixed: 1 × orphan-tool-call

      ✔ 1 problem fixed in 1 of 1 file, none left · 1 ms
      ",
        "stdout": "{"a":1}
      ",
      }
    `)
  })

  test('standard input, checked only', async () => {
    const engine = fakeEngine({ '<stdin>': { findings: [bare()] } })
    const outcome = await convfix(['-', '-r', 'concise'], engine, { stdin: '{}' })
    expect(outcome).toMatchObject({ code: 1, stdout: expect.stringContaining('<stdin>:118:1: error'), stderr: '' })
  })
})

test('backups and copies are named as the file was', async () => {
  const made = { fixed: [fixOf()], changed: true, backup: '/home/ada/a.jsonl.convfix.bak' }
  const engine = fakeEngine({ 'a.jsonl': made, '/home/ada/a.jsonl': made })
  const said = async (name: string) => (await convfix(['fix', name], engine, { cwd: '/home/ada' })).stdout
  expect(await said('a.jsonl')).toContain('backup: a.jsonl.convfix.bak')
  expect(await said('/home/ada/a.jsonl')).toContain('backup: /home/ada/a.jsonl.convfix.bak')
})
