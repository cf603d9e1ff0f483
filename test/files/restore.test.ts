import { appendFileSync, linkSync, lstatSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { replaceFile } from '../../src/files/replace.ts'
import { restore } from '../../src/files/restore.ts'
import { content, file, names, problem, scratch, text, untouched } from './scratch.ts'

test('the newest backup comes back as it was, and a second restore undoes the first', async () => {
  const folder = scratch()
  const path = file(folder, 'a.jsonl', 'broken\n')
  utimesSync(path, 1_500_000_000, 1_500_000_000)
  const before = lstatSync(path)
  await replaceFile(path, content('repaired\n'), untouched)
  expect(await restore(path)).toEqual({ restored: `${path}.convfix.bak`, savedPresent: `${path}.convfix.2.bak` })
  expect(text(path)).toBe('broken\n')
  expect(lstatSync(path)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs, mode: before.mode })
  expect(names(folder)).toEqual(['a.jsonl', 'a.jsonl.convfix.2.bak', 'a.jsonl.convfix.2.bak.sha256'])
  expect(text(`${path}.convfix.2.bak`)).toBe('repaired\n')
  await restore(path)
  expect(text(path)).toBe('repaired\n')
  await restore(path)
  expect(text(path)).toBe('broken\n')
  expect(names(folder)).toEqual(['a.jsonl', 'a.jsonl.convfix.4.bak', 'a.jsonl.convfix.4.bak.sha256'])
})

test('older backups stay', async () => {
  const path = file(scratch(), 'a.jsonl', '1')
  await replaceFile(path, content('2'), untouched)
  await replaceFile(path, content('3'), untouched)
  expect(await restore(path)).toMatchObject({ restored: `${path}.convfix.2.bak` })
  expect([text(path), text(`${path}.convfix.bak`)]).toEqual(['2', '1'])
})

test('a file that was changed since the repair is only restored when forced, and is kept', async () => {
  const path = file(scratch(), 'a.jsonl', 'broken\n')
  await replaceFile(path, content('repaired\n'), untouched)
  appendFileSync(path, 'the session went on\n')
  const refused = await problem(restore(path))
  expect(refused).toMatchObject({ code: 'NOT_OURS', message: expect.stringContaining('was changed since the repair') })
  expect(text(path)).toBe('repaired\nthe session went on\n')
  const { savedPresent } = await restore(path, { force: true })
  expect(text(path)).toBe('broken\n')
  expect(text(savedPresent ?? '')).toBe('repaired\nthe session went on\n')
  await restore(path)
  expect(text(path)).toBe('repaired\nthe session went on\n')
})

test('a backup without a record is not trusted', async () => {
  const path = file(scratch(), 'a.jsonl', 'now')
  writeFileSync(`${path}.convfix.bak`, 'then')
  expect((await problem(restore(path))).message).toContain('nothing beside the backup tells')
  await restore(path, { force: true })
  expect(text(path)).toBe('then')
})

test('no backup is said plainly', async () => {
  const path = file(scratch(), 'a.jsonl', 'now')
  expect(await problem(restore(path))).toMatchObject({
    code: 'NO_BACKUP',
    message: `there is no backup of "${path}" (looked for "${path}.convfix.bak" and later ones)`,
  })
  expect(await problem(restore(join(path, '../nope/a.jsonl')))).toMatchObject({ code: 'ENOENT' })
})

test('what a run left that was stopped between backup and exchange is no backup', async () => {
  const folder = scratch()
  const path = file(folder, 'a.jsonl', '1')
  await replaceFile(path, content('2'), untouched)
  linkSync(path, `${path}.convfix.2.bak`)
  writeFileSync(`${path}.convfix.2.bak.sha256`, `${'0'.repeat(64)}  a.jsonl\n`)
  await restore(path)
  expect(text(path)).toBe('1')
  linkSync(path, `${path}.convfix.7.bak`)
  await replaceFile(path, content('3'), untouched)
  expect(names(folder).filter((name) => name.endsWith('.bak'))).toEqual([
    'a.jsonl.convfix.2.bak',
    'a.jsonl.convfix.7.bak',
  ])
  await restore(path)
  expect(text(path)).toBe('1')
})

test('a missing file comes back, also through a link', async () => {
  const folder = scratch()
  const path = file(folder, 'd/a.jsonl', 'old')
  symlinkSync('d/a.jsonl', join(folder, 'link'))
  await replaceFile(join(folder, 'link'), content('new'), untouched)
  expect(await restore(join(folder, 'link'))).toMatchObject({ restored: `${path}.convfix.bak` })
  expect(text(path)).toBe('old')
  rmSync(path)
  expect(await restore(path)).toEqual({ restored: `${path}.convfix.2.bak`, savedPresent: null })
  expect(text(path)).toBe('new')
  expect(names(join(folder, 'd'))).toEqual(['a.jsonl'])
})
