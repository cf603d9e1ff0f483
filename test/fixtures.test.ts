import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FORMATS } from '../src/formats/index.ts'
import { check, type FixOptions, fix } from '../src/index.ts'
import { RULES } from '../src/rules/index.ts'

/**
 * A case is a folder under `fixtures/rules/<family>/<rule>/` or `fixtures/formats/<format>/`. Of a rule's cases those whose name
 * begins with `ok-` only look like the fault; of a format's cases `healthy` is a file that is silent, and at least one is repaired.
 *
 * - `input.jsonl` or `input.json`: the transcript as it stands on disk, byte for byte
 * - `options.json` (where needed): what check and fix are told
 * - `findings.json`: what is found, `[{rule, severity, line, message, …}]`; empty for a file that only looks broken
 * - `fixed.jsonl` or `fixed.json`: what the repair makes of it; absent when nothing changes
 *
 * `UPDATE_FIXTURES=1 npx vitest run test/fixtures.test.ts` writes the last two; read the difference before you keep it.
 */
const ROOT = join(import.meta.dirname, '..', 'fixtures')
const UPDATE = process.env.UPDATE_FIXTURES === '1'

function* cases(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) yield* cases(join(folder, entry.name))
    else if (entry.name.startsWith('input.')) yield join(folder, entry.name)
  }
}

const inputs = ['rules', 'formats'].flatMap((kind) =>
  existsSync(join(ROOT, kind)) ? [...cases(join(ROOT, kind))] : [],
)

/** Rules whose faults are too big to be kept: `test/rules` makes them. */
const BY_SIZE = new Set(['media-too-large', 'request-too-large'])

const folders = inputs.map((path) => relative(ROOT, dirname(path)).replaceAll(sep, '/'))

const kept = RULES.filter(({ name }) => !BY_SIZE.has(name))

test.each(kept.map(({ family, name }) => `rules/${family}/${name}/`))(
  '%s has a fault and what only looks like it',
  (at) => {
    const names = folders.filter((name) => name.startsWith(at)).map((name) => basename(name))
    expect(names.filter((name) => name.startsWith('ok-'))).not.toEqual([])
    expect(names.filter((name) => !name.startsWith('ok-'))).not.toEqual([])
  },
)

test.each(FORMATS.map(({ name }) => name))('format %s has a healthy file', (name) => {
  expect(folders).toContain(`formats/${name}/healthy`)
})

test.each(FORMATS.map(({ name }) => name))('format %s has a broken file and its repair', (name) => {
  const repaired = inputs.filter((path) => existsSync(join(dirname(path), basename(path).replace('input.', 'fixed.'))))
  const repairedFolders = repaired.map((path) => relative(ROOT, dirname(path)).replaceAll(sep, '/'))
  expect(repairedFolders.filter((at) => at.startsWith(`formats/${name}/`))).not.toEqual([])
})

describe.each(inputs)('%s', (path) => {
  const folder = dirname(path)
  const name = relative(ROOT, folder)
  const bytes = new Uint8Array(readFileSync(path))
  const options: FixOptions = { path: name, ...(readJson(join(folder, 'options.json')) as FixOptions | undefined) }
  const fixedPath = join(folder, basename(path).replace('input.', 'fixed.'))

  test('is found', () => {
    const found = check(bytes, options)
    const seen = found.findings.map(({ rule, severity, line, column, message, api, fix }) => ({
      rule,
      severity,
      line,
      column,
      message,
      ...(api ? { api: api.path } : {}),
      ...(fix ? { fix: `${fix.safety}: ${fix.title}` } : {}),
    }))
    const expected = { format: found.format, target: found.target, findings: seen }
    const at = join(folder, 'findings.json')
    if (UPDATE) writeFileSync(at, `${JSON.stringify(expected, null, 2)}\n`)
    expect(expected).toEqual(readJson(at))
  })

  test('is repaired', () => {
    const { output, findings } = fix(bytes, options)
    const changed = !Buffer.from(output).equals(bytes)
    if (UPDATE && changed) writeFileSync(fixedPath, output)
    expect(changed ? text(output) : undefined).toEqual(
      existsSync(fixedPath) ? text(readFileSync(fixedPath)) : undefined,
    )
    expect(findings.filter(({ severity, fix }) => severity !== 'info' && fix?.safety === 'safe')).toEqual([])
    expect(text(fix(output, options).output)).toEqual(text(output))
  })

  test('shows the rule it stands for', () => {
    const [kind, , rule] = name.split(sep)
    if (kind !== 'rules') return
    const found = check(bytes, options).findings.map((finding) => finding.rule)
    if (basename(folder).startsWith('ok-')) expect(found).toEqual([])
    else expect(found).toContain(rule)
  })

  test('is of the format it stands for', () => {
    const [kind, format, kase] = name.split(sep)
    if (kind !== 'formats') return
    const found = check(bytes, options)
    expect(found.format).toBe(format)
    if (kase === 'healthy') expect(found.findings).toEqual([])
  })
})

function readJson(path: string): unknown {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/** Latin-1, so that bytes that are no UTF-8 are compared as well. */
function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}
