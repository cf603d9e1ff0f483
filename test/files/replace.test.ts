import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FileSource } from '../../src/files/file-source.ts'
import { replaceFile } from '../../src/files/replace.ts'
import { cleanUp } from '../../src/files/temp.ts'
import { renameOver } from '../../src/files/write.ts'
import { writeNew } from '../../src/files/write-new.ts'
import { bundledChild } from './bundle.ts'
import { content, file, mounted, names, problem, remountReadOnly, scratch, text, untouched } from './scratch.ts'

const root = process.getuid?.() === 0
const bak = (path: string, number = 1): string => `${path}.convfix.${number === 1 ? '' : `${number}.`}bak`

test('the file has the new content and the backup is the old file itself', async () => {
  const folder = scratch()
  const path = file(folder, 'a.jsonl', 'old\n')
  chmodSync(path, 0o640)
  utimesSync(path, 1_600_000_000.123456, 1_500_000_000.654321)
  const before = lstatSync(path)
  expect(await replaceFile(path, content('ne', 'w\n'), untouched)).toEqual({ backup: bak(path) })
  const after = statSync(path)
  expect(text(path)).toBe('new\n')
  expect(text(bak(path))).toBe('old\n')
  expect(after.mode).toBe(before.mode)
  expect(after.mtimeMs).toBeCloseTo(before.mtimeMs, 2)
  expect(after.atimeMs).toBeCloseTo(before.atimeMs, 2)
  expect(after.ino).not.toBe(before.ino)
  expect(statSync(bak(path)).ino).toBe(before.ino)
  expect(names(folder)).toEqual(['a.jsonl', 'a.jsonl.convfix.bak', 'a.jsonl.convfix.bak.sha256'])
})

test('backups are numbered and never overwritten, and a gap is not filled', async () => {
  const path = file(scratch(), 'a.jsonl', '1')
  writeFileSync(bak(path, 3), 'somebody else')
  for (const [next, number] of [
    ['2', 4],
    ['3', 5],
  ] as const) {
    expect(await replaceFile(path, content(next), untouched)).toEqual({ backup: bak(path, number) })
  }
  expect([text(bak(path, 3)), text(bak(path, 4)), text(bak(path, 5)), text(path)]).toEqual([
    'somebody else',
    '1',
    '2',
    '3',
  ])
})

test('without a backup nothing is left but the new file', async () => {
  const folder = scratch()
  const path = file(folder, 'a.jsonl', 'old')
  expect(await replaceFile(path, content('new'), { ...untouched, backup: false })).toEqual({ backup: null })
  expect(names(folder)).toEqual(['a.jsonl'])
  expect(text(path)).toBe('new')
})

test('large and small pieces arrive in order, also when their memory is used again', async () => {
  const path = file(scratch(), 'a.jsonl', 'old')
  const expected: Buffer[] = []
  const memory = Buffer.alloc(700_000)
  await replaceFile(
    path,
    async (write) => {
      for (const [n, size] of [1, 200_000, 60_000, 5000, 700_000, 0, 262_144, 3].entries()) {
        const piece = memory.fill(n + 48).subarray(0, size)
        expected.push(Buffer.from(piece))
        write(piece)
      }
    },
    untouched,
  )
  expect(text(path)).toBe(Buffer.concat(expected).toString())
})

test('a link stays a link, and the backup stands beside the file it leads to', async () => {
  const folder = scratch()
  const path = file(folder, 'real/a.jsonl', 'old')
  const link = join(folder, 'link.jsonl')
  symlinkSync('real/a.jsonl', link)
  expect(await replaceFile(link, content('new'), untouched)).toEqual({ backup: bak(path) })
  expect(readlinkSync(link)).toBe('real/a.jsonl')
  expect([text(path), text(bak(path))]).toEqual(['new', 'old'])
})

test('other names of the same file keep the old content', async () => {
  const folder = scratch()
  const path = file(folder, 'a.jsonl', 'old')
  linkSync(path, join(folder, 'twin.jsonl'))
  await replaceFile(path, content('new'), untouched)
  expect([text(path), text(join(folder, 'twin.jsonl'))]).toEqual(['new', 'old'])
})

test('what is missing or no file is refused', async () => {
  const folder = scratch()
  symlinkSync('gone', join(folder, 'dangling'))
  expect((await problem(replaceFile(join(folder, 'dangling'), content(), untouched))).message).toContain(
    'which does not exist',
  )
  expect(await problem(replaceFile(folder, content(), untouched))).toMatchObject({ code: 'EISDIR' })
  expect(await problem(replaceFile('/dev/null', content(), untouched))).toMatchObject({ code: 'NOT_A_FILE' })
  expect(names(folder)).toEqual(['dangling'])
})

