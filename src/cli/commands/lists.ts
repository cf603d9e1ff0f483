import { count, padEnd } from '../../reporters/layout.ts'
import { plain } from '../../reporters/plain.ts'
import type { Target } from '../../targets/target.ts'
import { loadPaint, resolveColor } from '../color.ts'
import type { Context, GlobalFlags } from '../context.ts'
import { UsageError } from '../errors.ts'
import { write } from '../io.ts'
import { didYouMean } from '../suggest.ts'

/** `convfix formats`: the transcript formats, as `--input-format` takes them. */
export async function formats(context: Context, flags: GlobalFlags): Promise<number> {
  return list(context, flags, (await context.engine()).formats, 'format')
}

/** `convfix targets`: the providers whose rules can be applied, as `--target` takes them; with a name the limits of one. */
export async function targets(
  context: Context,
  name: string | undefined,
  flags: GlobalFlags & { readonly model?: string },
): Promise<number> {
  const { targets: all } = await context.engine()
  if (name === undefined) {
    if (flags.model !== undefined)
      throw new UsageError(
        '--model goes with the name of a target',
        `convfix targets ${all[0]?.name} --model ${plain(flags.model)}`,
      )
    return list(context, flags, all, 'target')
  }
  const { targetNamed } = await import('../../targets/index.ts')
  const target = targetNamed(name)
  if (!target) {
    const names = all.map((each) => each.name)
    throw new UsageError(`unknown target "${name}"${didYouMean(name, names)}`, '`convfix targets` lists them')
  }
  if (flags.model !== undefined) await tellOfModel(context, target, flags.model)
  const { limitsOf } = await import('../../targets/limits.ts')
  const { io } = context
  const paint = await loadPaint(resolveColor(flags.color, io.env, io.stdout.isTTY))
  const lines = limitsOf(target, flags.model).flatMap(({ what, limit, source }) => [
    `  ${what}: ${limit}`,
    ...(source === '' ? [] : [paint.dim(`    ${source}`)]),
  ])
  const more = `its verdicts: convfix rules --target ${name}`
  await write(io.stdout, [`${paint.bold(target.name)}  ${target.title}`, '', ...lines, '', more, ''].join('\n'))
  return 0
}

async function tellOfModel({ io }: Context, target: Target, model: string): Promise<void> {
  const [{ modelNotice }, { knownModel }] = await Promise.all([
    import('../model-notice.ts'),
    import('../../targets/models.ts'),
  ])
  const isAny = knownModel(target, model).is === 'any'
  const same = `convfix: the limits of ${target.name} are the same for every model`
  const said = isAny ? same : modelNotice(target, model)
  if (said !== undefined) await write(io.stderr, `${said}\n`)
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
