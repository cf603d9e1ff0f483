import { helpUri } from '../../model/help.ts'
import { count, padEnd, wrap } from '../../reporters/layout.ts'
import { paintSeverity } from '../../reporters/pretty-finding.ts'
import type { Rule } from '../../rules/rule.ts'
import { severityOf } from '../../rules/severity.ts'
import type { Target } from '../../targets/target.ts'
import type { Context, GlobalFlags } from '../context.ts'
import { UsageError } from '../errors.ts'
import { write } from '../io.ts'
import { terminalOptions } from '../report-out.ts'
import { didYouMean } from '../suggest.ts'

export interface RulesFlags extends GlobalFlags {
  readonly json?: boolean
  readonly target?: string
}

/** `convfix rules`: what can be found, as a table or as JSON. */
export async function rules(context: Context, flags: RulesFlags): Promise<number> {
  const { io } = context
  const { rules, families, targets } = await context.engine()
  if (flags.target !== undefined && !targets.some(({ name }) => name === flags.target)) {
    const names = targets.map(({ name }) => name)
    throw new UsageError(
      `unknown target "${flags.target}"${didYouMean(flags.target, names)}`,
      '`convfix targets` lists them',
    )
  }
  const target =
    flags.target === undefined ? undefined : (await import('../../targets/index.ts')).targetNamed(flags.target)
  if (flags.json) {
    await write(
      io.stdout,
      `${JSON.stringify(
        rules.map((rule) => ruleJson(rule, target)),
        null,
        2,
      )}\n`,
    )
    return 0
  }
  const { paint, link, width } = await terminalOptions(io, io.stdout, flags.color)
  const name = Math.max(4, ...rules.map((rule) => rule.name.length))
  const family = Math.max(6, ...families.map((each) => each.length))
  const indent = name + family + 8 + 3 + 8
  const room = Math.max(30, width - indent)
  const row = (cells: readonly [string, string, string, string], summary: string) =>
    `${padEnd(cells[0], name)}  ${padEnd(cells[1], family)}  ${padEnd(cells[2], 8)}  ${padEnd(cells[3], 3)}  ${summary}`
  const lines = [paint.bold(row(['rule', 'family', 'severity', 'fix'], 'what it finds'))]
  for (const each of families) {
    for (const rule of rules.filter((one) => one.family === each)) {
      const [first = '', ...rest] = wrap(rule.summary, room)
      const severity = target ? severityOf(rule, { target }) : rule.severity
      const line = row([rule.name, rule.family, severity ?? 'off', rule.repair ? 'yes' : ''], first)
      const painted = severity
        ? line.replace(severity.padEnd(8), (word) => paintSeverity(severity, paint)(word))
        : paint.dim(line)
      lines.push(painted.replace(rule.name, (name) => link(name, helpUri(name))))
      for (const more of rest) lines.push(' '.repeat(indent) + more)
      const source = target?.verdicts[rule.name]?.source
      if (source !== undefined) for (const each of wrap(source, room)) lines.push(paint.dim(' '.repeat(indent) + each))
    }
  }
  lines.push(
    '',
    `${count(rules.length, 'rule')}; severities are those ${target ? `under ${target.name}` : 'where no provider decides'}; more: convfix explain RULE`,
    `their pages: ${helpUri('RULE')}`,
  )
  await write(io.stdout, `${lines.join('\n')}\n`)
  return 0
}

/** A rule as machines are told of it. */
export function ruleJson(rule: Rule, target?: Target) {
  const { name, family, summary, severity, since, docs, errors } = rule
  return {
    name,
    family,
    summary,
    severity,
    ...(target ? { target: targetJson(rule, target) } : {}),
    fixable: rule.repair !== undefined,
    helpUri: helpUri(name),
    since,
    errors: errors.map(({ target, text }) => ({ target: target ?? null, text })),
    docs: {
      finds: docs.finds,
      why: docs.why,
      example: docs.example,
      repair: docs.repair,
      safety: docs.safety,
      sources: docs.sources,
    },
  }
}

function targetJson(rule: Rule, target: Target) {
  const { verdict = null, source = null } = target.verdicts[rule.name] ?? {}
  return { name: target.name, severity: severityOf(rule, { target }) ?? null, verdict, source }
}
