import { describe, expect, test } from 'vitest'
import { bare, finding, fixOf } from '../reporters/sample.ts'
import { convfix, fakeEngine } from './fake.ts'

const engine = () =>
  fakeEngine({
    'healthy.jsonl': {},
    'fixed.jsonl': { fixed: [fixOf()], changed: true },
    'left.jsonl': { fixed: [fixOf()], changed: true, findings: [finding()] },
    'warning.jsonl': { findings: [bare({ severity: 'warning' })] },
  })

describe('exit code', () => {
  test.each([
    ['healthy.jsonl', [], 0],
    ['fixed.jsonl', [], 0],
    ['left.jsonl', [], 1],
    ['warning.jsonl', [], 0],
    ['warning.jsonl', ['--max-warnings', '0'], 1],
    ['left.jsonl', ['--exit-zero'], 0],
    ['healthy.jsonl', ['--exit-non-zero-on-fix'], 0],
    ['fixed.jsonl', ['--exit-non-zero-on-fix'], 1],
    ['fixed.jsonl', ['--exit-non-zero-on-fix', '--exit-zero'], 0],
    ['left.jsonl', ['--fix-only'], 0],
    ['missing.jsonl', ['--fix-only', '--exit-zero'], 2],
  ] as const)('fix %s %j: %i', async (file, options, code) => {
    expect((await convfix(['fix', file, ...options], engine())).code).toBe(code)
  })

  test('--fix-only says nothing of what is left', async () => {
    const { stdout } = await convfix(['fix', 'left.jsonl', '--fix-only', '-r', 'json'], engine())
    const [file] = (JSON.parse(stdout) as { files: { findings: object[]; fixed: object[] }[] }).files
    expect(file!.findings).toEqual([])
    expect(file!.fixed).toHaveLength(1)
  })

  test.each(['--fix-only', '--exit-non-zero-on-fix'])('%s without --fix is an error', async (option) => {
    const { code, stderr } = await convfix(['check', 'healthy.jsonl', option], engine())
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${option} goes with --fix`)])
  })
})
