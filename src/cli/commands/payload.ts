import { resolve } from 'node:path'
import { plainJson } from '../../reporters/plain.ts'
import { Configs, judgingOf } from '../config.ts'
import type { Context, GlobalFlags } from '../context.ts'
import { write } from '../io.ts'
import { toOpen } from '../paths.ts'
import { type CheckFlags, readJudging } from '../settings.ts'
import { inputOf } from '../stdin.ts'

/** Options of `payload` as they are typed. */
export interface PayloadFlags
  extends GlobalFlags,
    Pick<
      CheckFlags,
      | 'inputFormat'
      | 'target'
      | 'model'
      | 'maxMedia'
      | 'select'
      | 'ignore'
      | 'severity'
      | 'fixable'
      | 'unfixable'
      | 'stdinFilename'
      | 'config'
    > {
  readonly fix?: boolean
  readonly unsafeFixes?: boolean
  readonly conversation?: string
}

/** `convfix payload`: prints the messages as the API would get them. */
export async function payload(context: Context, file: string, flags: PayloadFlags): Promise<number> {
  const { io } = context
  const engine = await context.engine()
  const stdin = file === '-'
  const configs = new Configs(io, engine, flags)
  const { effective } = await configs.of(resolve(io.cwd(), stdin ? (flags.stdinFilename ?? '<stdin>') : file))
  const pieces = engine.payload(stdin ? inputOf(io) : toOpen(file, resolve(io.cwd(), file)), {
    ...judgingOf(readJudging(flags, engine), effective),
    path: stdin ? (flags.stdinFilename ?? '<stdin>') : file,
    fix: flags.fix === true || flags.unsafeFixes === true,
    unsafe: flags.unsafeFixes === true,
    conversation: flags.conversation,
  })
  const decoder = new TextDecoder()
  let last = '\n'
  for await (const piece of pieces) {
    const text = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
    if (text === '') continue
    if (!(await write(io.stdout, io.stdout.isTTY ? plainJson(text) : text))) return 0
    last = text.at(-1)!
  }
  if (last !== '\n') await write(io.stdout, '\n')
  return 0
}
