import { resolve } from 'node:path'
import { plain } from '../../reporters/plain.ts'
import type { Context, GlobalFlags } from '../context.ts'
import { write } from '../io.ts'
import { toOpen, toShow } from '../paths.ts'

export interface RestoreFlags extends GlobalFlags {
  readonly force?: boolean
}

/** `convfix restore`: puts the newest backup of a file back in its place. */
export async function restore(context: Context, file: string, flags: RestoreFlags): Promise<number> {
  const { io } = context
  const engine = await context.engine()
  const path = toOpen(file, resolve(io.cwd(), file))
  const { restored, savedPresent } = await engine.restore(path, { force: flags.force === true })
  const shown = (full: string): string => toShow(full, file, io.cwd())
  const lines = [`restored ${file} from ${shown(restored)}`]
  if (savedPresent !== null) lines.push(`what stood there before is now ${shown(savedPresent)}`)
  await write(io.stdout, lines.map((line) => `${plain(line)}\n`).join(''))
  return 0
}
