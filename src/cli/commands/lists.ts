import { count, padEnd } from '../../reporters/layout.ts'
import { loadPaint, resolveColor } from '../color.ts'
import type { Context, GlobalFlags } from '../context.ts'
import { write } from '../io.ts'

/** `convfix formats`: the transcript formats, as `--input-format` takes them. */
export async function formats(context: Context, flags: GlobalFlags): Promise<number> {
  return list(context, flags, (await context.engine()).formats, 'format')
}

/** `convfix targets`: the providers whose rules can be applied, as `--target` takes them. */
export async function targets(context: Context, flags: GlobalFlags): Promise<number> {
  return list(context, flags, (await context.engine()).targets, 'target')
}

async function list(
  { io }: Context,
  flags: GlobalFlags,
  entries: readonly { readonly name: string; readonly title: string }[],
  what: string,
): Promise<number> {
  const paint = await loadPaint(resolveColor(flags.color, io.env, io.stdout.isTTY))
  const width = Math.max(what.length, ...entries.map(({ name }) => name.length))
  const lines = entries.map(({ name, title }) => `${padEnd(name, width)}  ${title}`)
  await write(io.stdout, [paint.bold(padEnd(what, width)), ...lines, '', count(entries.length, what), ''].join('\n'))
  return 0
}
