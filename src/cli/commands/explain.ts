import { wrap } from '../../reporters/layout.ts'
import type { Paint } from '../../reporters/reporter.ts'
import type { Rule } from '../../rules/rule.ts'
import { loadPaint, resolveColor } from '../color.ts'
import type { Context, GlobalFlags } from '../context.ts'
import { UsageError } from '../errors.ts'
import { write } from '../io.ts'
import { streamWidth } from '../report-out.ts'
import { didYouMean } from '../suggest.ts'

/** Prose is not set wider than this: longer lines are hard to read. */
const WIDEST = 100

/** `convfix explain`: the documentation of a rule. */
export async function explain(context: Context, name: string, flags: GlobalFlags): Promise<number> {
  const { io } = context
  const { rules, families } = await context.engine()
  const rule = rules.find((each) => each.name === name)
  if (!rule) throw unknown(name, rules, families)
  const paint = await loadPaint(resolveColor(flags.color, io.env, io.stdout.isTTY))
  await write(io.stdout, document(rule, paint, Math.min(WIDEST, streamWidth(io.stdout))))
  return 0
}

function document(rule: Rule, paint: Paint, width: number): string {
  const { docs } = rule
  const lines = [paint.bold(rule.name), ...wrap(rule.summary, width), '']
  const fix = rule.repair ? 'fixable' : 'not fixable'
  lines.push(
    paint.dim(`family ${rule.family} · ${rule.severity} where no provider decides · ${fix} · since ${rule.since}`),
  )
  const section = (title: string, body: readonly string[]): void => {
    if (body.length > 0) lines.push('', paint.bold(title), ...body.map((line) => (line === '' ? '' : `  ${line}`)))
  }
  const prose = (text: string): string[] => text.split('\n').flatMap((line) => wrap(line, width - 2))
  section('What it finds', prose(docs.finds))
  section('Why it matters', prose(docs.why))
  section('Example', docs.example.split('\n'))
  section('Repair', prose(docs.repair))
  section('Fix safety', prose(docs.safety))
  section(
    'Errors that it explains',
    rule.errors.flatMap(({ target, text }) => prose(target === undefined ? text : `${target}: ${text}`)),
  )
  section('Sources', docs.sources)
  return `${lines.join('\n')}\n`
}

function unknown(name: string, rules: readonly Rule[], families: readonly string[]): UsageError {
  const names = rules.map((rule) => rule.name)
  if (families.includes(name)) {
    const members = rules.filter((rule) => rule.family === name).map((rule) => rule.name)
    return new UsageError(`"${name}" is a family of rules`, `its rules: ${members.join(', ')}`)
  }
  if (!/\s/.test(name))
    return new UsageError(`unknown rule "${name}"${didYouMean(name, names)}`, '`convfix rules` lists them')
  const near = alike(name, rules)
  const hint = near.length > 0 ? `the nearest rules: ${near.join(', ')}` : '`convfix rules` lists them'
  return new UsageError('this text is not the name of a rule', hint)
}

/** Rules whose words a text shares, most shared words first. */
function alike(text: string, rules: readonly Rule[], most = 3): string[] {
  const asked = words(text)
  const scored = rules.map(({ name, summary, errors }) => {
    const own = words([name, summary, ...errors.map((error) => error.text)].join(' '))
    return { name, shared: [...asked].filter((word) => own.has(word)).length }
  })
  return scored
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, most)
    .map(({ name }) => name)
}

function words(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[a-z]{4,}/g))
}
