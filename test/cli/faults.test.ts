import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, linkSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, type TestContext, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { file, mounted, names, remountReadOnly, scratch, text } from '../files/scratch.ts'
import { FakeProcess, type Outcome } from './fake.ts'

const BROKEN = `{"role":"user","content":"go"}
{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]}
{"role":"user","content":"are you there?"}
`
/** The same behind a talk that takes some milliseconds to read. */
const LONG = `{"role":"user","content":"hello"}\n{"role":"assistant","content":"hello"}\n`.repeat(500) + BROKEN
const BACKUP = ['a.jsonl', 'a.jsonl.convfix.bak', 'a.jsonl.convfix.bak.sha256']

async function fixing(...argv: string[]): Promise<Outcome> {
  const io = new FakeProcess({ cwd: scratch() })
  const code = await main(['fix', '--no-config', ...argv], io)
  return { code, stdout: io.stdout.text, stderr: io.stderr.text }
}

/** A file with a fault in a folder of its own. */
function broken(folder = scratch(), content = BROKEN): string {
  return file(folder, 'a.jsonl', content)
}

function onMount(context: TestContext, options: string): string {
  return mounted(options) ?? context.skip('mounting is not permitted here')
}

describe('nothing is written, and why is said', () => {
  test.for<[string, (context: TestContext) => string, RegExp]>([
    [
      'a full disk',
      (context) => {
        const folder = onMount(context, 'size=64k')
        const path = broken(folder)
        const free = 64 * 1024 - 2 * 4096
        file(folder, 'ballast', 'x'.repeat(free))
        return path
      },
      /no space is left on the disk for ".*a\.jsonl"/,
    ],
    [
      'a read-only file system',
      (context) => {
        const folder = onMount(context, 'size=64k')
        const path = broken(folder)
        remountReadOnly(folder)
        return path
      },
      /"[^"]*a\.jsonl" is (on a read-only file system|read-only)/,
    ],
    [
      'a read-only file',
      (context) => {
        const path = broken()
        chmodSync(path, 0o444)
        return asUser(context, path)
      },
      /a\.jsonl" is read-only/,
    ],
    [
      'a read-only folder',
      (context) => {
        const path = broken()
        chmodSync(path, 0o666)
        chmodSync(join(path, '..'), 0o555)
        return asUser(context, path)
      },
      /permission to use ".*a\.jsonl" is denied/,
    ],
    [
      'a file that may not be read',
      (context) => {
        const path = broken()
        chmodSync(path, 0o200)
        return asUser(context, path)
      },
      /permission to use ".*a\.jsonl" is denied/,
    ],
  ])('%s', async ([, prepare, sentence], context) => {
    const path = prepare(context)
    const { code, stderr } = isRoot && user.has(path) ? asNobody(path) : await fixing(path)
    expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)])
    expect(text(path)).toBe(BROKEN)
    expect(names(join(path, '..')).filter((name) => name !== 'ballast')).toEqual(['a.jsonl'])
  })

  test('a pipe, a folder with the name of a file, links that lead nowhere or in a circle', async () => {
    const folder = scratch()
    const pipe = join(folder, 'pipe.jsonl')
    execFileSync('mkfifo', [pipe])
    expect(await fixing(pipe)).toMatchObject({ code: 2, stderr: expect.stringContaining('is a pipe, not a file') })
    const nowhere = join(folder, 'nowhere.jsonl')
    symlinkSync('gone.jsonl', nowhere)
    expect(await fixing(nowhere)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is a symbolic link to "gone.jsonl", which does not exist'),
    })
    const ring = join(folder, 'ring.jsonl')
    symlinkSync('ring.jsonl', ring)
    expect(await fixing(ring)).toMatchObject({ code: 2 })
    // A folder is walked, whatever it is called.
    const named = join(folder, 'folder.jsonl')
    mkdirSync(named)
    expect(await fixing(named)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('holds no .json or .jsonl file'),
    })
    broken(named)
    expect(await fixing(named)).toMatchObject({ code: 0 })
    expect(names(named)).toEqual(BACKUP)
    expect(names(folder)).toEqual(['folder.jsonl', 'nowhere.jsonl', 'pipe.jsonl', 'ring.jsonl'])
  })
})

