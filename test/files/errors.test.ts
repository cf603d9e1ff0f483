import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FileProblem, plain } from '../../src/files/errors.ts'
import { FileSource } from '../../src/files/file-source.ts'
import { file, problem, scratch } from './scratch.ts'

const withCode = (code: string): Error => Object.assign(new Error(`${code}: system words`), { code })

test.each([
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'ELOOP',
  'EMFILE',
  'ENFILE',
  'ENAMETOOLONG',
  'EEXIST',
  'EBUSY',
  'ETXTBSY',
  'EIO',
  'ESTALE',
  'ENXIO',
  'EBADF',
  'ERR_INVALID_ARG_VALUE',
])('%s is said in plain words', (code) => {
  const sentence = plain(withCode(code), 'no-such/x.jsonl')
  expect(sentence).toContain('"no-such/x.jsonl"')
  expect(sentence).not.toContain(code)
  expect(sentence).not.toMatch(/system words|\.$/)
})

test('an unknown failure keeps its own words', () => {
  expect(plain(withCode('EWHATEVER'), 'x')).toBe('"x" could not be used: EWHATEVER: system words')
  expect(plain('thrown text', 'x')).toBe('"x" could not be used: thrown text')
})

test('control characters in a name are spelt out', () => {
  expect(plain(withCode('EACCES'), 'a\u001b[31m\nb')).toBe('permission to use "a\\u001b[31m\\u000ab" is denied')
})

test('a problem is wrapped once, and mistakes in a program are left alone', () => {
  const known = new FileProblem('ENOSPC', 'x', 'full')
  expect(FileProblem.from(known, 'y')).toBe(known)
  expect(FileProblem.wrap(withCode('EIO'), 'y')).toBeInstanceOf(FileProblem)
  const mistake = new TypeError('not a function')
  expect(FileProblem.wrap(mistake, 'y')).toBe(mistake)
})

test('what is not a file is refused by name and never waited for', async () => {
  const folder = scratch()
  const pipe = join(folder, 'pipe.jsonl')
  execFileSync('mkfifo', [pipe])
  expect(await problem(FileSource.open(pipe))).toMatchObject({
    code: 'NOT_A_FILE',
    message: expect.stringContaining('is a pipe'),
  })
  expect(await problem(FileSource.open(folder))).toMatchObject({ code: 'EISDIR' })
  expect((await problem(FileSource.open('/dev/null'))).message).toContain('is a device')
  const socket = join(folder, 'socket.json')
  const server = createServer().listen(socket)
  await new Promise((done) => server.once('listening', done))
  expect((await problem(FileSource.open(socket))).message).toContain('is a socket')
  server.close()
})

test('links that lead nowhere or in a circle are told apart from missing files', async () => {
  const folder = scratch()
  const dangling = join(folder, 'dangling.jsonl')
  symlinkSync('gone.jsonl', dangling)
  expect((await problem(FileSource.open(dangling))).message).toBe(
    `"${dangling}" is a symbolic link to "gone.jsonl", which does not exist`,
  )
  const ring = join(folder, 'ring.jsonl')
  symlinkSync('ring.jsonl', ring)
  expect(await problem(FileSource.open(ring))).toMatchObject({ code: 'ELOOP' })
  const missing = join(folder, 'missing.jsonl')
  expect((await problem(FileSource.open(missing))).message).toBe(`"${missing}" does not exist`)
  mkdirSync(join(folder, 'd'))
  expect(await problem(FileSource.open(join(file(folder, 'f.json'), 'x')))).toMatchObject({ code: 'ENOTDIR' })
})