test('a refusal at any step leaves the file, and nothing else', async () => {
  const folder = scratch()
  const path = file(folder, 'a.jsonl', 'old')
  const before = lstatSync(path)
  const mistake = new TypeError('a mistake')
  const failing = async (write: (bytes: Uint8Array) => void): Promise<void> => {
    write(Buffer.alloc(400_000))
    throw mistake
  }
  expect(await problem(replaceFile(path, failing, untouched))).toBe(mistake)
  const verify = async (temp: string): Promise<string> => `bad: ${text(temp)}`
  expect(await problem(replaceFile(path, content('new'), { ...untouched, verify }))).toMatchObject({
    code: 'VERIFY',
    message: 'bad: new',
  })
  const unchanged = (): string => 'an agent uses it'
  expect(await problem(replaceFile(path, content('new'), { ...untouched, unchanged }))).toMatchObject({
    code: 'CHANGED',
    message: 'an agent uses it',
  })
  expect(names(folder)).toEqual(['a.jsonl'])
  expect(lstatSync(path)).toEqual({ ...before, atime: lstatSync(path).atime, atimeMs: lstatSync(path).atimeMs })
})

test.each([
  ['appended to', (path: string) => appendFileSync(path, 'more\n'), 'grew'],
  [
    'replaced',
    (path: string) => renameSync(file(join(path, '..'), 'other', 'other\n'), path),
    'replaced by another file',
  ],
] as const)('a file that is %s between reading and writing is left alone', async (_, interfere, words) => {
  const path = file(scratch(), 'a.jsonl', 'old\n')
  const source = await FileSource.open(path)
  interfere(path)
  const now = text(path)
  const withSource = { backup: true, unchanged: () => source.changed() }
  expect((await problem(replaceFile(path, content('new\n'), withSource))).message).toContain(words)
  expect(text(path)).toBe(now)
  await source.close()
})

test('a change during the writing is noticed without help', async () => {
  const folder = scratch()
  const path = file(folder, 'a.jsonl', 'old\n')
  const verify = async (): Promise<undefined> => void appendFileSync(path, 'more\n')
  expect(await problem(replaceFile(path, content('new\n'), { ...untouched, verify }))).toMatchObject({
    code: 'CHANGED',
  })
  expect(text(path)).toBe('old\nmore\n')
  expect(names(folder)).toEqual(['a.jsonl'])
})

test('a full disk leaves the whole old file', async (context) => {
  const folder = mounted('size=300k')
  if (folder === undefined) return context.skip('mounting is not permitted here')
  const path = file(folder, 'a.jsonl', 'o'.repeat(100_000))
  expect(await problem(replaceFile(path, content('n'.repeat(250_000)), untouched))).toMatchObject({
    code: 'ENOSPC',
    message: `no space is left on the disk for "${path}"`,
  })
  expect(text(path)).toBe('o'.repeat(100_000))
  expect(names(folder)).toEqual(['a.jsonl'])
  const copy = join(folder, 'out/b.jsonl')
  expect(await problem(writeNew(copy, content('n'.repeat(250_000)), { overwrite: false }))).toMatchObject({
    code: 'ENOSPC',
  })
  expect(names(join(folder, 'out'))).toEqual([])
})

test('a disk that is full at any later step leaves the old file and nothing else', async (context) => {
  const outcomes = new Set<string>()
  for (let inodes = 3; inodes < 9; inodes++) {
    const folder = mounted(`size=300k,nr_inodes=${inodes}`)
    if (folder === undefined) return context.skip('mounting is not permitted here')
    const path = file(folder, 'a.jsonl', 'old')
    const outcome = await replaceFile(path, content('new'), untouched).catch((error: { code: string }) => error.code)
    outcomes.add(JSON.stringify(outcome).replace(folder, ''))
    expect(text(path)).toBe(typeof outcome === 'string' ? 'old' : 'new')
    expect(names(folder)).toHaveLength(typeof outcome === 'string' ? 1 : 3)
  }
  expect([...outcomes]).toEqual(['"ENOSPC"', '{"backup":"/a.jsonl.convfix.bak"}'])
})

test('a read-only file system is named', async (context) => {
  const folder = mounted('size=300k')
  if (folder === undefined) return context.skip('mounting is not permitted here')
  const path = file(folder, 'a.jsonl', 'old')
  remountReadOnly(folder)
  expect(await problem(replaceFile(path, content('new'), untouched))).toMatchObject({ code: 'EROFS' })
  expect(text(path)).toBe('old')
})

