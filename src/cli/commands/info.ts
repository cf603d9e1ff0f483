import { existsSync } from 'node:fs'
import { release } from 'node:os'
import { join } from 'node:path'
import { type ConfigFlags, Configs } from '../config.ts'
import type { Context, GlobalFlags } from '../context.ts'
import { write } from '../io.ts'
import { toShow } from '../paths.ts'
import { terminalOptions } from '../report-out.ts'
import { BASELINE_NAME } from '../settings.ts'
import { version } from '../version.ts'

/** `convfix info`: what a report of a fault needs: versions, the system, what applies in this folder, and what the terminal is taken for. */
export async function info(context: Context, flags: GlobalFlags & ConfigFlags): Promise<number> {
  const { io } = context
  const engine = await context.engine()
  const { rules, formats, targets } = engine
  const cwd = io.cwd()
  const { path, folder } = new Configs(io, engine, flags)
  const baseline = folder === undefined ? undefined : join(folder, BASELINE_NAME)
  const { unicode, width, link, paint } = await terminalOptions(io, io.stdout, flags.color)
  const yes = (does: boolean): string => (does ? 'yes' : 'no')
  const shown = (path: string | undefined): string => (path === undefined ? 'none' : toShow(path, '', cwd))
  const facts: readonly (readonly [string, string])[] = [
    ['convfix', version()],
    ['node', process.version],
    ['system', `${io.platform} ${release()} ${process.arch}`],
    ['folder', cwd],
    ['configuration', shown(path)],
    ['baseline', shown(baseline !== undefined && existsSync(baseline) ? baseline : undefined)],
    ['knows', `${rules.length} rules, ${formats.length} formats, ${targets.length} targets`],
    ['terminal', yes(io.stdout.isTTY === true)],
    ['columns', String(width)],
    ['colours', yes(paint.red('x') !== 'x')],
    ['links', yes(link('x', 'x') !== 'x')],
    ['unicode', yes(unicode)],
  ]
  const room = Math.max(...facts.map(([name]) => name.length))
  await write(io.stdout, facts.map(([name, fact]) => `${paint.bold(name.padEnd(room))}  ${fact}\n`).join(''))
  return 0
}
