import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type DiscoverOptions, discover } from '../../src/files/discover.ts'
import { file, scratch } from './scratch.ts'

async function find(cwd: string, args: string[], options: Partial<DiscoverOptions> = {}) {
  const { files, problems } = await discover(args, { cwd, ...options })
  return {
    named: files.filter((found) => found.named).map((found) => found.path),
    walked: files.filter((found) => !found.named).map((found) => found.path),
    problems: problems.map((found) => found.message),
    files,
  }
}

test('folders are walked for both endings, hidden ones too, closed ones not', async () => {
  const cwd = scratch()
  for (const name of [
    'b.jsonl',
    'a.json',
    '.hidden/s.jsonl',
    'sub/deep/c.JSONL',
    'notes.txt',
    'node_modules/m.json',
    'sub/node_modules/m.json',
    '.git/x.json',
    'b.jsonl.convfix.bak',
    'b.jsonl.convfix.2.bak',
    'b.jsonl.convfix.bak.sha256',
    '.b.jsonl.convfix-1-1.tmp',
  ])
    file(cwd, name)
  const expected = ['.hidden/s.jsonl', 'a.json', 'b.jsonl', 'sub/deep/c.JSONL']
  expect(await find(cwd, [])).toMatchObject({ walked: expected, named: [], problems: [] })
  expect((await find(cwd, ['.'])).walked).toEqual(expected)
  const absolute = await find('/', [cwd])
  expect(absolute.walked).toEqual(expected.map((name) => join(cwd, name)))
  expect(absolute.files.map((found) => found.absolute)).toEqual(absolute.walked)
  expect((await find(cwd, ['node_modules'])).walked).toEqual(['node_modules/m.json'])
})

test('an argument that exists is that file, whatever characters it has', async () => {
  const cwd = scratch()
  const odd = ['b (1).jsonl', '[x].jsonl', '-dash.jsonl', '{a,b}.json', '*.jsonl', '!no.json', 'x.jsonl']
  for (const name of odd) file(cwd, name)
  const { named, problems } = await find(cwd, odd)
  expect(named).toEqual(odd)
  expect(problems).toEqual([])
  expect((await find(cwd, ['./-dash.jsonl'])).named).toEqual(['./-dash.jsonl'])
})

test('any other argument is a pattern, in the order of the names', async () => {
  const cwd = scratch()
  for (const name of [
    's/b.jsonl',
    's/a.jsonl',
    's/.h.jsonl',
    's/c.txt',
    's/a.jsonl.convfix.bak',
    's/node_modules/x.jsonl',
    's/d/e.jsonl',
  ])
    file(cwd, name)
  expect((await find(cwd, ['s/*.jsonl'])).named).toEqual(['s/.h.jsonl', 's/a.jsonl', 's/b.jsonl'])
  expect((await find(cwd, ['**/*.jsonl'])).named).toEqual(['s/.h.jsonl', 's/a.jsonl', 's/b.jsonl', 's/d/e.jsonl'])
  expect(await find(cwd, ['s/*'])).toMatchObject({
    named: ['s/.h.jsonl', 's/a.jsonl', 's/b.jsonl', 's/c.txt'],
    walked: ['s/d/e.jsonl'],
  })
  expect((await find(cwd, ['s/node_modules/*.jsonl'])).named).toEqual(['s/node_modules/x.jsonl'])
  expect((await find(cwd, [join(cwd, 's/{a,b}.jsonl')])).named).toEqual([
    join(cwd, 's/a.jsonl'),
    join(cwd, 's/b.jsonl'),
  ])
  expect(await find(cwd, ['s/*.jsonl'], { glob: false })).toMatchObject({
    named: [],
    problems: ['"s/*.jsonl" does not exist'],
  })
})

test('each argument that leads to nothing is a problem of its own', async () => {
  const cwd = scratch()
  file(cwd, 'a.jsonl')
  mkdirSync(join(cwd, 'empty'))
  symlinkSync('gone', join(cwd, 'dangling.jsonl'))
  const { named, problems } = await find(cwd, [
    'a.jsonl',
    'chekc',
    '*.nope',
    'empty',
    'dangling.jsonl',
    '',
    'a.jsonl/x',
    '\0',
  ])
  expect(named).toEqual(['a.jsonl'])
  expect(problems).toEqual([
    '"chekc" does not exist',
    'no file matches the pattern "*.nope"',
    'the folder "empty" holds no .json or .jsonl file',
    expect.stringContaining('is a symbolic link to "gone", which does not exist'),
    'an empty name names no file',
    '"a.jsonl/x" does not exist',
    '"\\u0000" does not exist',
  ])
})

test('no file twice, and a file that is named as well as met counts as named', async () => {
  const cwd = scratch()
  for (const name of ['d/a.jsonl', 'd/b.jsonl']) file(cwd, name)
  symlinkSync('a.jsonl', join(cwd, 'd/link.jsonl'))
  symlinkSync('d', join(cwd, 'folder'))
  expect(await find(cwd, ['d', 'folder', 'd/link.jsonl'])).toMatchObject({
    walked: ['d/b.jsonl'],
    named: ['d/a.jsonl'],
  })
  expect((await find(cwd, ['d/b.jsonl', './d/b.jsonl', 'd/*.jsonl'])).named).toEqual(['d/b.jsonl', 'd/a.jsonl'])
})

test('links to folders are not followed in walks, pipes and dangling links are passed over', async () => {
  const cwd = scratch()
  file(cwd, 'd/a.jsonl')
  const outside = file(scratch(), 'outside.jsonl')
  symlinkSync('..', join(cwd, 'd/up'))
  symlinkSync('..', join(cwd, 'd/up.jsonl'))
  symlinkSync('nowhere', join(cwd, 'd/gone.jsonl'))
  symlinkSync(outside, join(cwd, 'd/linked.jsonl'))
  execFileSync('mkfifo', [join(cwd, 'd/pipe.jsonl')])
  expect(await find(cwd, [])).toMatchObject({ walked: ['d/a.jsonl', 'd/linked.jsonl'], problems: [] })
  expect((await find(cwd, ['d/pipe.jsonl'])).named).toEqual(['d/pipe.jsonl'])
})

test('ignored files and folders are left out of walks and patterns, never when named', async () => {
  const cwd = scratch()
  for (const name of ['a.jsonl', 'old/b.jsonl', 'c.jsonl']) file(cwd, name)
  const ignore = (path: string, isFolder: boolean): boolean =>
    isFolder ? path.endsWith('/old') : path.endsWith('/c.jsonl')
  expect((await find(cwd, [], { ignore })).walked).toEqual(['a.jsonl'])
  expect((await find(cwd, ['*.jsonl'], { ignore })).named).toEqual(['a.jsonl'])
  expect(await find(cwd, ['c.jsonl', 'old'], { ignore })).toMatchObject({ named: ['c.jsonl'], walked: ['old/b.jsonl'] })
})
