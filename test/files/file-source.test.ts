import { appendFileSync, renameSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digest } from '../../src/files/digest.ts'
import { type ByteSource, FileSource } from '../../src/files/file-source.ts'
import { spool } from '../../src/files/spool.ts'
import { file, names, problem, scratch } from './scratch.ts'

async function all(source: ByteSource, size?: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of source.chunks(size)) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

const bytes = (length: number): Buffer => Buffer.from(Uint8Array.from({ length }, (_, n) => (n * 31 + (n >> 8)) & 255))

test('chunks and ranges give the bytes of the file', async () => {
  const data = bytes(300_000)
  const source = await FileSource.open(file(scratch(), 'a.jsonl', data))
  expect(source.size).toBe(data.length)
  expect((await all(source)).equals(data)).toBe(true)
  expect((await all(source, 4097)).equals(data)).toBe(true)
  for (const [start, end] of [
    [0, 10],
    [5, 20],
    [290_000, 300_000],
    [1, 200_000],
    [70_000, 70_000],
    [299_999, 400_000],
  ] as const) {
    expect(Buffer.from(source.read(start, end)).equals(data.subarray(start, end))).toBe(true)
  }
  await source.close()
  await source.close()
  expect(() => source.read(0, 1)).toThrow('closed')
})

test('an empty file has no chunks', async () => {
  const source = await FileSource.open(file(scratch(), 'a.jsonl', ''))
  expect((await all(source)).length).toBe(0)
  expect(source.read(0, 5).length).toBe(0)
  await source.close()
})

test('what is appended later is not read, but noticed', async () => {
  const path = file(scratch(), 'a.jsonl', 'one\n')
  const source = await FileSource.open(path)
  expect(source.changed()).toBeUndefined()
  appendFileSync(path, 'two\n')
  expect((await all(source)).toString()).toBe('one\n')
  expect(source.changed()).toBe(`"${path}" grew since it was read`)
  await source.close()
  expect(source.changed()).toContain('grew')
})

test('a file that becomes shorter while it is read is a problem', async () => {
  const path = file(scratch(), 'a.jsonl', bytes(100_000))
  const source = await FileSource.open(path)
  truncateSync(path, 50_000)
  expect(await problem(all(source, 10_000))).toMatchObject({ code: 'CHANGED' })
  expect(() => source.read(60_000, 60_010)).toThrow('changed while it was read')
  expect(source.changed()).toContain('became shorter')
  await source.close()
})

test('replacing, removing and editing in place are noticed', async () => {
  const folder = scratch()
  const path = file(folder, 'a.jsonl', 'one\n')
  const source = await FileSource.open(path)
  renameSync(file(folder, 'b', 'one\n'), path)
  expect(source.changed()).toContain('was replaced by another file')
  await source.close()

  const edited = await FileSource.open(path)
  await new Promise((done) => setTimeout(done, 15))
  writeFileSync(path, 'two\n')
  utimesSync(path, Number(edited.stat.atimeNs) / 1e9, Number(edited.stat.mtimeNs) / 1e9)
  expect(edited.changed()).toContain('changed since it was read')
  renameSync(path, join(folder, 'elsewhere'))
  expect(edited.changed()).toContain('does not exist')
  await edited.close()
})

test('a small input stays in memory', async () => {
  const folder = scratch()
  const memory = Buffer.from('ab')
  async function* input(): AsyncGenerator<Uint8Array> {
    yield memory
    memory.write('cd')
    yield memory
  }
  const source = await spool(input(), folder)
  expect(names(folder)).toEqual([])
  expect((await all(source, 3)).toString()).toBe('abcd')
  expect(Buffer.from(source.read(1, 3)).toString()).toBe('bc')
  expect(source.changed()).toBeUndefined()
  await source.close()
})

test('a large input goes to a private file that nobody else can find and that is gone afterwards', async () => {
  const folder = scratch()
  const piece = bytes(3 << 20)
  async function* input(): AsyncGenerator<Uint8Array> {
    for (let n = 0; n < 4; n++) yield piece
  }
  const source = await spool(input(), folder)
  expect(source.size).toBe(4 * piece.length)
  expect((await all(source)).equals(Buffer.concat([piece, piece, piece, piece]))).toBe(true)
  expect(Buffer.from(source.read(piece.length, piece.length + 9)).equals(piece.subarray(0, 9))).toBe(true)
  expect(source.changed()).toBeUndefined()
  await source.close()
  expect(names(folder)).toEqual([])
})

test('a broken input leaves no file behind, and a missing folder is said plainly', async () => {
  const folder = scratch()
  async function* input(): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(9 << 20)
    throw new Error('the pipe broke')
  }
  expect((await problem(spool(input(), folder))).message).toBe('the pipe broke')
  expect(names(folder)).toEqual([])
  expect(await problem(spool(input(), join(folder, 'missing')))).toMatchObject({ code: 'ENOENT' })
})

test('the digest is the usual one', async () => {
  expect(await digest(file(scratch(), 'a', 'abc'))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
  expect(await problem(digest('/no/such/file'))).toMatchObject({ code: 'ENOENT' })
})
