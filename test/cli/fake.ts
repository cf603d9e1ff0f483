import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { onTestFinished } from 'vitest'
import type { Engine } from '../../src/cli/engine.ts'
import type { Io, StopSignal } from '../../src/cli/io.ts'
import { main } from '../../src/cli/main.ts'
import type { RunOptions } from '../../src/engine/run.ts'
import type { FileReport } from '../../src/model/report.ts'
import type { Rule } from '../../src/rules/rule.ts'
import { fileReport } from '../reporters/sample.ts'

/** An empty folder that is gone after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'convfix-cli-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

export interface Terminal {
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Whether standard input is a terminal. */
  readonly typed?: boolean
  /** Columns of a terminal that both streams write to; undefined for pipes. */
  readonly columns?: number
}

export class Captured extends Writable {
  readonly isTTY: boolean
  readonly columns: number | undefined
  text = ''

  constructor(columns: number | undefined) {
    super()
    this.isTTY = columns !== undefined
    this.columns = columns
  }

  override _write(chunk: Uint8Array, _: string, done: () => void): void {
    this.text += Buffer.from(chunk).toString('utf8')
    done()
  }
}

/** A process in which everything is written down. */
export class FakeProcess implements Io {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Captured
  readonly stderr: Captured
  readonly env: Readonly<Record<string, string>>
  readonly platform = 'linux'
  readonly pid = 4711
  readonly listeners = new Map<StopSignal, () => void>()
  readonly #cwd: string

  constructor({ stdin = '', typed = false, env = {}, cwd = '/', columns }: Terminal = {}) {
    this.stdin = Object.assign(Readable.from([Buffer.from(stdin)]), typed ? { isTTY: true } : {})
    this.stdout = new Captured(columns)
    this.stderr = new Captured(columns)
    this.env = env
    this.#cwd = cwd
  }

  cwd(): string {
    return this.#cwd
  }

  uptime(): number {
    return 1
  }

  on(signal: StopSignal, listener: () => void): void {
    this.listeners.set(signal, listener)
  }

  off(signal: StopSignal): void {
    this.listeners.delete(signal)
  }
}

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command line in this process. */
export async function convfix(argv: readonly string[], engine: Engine, terminal: Terminal = {}): Promise<Outcome> {
  const io = new FakeProcess(terminal)
  const code = await main(argv, io, async () => engine)
  return { code, stdout: io.stdout.text, stderr: io.stderr.text }
}

export function withoutColour(outcome: Outcome): Outcome {
  const { code, stdout, stderr } = outcome
  return { code, stdout: stripVTControlCharacters(stdout), stderr: stripVTControlCharacters(stderr) }
}

/** What the engine was asked, and with which options. */
export interface Call {
  readonly what: string
  readonly options: Partial<RunOptions>
}

/**
 * An engine over real names and invented reports: whatever name `reports` holds is a file, everything else is looked for in
 * the folder.
 */
export function fakeEngine(
  reports: Readonly<Record<string, Partial<FileReport> | Error>>,
  changes: Partial<Engine> = {},
): Engine & { readonly calls: Call[] } {
  const calls: Call[] = []
  const report = (what: string, path: string, options: RunOptions): FileReport => {
    const { signal: _, ...told } = options
    calls.push({ what, options: told })
    const made = reports[path]
    if (made instanceof Error) throw made
    return fileReport({ path, ...made })
  }
  return {
    calls,
    rules: RULES,
    families: ['file', 'pairing'],
    targets: ['anthropic', 'openai-chat'].map((name) => ({ name, title: name })),
    formats: ['claude-code', 'codex'].map((name) => ({ name, title: name })),
    async discover(args, { cwd, glob }) {
      const found = {
        files: [] as { path: string; absolute: string; named: boolean }[],
        problems: [] as { message: string; unmatched: boolean }[],
      }
      for (const path of args.length === 0 ? ['.'] : args) {
        const absolute = resolve(cwd, path)
        if (Object.hasOwn(reports, path)) found.files.push({ path, absolute, named: true })
        else if (existsSync(absolute) && statSync(absolute).isDirectory()) {
          for (const name of readdirSync(absolute)) {
            found.files.push({ path: join(path, name), absolute: join(absolute, name), named: false })
          }
        } else {
          const message =
            glob && path.includes('*') ? `no file matches the pattern "${path}"` : `"${path}" does not exist`
          found.problems.push({ message, unmatched: true })
        }
      }
      return found
    },
    explain: async () => ({ meanings: [], nearest: ['orphan-tool-call'], places: undefined, found: [] }),
    checkFile: async (file, options) => report('checkFile', file.path, options),
    fixFile: async (file, options) => report('fixFile', file.path, options),
    async checkStream(input, options) {
      for await (const _ of input);
      return report('checkStream', options.path!, options)
    },
    async fixStream(input, options) {
      const pieces: Uint8Array[] = []
      for await (const piece of input) pieces.push(piece)
      return { report: report('fixStream', options.path!, options), text: Readable.from(pieces) }
    },
    async *payload(_, options) {
      calls.push({ what: 'payload', options })
      yield Buffer.from('[{"role":"user"}]')
    },
    restore: async (path) => ({ restored: `${path}.convfix.bak`, savedPresent: `${path}.convfix.2.bak` }),
    cleanUp: async () => {},
    ...changes,
  }
}

const RULES: readonly Rule[] = [
  {
    name: 'orphan-tool-call',
    family: 'pairing',
    phase: 'answer',
    summary: 'A tool call has no result',
    severity: 'error',
    scope: 'document',
    since: '0.1.0',
    errors: [{ target: 'anthropic', text: '`tool_use` ids were found without `tool_result` blocks immediately after' }],
    docs: {
      finds: 'A tool call that nothing answers.',
      why: 'The API refuses the conversation from then on, with each new prompt, so that the session cannot be resumed until somebody repairs the file by hand.',
      example: '{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1"}]}',
      repair: 'An error result is added.',
      safety: 'Safe: nothing is removed.',
      sources: ['https://docs.example.test/tool-use'],
    },
    words: () => '',
    detect: () => [],
    repair: () => undefined,
  },
  {
    name: 'empty-file',
    family: 'file',
    phase: 'bytes',
    summary: 'The file is empty',
    severity: 'warning',
    scope: 'document',
    since: '0.1.0',
    errors: [],
    docs: {
      finds: 'A file of 0 bytes.',
      why: 'It is lost.',
      example: '',
      repair: 'None.',
      safety: 'Nothing is written.',
      sources: [],
    },
    words: () => '',
    detect: () => [],
  },
]
