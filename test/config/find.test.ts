import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigFinder } from '../../src/config/find.ts'
import { folder } from '../cli/fake.ts'

function tree(files: Readonly<Record<string, string>>): string {
  const root = folder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

test('the nearest one upwards counts, whole', () => {
  const root = tree({ 'convfix.config.json': '{}', 'a/b/.convfixrc.jsonc': '{}', 'a/c/x': '' })
  const finder = new ConfigFinder(undefined)
  expect(finder.find(join(root, 'a/b'))).toBe(join(root, 'a/b/.convfixrc.jsonc'))
  expect(finder.find(join(root, 'a/c'))).toBe(join(root, 'convfix.config.json'))
  expect(finder.find(root)).toBe(join(root, 'convfix.config.json'))
})

test('not above the root of the repository, nor above the home folder', () => {
  const root = tree({ 'convfix.config.json': '{}', 'repo/.git/HEAD': '', 'repo/a/x': '', 'home/a/x': '' })
  expect(new ConfigFinder(undefined).find(join(root, 'repo/a'))).toBeUndefined()
  expect(new ConfigFinder(join(root, 'home')).find(join(root, 'home/a'))).toBeUndefined()
  expect(new ConfigFinder(undefined).find(join(root, 'home/a'))).toBe(join(root, 'convfix.config.json'))
})

test('a package.json only with the key; of two in one folder the first by name', () => {
  const root = tree({
    'package.json': '{"convfix":{}}',
    'a/package.json': '{"name":"convfix"}',
    'b/package.json': '{ no JSON',
    'c/package.json': '{"convfix":{}}',
    'c/.convfixrc.json': '{}',
  })
  const finder = new ConfigFinder(undefined)
  expect(finder.find(join(root, 'a'))).toBe(join(root, 'package.json'))
  expect(finder.find(join(root, 'b'))).toBe(join(root, 'package.json'))
  expect(finder.find(join(root, 'c'))).toBe(join(root, 'c/.convfixrc.json'))
})
