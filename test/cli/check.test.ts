import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bare, fileReport, finding, fixOf } from '../reporters/sample.ts'
import { convfix, fakeEngine } from './fake.ts'

const clean = { 'a.jsonl': {} }
const broken = { 'a.jsonl': {}, 'b.jsonl': { findings: [finding()] } }
const folder = (): string => mkdtempSync(join(tmpdir(), 'convfix-cli-'))

describe('reports', () => {
  test('nothing wrong', async () => {
    expect(await convfix(['a.jsonl'], fakeEngine(clean))).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "✔ 1 file, 212 records, no problems (1 ms)
      ",
      }
    `)
  })

  test('pretty', async () => {
    expect(await convfix(['check', 'a.jsonl', 'b.jsonl'], fakeEngine(broken))).toMatchInlineSnapshot(`
      {
        "code": 1,
        "stderr": "",
        "stdout": "b.jsonl  claude-code · 212 records · anthropic · claude-sonnet-5

        118:1  error  Bash call toolu_01Ab has no result  orphan-tool-call
               116  user       "run the tests"
               117  assistant  "Running them." · call Bash toolu_01Ab  the call
             ▸ 118  user       "are you there?"                        a result for toolu_01Ab must stand before this
               messages[57] · API: 400 \`tool_use\` ids were found without \`tool_result\` blocks immediately after
               fix: add an error result behind line 117 · nothing is lost · Claude Code 2.1.332 would drop the call

      ✖ 1 error in 1 of 2 files · 1 fixable: convfix check --fix a.jsonl b.jsonl · 1 ms
      ",
      }
    `)
  })

  test('concise', async () => {
    expect(await convfix(['-r', 'concise', 'a.jsonl', 'b.jsonl'], fakeEngine(broken))).toMatchInlineSnapshot(`
      {
        "code": 1,
        "stderr": "",
        "stdout": "b.jsonl:118:1: error: Bash call toolu_01Ab has no result [orphan-tool-call]
      ",
      }
    `)
  })

  test('json', async () => {
    const { code, stdout, stderr } = await convfix(['--reporter', 'json', 'a.jsonl', 'b.jsonl'], fakeEngine(broken))
    const { mode, files, summary } = JSON.parse(stdout)
    expect({
      code,
      stderr,
      mode,
      paths: files.map((file: { path: string }) => file.path),
      summary,
    }).toMatchInlineSnapshot(`
      {
        "code": 1,
        "mode": "check",
        "paths": [
          "a.jsonl",
          "b.jsonl",
        ],
        "stderr": "",
        "summary": {
          "durationMs": 0,
          "errors": 1,
          "exitCode": 1,
          "files": 2,
          "fixable": 1,
          "fixableUnsafe": 0,
          "fixed": 0,
          "infos": 0,
          "records": 424,
          "suppressed": 0,
          "unreadable": 0,
          "warnings": 0,
        },
      }
    `)
  })

  test('several, one into a file', async () => {
    const cwd = folder()
    const outcome = await convfix(['-r', 'concise', '-r', 'json=out.json', 'b.jsonl'], fakeEngine(broken), { cwd })
    expect(outcome.stdout).toBe('b.jsonl:118:1: error: Bash call toolu_01Ab has no result [orphan-tool-call]\n')
    expect(JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8')).summary.errors).toBe(1)
  })

  test('a file that cannot be written', async () => {
    const outcome = await convfix(['-r', 'json=/no/such/folder/out.json', 'a.jsonl'], fakeEngine(clean))
    expect(outcome).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "convfix: error: the report could not be written: "/no/such/folder/out.json" does not exist
      ",
        "stdout": "",
      }
    `)
  })

  test('quiet: errors only, and nothing where there are none', async () => {
    const reports = {
      ...broken,
      'c.jsonl': { findings: [bare({ severity: 'warning' })] },
    }
    expect((await convfix(['--quiet', 'c.jsonl'], fakeEngine(reports))).stdout).toBe('')
    expect((await convfix(['--quiet', 'b.jsonl', 'c.jsonl'], fakeEngine(reports))).stdout).not.toContain('warning')
  })

  test('the hint repeats what the findings depend on', async () => {
    const args = ['--target', 'anthropic', '--select', 'pairing,empty-file', '--', '-home.jsonl', 'b (1).jsonl']
    const reports = { '-home.jsonl': { findings: [finding()] }, 'b (1).jsonl': {} }
    const { stdout } = await convfix(args, fakeEngine(reports))
    expect(stdout).toContain(
      "convfix check --fix --target anthropic --select pairing,empty-file -- -home.jsonl 'b (1).jsonl' ·",
    )
  })
})

describe('exit code', () => {
  const warned = {
    'a.jsonl': { findings: [bare({ severity: 'warning' as const }), bare({ severity: 'warning' as const })] },
  }
  const noted = { 'a.jsonl': { findings: [bare({ severity: 'info' as const })] } }
  const hidden = { 'a.jsonl': { findings: [bare({ suppressed: true })] } }
  const unread = { ...broken, 'a.jsonl': { error: 'permission denied' } }
  test.each([
    ['nothing', clean, [], 0],
    ['an error', broken, ['b.jsonl'], 1],
    ['warnings', warned, [], 0],
    ['as many warnings as allowed', warned, ['--max-warnings', '2'], 0],
    ['more warnings than allowed', warned, ['--max-warnings', '1'], 1],
    ['more warnings than allowed, unseen', warned, ['--max-warnings', '1', '--quiet'], 1],
    ['notes', noted, ['--max-warnings', '0'], 0],
    ['suppressed', hidden, [], 0],
    ['an error, --exit-zero', broken, ['b.jsonl', '--exit-zero'], 0],
    ['unreadable', unread, [], 2],
    ['unreadable and an error', unread, ['b.jsonl'], 2],
    ['unreadable, --exit-zero', unread, ['--exit-zero'], 2],
    ['a dry run without a repair', clean, ['--dry-run'], 0],
    ['a dry run with a repair', { 'a.jsonl': { fixed: [fixOf()] } }, ['--dry-run'], 1],
    ['repaired', { 'a.jsonl': { fixed: [fixOf()], changed: true } }, ['--fix'], 0],
  ] as const)('%s', async (_, reports, more, expected) => {
    expect((await convfix(['a.jsonl', ...more], fakeEngine(reports))).code).toBe(expected)
  })

  test('too many warnings are named', async () => {
    const { stderr } = await convfix(['a.jsonl', '--max-warnings', '1'], fakeEngine(warned))
    expect(stderr).toBe('convfix: too many warnings: 2, and --max-warnings allows 1\n')
  })
})

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
               fix: add an error result behind line 117 · nothing is lost · Claude Code 2.1.332 would drop the call

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
    expect((await convfix(['a.jsonl', '--debug'], engine)).stderr).toMatch(/at .*check\.test\.ts/)
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
      { cwd: '/work', env: { HOME: '/home/dev' } },
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
            "outDir": "/work/out",
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

test('more than a pipe holds arrives whole', async () => {
  const findings = Array.from({ length: 5000 }, () => bare())
  const { stdout } = await convfix(['a.jsonl', '-r', 'json'], fakeEngine({ 'a.jsonl': fileReport({ findings }) }))
  expect(JSON.parse(stdout).files[0].findings).toHaveLength(5000)
})