test.for([
  ['folder', 0o555, 0o666, /^permission to use .* is denied$/],
  ['file', 0o777, 0o444, /is read-only$/],
] as const)('a read-only %s is refused', async ([, folderMode, fileMode, words], context) => {
  const folder = scratch()
  const path = file(folder, 'd/a.jsonl', 'old\n')
  chmodSync(folder, 0o755)
  chmodSync(path, fileMode)
  chmodSync(join(folder, 'd'), folderMode)
  // Permissions do not bind root, so the attempt is made by a process of an ordinary user.
  const user = root ? { uid: 65534, gid: 65534 } : {}
  const args = [await bundledChild(), 'replace', path]
  const child = spawnSync(process.execPath, args, { encoding: 'utf8', ...user })
  if (root && child.stdout === '') return context.skip('an ordinary user cannot run programs here')
  expect(JSON.parse(child.stdout)).toMatchObject({ code: 'EACCES', message: expect.stringMatching(words) })
  expect(names(join(folder, 'd'))).toEqual(['a.jsonl'])
  expect(text(path)).toBe('old\n')
})

test('owner and group are kept where permitted', async (context) => {
  if (!root) return context.skip('only root may give files away')
  const path = file(scratch(), 'a.jsonl', 'old')
  chownSync(path, 1234, 2345)
  chmodSync(path, 0o2660)
  await replaceFile(path, content('new'), untouched)
  expect(statSync(path)).toMatchObject({ uid: 1234, gid: 2345, mode: 0o102660 })
})

test('what killed processes left is removed, what living ones have is not', async () => {
  const folder = scratch()
  const path = file(folder, 'a.jsonl', 'old')
  const dead = spawnSync(process.execPath, ['-e', '']).pid
  file(folder, `.a.jsonl.convfix-${dead}-7.tmp`)
  file(folder, `.a.jsonl.convfix-${process.ppid}-1.tmp`)
  file(folder, `.b.jsonl.convfix-${dead}-1.tmp`)
  file(folder, `.a.jsonl.convfix-${dead}-1.tmpx`)
  await replaceFile(path, content('new'), { ...untouched, backup: false })
  expect(names(folder)).toEqual(
    [`.a.jsonl.convfix-${dead}-1.tmpx`, `.a.jsonl.convfix-${process.ppid}-1.tmp`, 'a.jsonl'].sort(),
  )
})

test('cleanUp removes what is unfinished, at any moment', async () => {
  const folder = scratch()
  const path = file(folder, 'a.jsonl', 'old')
  const verify = async (): Promise<undefined> => {
    expect(names(folder)).toHaveLength(2)
    cleanUp()
    expect(names(folder)).toEqual(['a.jsonl'])
  }
  expect(await problem(replaceFile(path, content('new'), { ...untouched, verify }))).toMatchObject({ code: 'ENOENT' })
  expect(names(folder)).toEqual(['a.jsonl'])
  await replaceFile(path, content('new'), untouched)
  cleanUp()
  expect([text(path), text(bak(path))]).toEqual(['new', 'old'])
})

test('on Windows a refused renaming is tried again, elsewhere not', () => {
  let calls = 0
  const refuse = (until: number) => () => {
    if (++calls < until) throw Object.assign(new Error('busy'), { code: 'EBUSY' })
  }
  renameOver('a', 'b', 'win32', refuse(3))
  expect(calls).toBe(3)
  calls = 0
  expect(() => renameOver('a', 'b', 'linux', refuse(3))).toThrow('busy')
  expect(calls).toBe(1)
})

test('a new file makes its folders, does not overwrite unless told, and is as private as its model', async () => {
  const folder = scratch()
  const path = join(folder, 'x/y/new.jsonl')
  const model = file(folder, 'model.jsonl')
  chmodSync(model, 0o600)
  await writeNew(path, content('1'), { overwrite: false, like: model })
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(await problem(writeNew(path, content('2'), { overwrite: false }))).toMatchObject({ code: 'EEXIST' })
  expect(text(path)).toBe('1')
  await writeNew(path, content('2'), { overwrite: true })
  expect(text(path)).toBe('2')
  expect(statSync(path).mode & 0o777).toBe(0o666 & ~process.umask())
  expect(names(join(folder, 'x/y'))).toEqual(['new.jsonl'])
  const link = join(folder, 'link')
  symlinkSync(path, link)
  await writeNew(link, content('3'), { overwrite: true })
  expect([text(path), lstatSync(link).isSymbolicLink()]).toEqual(['3', true])
  mkdirSync(join(folder, 'taken'))
  expect(await problem(writeNew(join(folder, 'taken'), content(), { overwrite: true }))).toMatchObject({
    code: 'EISDIR',
  })
  expect(await problem(writeNew(join(path, 'z'), content(), { overwrite: true }))).toMatchObject({ code: 'ENOTDIR' })
  const verify = async (): Promise<string> => 'bad'
  expect(await problem(writeNew(join(folder, 'v'), content(), { overwrite: false, verify }))).toMatchObject({
    code: 'VERIFY',
  })
  expect(names(folder)).toEqual(['link', 'model.jsonl', 'taken', 'x'])
})