describe('what leads to a file', () => {
  test('a symbolic link stays one, also to another device', async (context) => {
    const far = onMount(context, 'size=200k')
    const path = broken(far)
    const link = join(scratch(), 'link.jsonl')
    symlinkSync(path, link)
    expect(statSync(path).dev).not.toBe(statSync(join(link, '..')).dev)
    expect(await fixing(link)).toMatchObject({ code: 0 })
    expect(names(far)).toEqual(BACKUP)
    expect(text(join(far, BACKUP[1]!))).toBe(BROKEN)
    expect(text(path)).toContain('[convfix] No result was recorded')
    expect(names(join(link, '..'))).toEqual(['link.jsonl'])
  })

  test('a copy goes to another device', async (context) => {
    const far = onMount(context, 'size=200k')
    const path = broken()
    expect(await fixing(path, '--out-dir', far)).toMatchObject({ code: 0 })
    expect(text(path)).toBe(BROKEN)
    expect(names(far)).toEqual(['a.jsonl'])
    expect(text(join(far, 'a.jsonl'))).toContain('[convfix] No result was recorded')
  })

  test('a second name that a killed run gave the file goes, and the repair is made', async () => {
    const path = broken()
    const dead = spawnSync(process.execPath, ['-e', '']).pid
    linkSync(path, join(path, `../.a.jsonl.convfix-${dead}-1.tmp`))
    expect(await fixing(path)).toMatchObject({ code: 0 })
    expect(names(join(path, '..'))).toEqual(BACKUP)
    expect(text(path)).toContain('[convfix] No result was recorded')
  })

  test('another name of the file keeps what it held', async () => {
    const path = broken()
    const other = join(path, '../other.jsonl')
    linkSync(path, other)
    expect(await fixing(path)).toMatchObject({ code: 0 })
    expect(text(other)).toBe(BROKEN)
    expect(text(path)).not.toBe(BROKEN)
  })
})

describe('another program', () => {
  async function writing(path: string): Promise<{ readonly end: () => Promise<number> }> {
    const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, '../files/writer.mjs'), path])
    let said = ''
    child.stdout!.on('data', (chunk: Buffer) => {
      said += chunk
    })
    await once(child.stdout!, 'data')
    const closed = once(child, 'close')
    return {
      async end() {
        child.stdin!.write('\n')
        await closed
        return Number(said.split('\n').at(-2))
      },
    }
  }

  test('that appends every millisecond loses no record', async () => {
    const path = broken(scratch(), LONG)
    const writer = await writing(path)
    const outcomes: Outcome[] = []
    for (let i = 0; i < 3; i++) outcomes.push(await fixing(path, '--force'))
    const written = await writer.end()
    const now = text(path)
    for (let i = 0; i < written; i++)
      expect(now.includes(`"by the writer ${i}"`), `record ${i} of ${written}`).toBe(true)
    expect(now.startsWith(LONG)).toBe(true)
    for (const { code, stderr } of outcomes) {
      expect(code).toBe(2)
      expect(stderr).toMatch(/a\.jsonl" (grew|changed) since it was read|was (written to|changed) by another program/)
    }
    expect(names(join(path, '..'))).toEqual(['a.jsonl'])
    // Once it has ended, the repair goes through.
    expect(await fixing(path, '--force')).toMatchObject({ code: 0 })
  })

  test('that has an agent’s session open keeps it from being written to', async () => {
    const session = text(join(import.meta.dirname, '../../fixtures/examples/killed-while-a-tool-ran.jsonl'))
    const path = broken(scratch(), session)
    const writer = await writing(path)
    const { code, stdout } = await fixing(path)
    await writer.end()
    expect(code).toBe(1)
    expect(stdout).toMatch(/not written: .* has the file open for writing/)
    expect(text(path).startsWith(session)).toBe(true)
    expect(names(join(path, '..'))).toEqual(['a.jsonl'])
  })
})

const isRoot = process.getuid?.() === 0
const BIN = join(import.meta.dirname, '../../bin/convfix.js')
/** Files that only an ordinary user is refused. */
const user = new Set<string>()

function asUser(context: TestContext, path: string): string {
  if (isRoot && !canRunAsNobody()) context.skip('not built, or an ordinary user cannot run programs here')
  // The user must get as far as the file.
  const folder = join(path, '..')
  chmodSync(folder, statSync(folder).mode | 0o555)
  user.add(path)
  return path
}

function canRunAsNobody(): boolean {
  if (!existsSync(join(import.meta.dirname, '../../dist/cli/main.js'))) return false
  return spawnSync(process.execPath, [BIN, '--version'], NOBODY).status === 0
}

const NOBODY = { uid: 65534, gid: 65534, cwd: '/', encoding: 'utf8' } as const

/** Permissions do not bind root. */
function asNobody(path: string): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, 'fix', '--no-config', path], NOBODY)
  return { code: status ?? -1, stdout, stderr }
}
