import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { replaceFile } from '../../src/files/replace.ts'
import { restore } from '../../src/files/restore.ts'
import { content, file, names, problem, scratch, text, untouched } from './scratch.ts'

/** What another program does right after the renaming, and whether this file system has links. */
const world = vi.hoisted(() => ({ afterRename: (): void => undefined, links: true, stuck: false }))

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return {
    ...fs,
    linkSync: (from: string, to: string) => {
      if (!world.links) throw Object.assign(new Error('no links'), { code: 'EPERM' })
      fs.linkSync(from, to)
    },
    renameSync: (from: string, to: string) => {
      if (world.stuck && to.endsWith('.jsonl')) throw Object.assign(new Error('stuck'), { code: 'EPERM' })
      fs.renameSync(from, to)
      if (!to.endsWith('.jsonl')) return
      const act = world.afterRename
      world.afterRename = () => undefined
      act()
    },
  }
})

afterEach(() => {
  world.afterRename = () => undefined
  world.links = true
  world.stuck = false
})

describe.each([true, false])('links: %s', (links) => {
  test.each([true, false])('a program that still holds the old file loses nothing (backup: %s)', async (backup) => {
    world.links = links
    const folder = scratch()
    const path = file(folder, 'a.jsonl', 'old\n')
    const held = openSync(path, 'a')
    world.afterRename = () => writeSync(held, 'record 1\n')
    const failure = await problem(replaceFile(path, content('new\n'), { ...untouched, backup }))
    expect(failure).toMatchObject({
      code: 'CHANGED',
      message: expect.stringContaining('it stands as that program left it'),
    })
    expect(text(path)).toBe('old\nrecord 1\n')
    expect(names(folder)).toEqual(['a.jsonl'])
    if (links) {
      writeSync(held, 'record 2\n')
      expect(text(path)).toBe('old\nrecord 1\nrecord 2\n')
    }
    closeSync(held)
    await replaceFile(path, content('new\n'), { ...untouched, backup })
    expect(text(path)).toBe('new\n')
  })

  test.each([true, false])('when the old file cannot be put back it stays as a backup (backup: %s)', async (backup) => {
    world.links = links
    const folder = scratch()
    const path = file(folder, 'a.jsonl', 'old\n')
    const held = openSync(path, 'a')
    world.afterRename = () => {
      writeSync(held, 'record 1\n')
      world.stuck = true
    }
    const failure = await problem(replaceFile(path, content('new\n'), { ...untouched, backup }))
    closeSync(held)
    expect(failure).toMatchObject({
      code: 'CHANGED',
      message: expect.stringContaining(`the old file is "${path}.convfix.bak"`),
    })
    expect(text(path)).toBe('new\n')
    expect(text(`${path}.convfix.bak`)).toContain(links ? 'old\nrecord 1\n' : 'old\n')
    expect(names(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test('what is written to both files in that moment is kept', async () => {
    world.links = links
    const folder = scratch()
    const path = file(folder, 'a.jsonl', 'old\n')
    const held = openSync(path, 'a')
    world.afterRename = () => {
      writeSync(held, 'by the holder\n')
      const fresh = openSync(path, 'a')
      writeSync(fresh, 'by name\n')
      closeSync(fresh)
    }
    const failure = await problem(replaceFile(path, content('new\n'), untouched))
    closeSync(held)
    expect(failure.message).toContain(`what was written to the new file meanwhile is in "${path}.convfix`)
    expect(text(path)).toBe('old\nby the holder\n')
    const kept = names(folder).filter((name) => name.endsWith('.bak'))
    expect(kept.map((name) => text(`${folder}/${name}`))).toEqual(['new\nby name\n'])
    expect(names(folder)).toHaveLength(2)
  })

  test('restoring under a program that holds the file changes nothing', async () => {
    world.links = links
    const folder = scratch()
    const path = file(folder, 'a.jsonl', 'broken\n')
    await replaceFile(path, content('repaired\n'), untouched)
    const held = openSync(path, 'a')
    world.afterRename = () => writeSync(held, 'more\n')
    expect(await problem(restore(path))).toMatchObject({ code: 'CHANGED' })
    closeSync(held)
    expect(text(path)).toBe('repaired\nmore\n')
    expect(names(folder)).toEqual(['a.jsonl', 'a.jsonl.convfix.bak', 'a.jsonl.convfix.bak.sha256'])
    expect(text(`${path}.convfix.bak`)).toBe('broken\n')
    await restore(path, { force: true })
    expect(text(path)).toBe('broken\n')
  })
})

test('where links fail the backup is a copy, and all else is the same', async () => {
  world.links = false
  const folder = scratch()
  const old = `${'old '.repeat(500_000)}\n`
  const path = file(folder, 'a.jsonl', old)
  expect(await replaceFile(path, content('new'), untouched)).toEqual({ backup: `${path}.convfix.bak` })
  expect(readFileSync(`${path}.convfix.bak`, 'utf8')).toBe(old)
  expect(text(path)).toBe('new')
  await restore(path)
  expect(text(path)).toBe(old)
  await replaceFile(path, content('new'), { ...untouched, backup: false })
  expect(text(path)).toBe('new')
  expect(names(folder)).toEqual(['a.jsonl', 'a.jsonl.convfix.2.bak', 'a.jsonl.convfix.2.bak.sha256'])
})
