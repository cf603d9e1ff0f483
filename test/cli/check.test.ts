import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bare, fileReport, finding, fixOf } from '../reporters/sample.ts'
import { convfix, fakeEngine, folder } from './fake.ts'

const clean = { 'a.jsonl': {} }
const broken = { 'a.jsonl': {}, 'b.jsonl': { findings: [finding()] } }

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
               fix: add an error result behind line 117 · nothing is lost
               left as it is: Claude Code 2.1.332 would drop the call

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

test('more than a pipe holds arrives whole', async () => {
  const findings = Array.from({ length: 5000 }, () => bare())
  const { stdout } = await convfix(['a.jsonl', '-r', 'json'], fakeEngine({ 'a.jsonl': fileReport({ findings }) }))
  expect(JSON.parse(stdout).files[0].findings).toHaveLength(5000)
})
