import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { folder } from './fake.ts'

// A dozen processes start in each.
vi.setConfig({ testTimeout: 90_000 })

const ROOT = join(import.meta.dirname, '..', '..')
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')

/** A recipe as the README has it, with fewer files a run: a handful shall go to several workers. */
function recipe(name: string): string {
  const [, text] = new RegExp(`<!-- ${name}:begin -->\n\`\`\`sh\n([\\s\\S]*?)\`\`\``).exec(README) ?? []
  expect(text).toMatch(/-[Nn] 500 /)
  return text!.replace(/(-[Nn]) 500 /, '$1 4 ')
}

/** Sessions with names that a list must not break, and a `convfix` on the path. */
function place(): string {
  const at = folder()
  mkdirSync(join(at, 'sessions'))
  mkdirSync(join(at, 'bin'))
  mkdirSync(join(at, 'home'))
  const examples = join(ROOT, 'fixtures', 'examples')
  for (const name of readdirSync(examples).filter((each) => each.endsWith('.jsonl'))) {
    for (const copy of ["it's", 'two words', 'two\nlines']) {
      const path = join(at, 'sessions', `${copy} ${name}`)
      copyFileSync(join(examples, name), path)
      utimesSync(path, 1e9, 1e9)
    }
  }
  program(at, 'convfix', `exec '${process.execPath}' '${join(ROOT, 'bin', 'convfix.js')}' "$@"`)
  return at
}

function program(at: string, name: string, text: string): void {
  const path = join(at, 'bin', name)
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
}

function shell(at: string, script: string): { status: number | null; stderr: string } {
  const PATH = `${join(at, 'bin')}:${process.env.PATH}`
  // SHELL: without it GNU parallel 20221122 gives its remote jobs no input and ends with 0.
  const env = { ...process.env, PATH, HOME: join(at, 'home'), SHELL: '/bin/sh', LC_ALL: 'C' }
  return spawnSync('sh', ['-c', script], { cwd: at, encoding: 'utf8', env, timeout: 60_000 })
}

interface Line {
  readonly type: string
  readonly files?: number
  readonly errors?: number
}

function read(report: string): { told: string[]; summaries: Line[] } {
  const lines = readFileSync(report, 'utf8').split('\n').filter(Boolean)
  const isSummary = (line: string): boolean => (JSON.parse(line) as Line).type === 'summary'
  return {
    told: lines.filter((line) => !isSummary(line)).sort(),
    summaries: lines.filter(isSummary).map((line) => JSON.parse(line) as Line),
  }
}

/** What the workers told together is what one run tells. */
function expectTheSame(at: string): void {
  const alone = 'find sessions -name "*.jsonl" -print0 | convfix check --files-from - --reporter jsonl > alone.jsonl'
  expect(shell(at, alone).status).toBe(1)
  const one = read(join(at, 'alone.jsonl'))
  const several = read(join(at, 'report.jsonl'))
  expect(one.told.length).toBeGreaterThan(20)
  expect(several.told.length).toBe(one.told.length)
  expect(several.told.filter((line, i) => line !== one.told[i])).toEqual([])
  expect(several.summaries.length).toBeGreaterThan(3)
  for (const count of ['files', 'errors'] as const) {
    const sum = several.summaries.reduce((all, summary) => all + summary[count]!, 0)
    expect(sum).toBe(one.summaries[0]![count])
  }
}

const hasParallel = /GNU parallel/.test(String(spawnSync('parallel', ['--version'], { encoding: 'utf8' }).stdout))

test('xargs: the reports of several workers are those of one run', () => {
  const at = place()
  expect(shell(at, recipe('xargs')).status).toBe(0)
  expectTheSame(at)
})

test('GNU parallel: the reports of several workers are those of one run', ({ skip }) => {
  if (!hasParallel) skip('GNU parallel is not installed')
  const at = place()
  const { status } = shell(at, recipe('parallel'))
  expect(status).toBeGreaterThan(1)
  expectTheSame(at)
})

test('GNU parallel over ssh: so are those of several machines', ({ skip }) => {
  if (!hasParallel) skip('GNU parallel is not installed')
  const at = place()
  // Takes the place of ssh: writes down the machine and runs the command here, from the home folder, as ssh does.
  program(
    at,
    'elsewhere',
    `echo "$1" >> '${join(at, 'machines')}'; shift; [ "$1" = -- ] && shift; cd && exec sh -c "$*"`,
  )
  const machines = ['one', 'two'].map((name) => `1/${join(at, 'bin', 'elsewhere')} ${name}`).join(',')
  const { status } = shell(at, recipe('parallel-ssh').replace('one,two', `'${machines}'`))
  expect(status).toBeGreaterThan(1)
  expectTheSame(at)
  const called = new Set(readFileSync(join(at, 'machines'), 'utf8').split('\n').filter(Boolean))
  expect([...called].sort()).toEqual(['one', 'two'])
})
