import { helpUri } from '../../model/help.ts'
import { symbols, wrap } from '../../reporters/layout.ts'
import type { Rule } from '../../rules/rule.ts'
import type { Context, GlobalFlags } from '../context.ts'
import { UsageError } from '../errors.ts'
import { write } from '../io.ts'
import { type TerminalOptions, terminalOptions } from '../report-out.ts'
import { didYouMean } from '../suggest.ts'
import { ruleJson } from './rules.ts'

/** Prose is not set wider than this: longer lines are hard to read. */
const WIDEST = 100

/** What was meant for the name of a rule; errors in one word have a capital, an underscore, a dot or a brace. */
const MISTYPED = /^[a-z-]*$/

/** Said where a text is empty. */
export const NOTHING = 'there is nothing to explain: give the name of a rule, or the error text of a provider'

export interface ExplainFlags extends GlobalFlags {
  readonly target?: string
  readonly json?: boolean
}

/** `convfix explain`: the documentation of a rule, or the meaning of an error text. */
export async function explain(
  context: Context,
  asked: string,
  file: string | undefined,
  flags: ExplainFlags,
): Promise<number> {
  const { io } = context
  const engine = await context.engine()
  if (asked.trim() === '') throw new UsageError(NOTHING)
  const rule = engine.rules.find((each) => each.name === asked)
  if (!rule && asked !== '-' && MISTYPED.test(asked)) throw unknown(asked, engine.rules, engine.families)
  if (rule) {
    if (file !== undefined)
      throw new UsageError(
        'a file is looked into for an error text, not for a rule',
        `convfix check --select ${asked} ${file}`,
      )
    if (flags.json) await write(io.stdout, `${JSON.stringify(ruleJson(rule), null, 2)}\n`)
    else {
      await write(io.stdout, document(rule, await terminalOptions(io, io.stdout, flags.color)))
    }
    return 0
  }
  const { explainText } = await import('./explain-text.ts')
  return explainText(context, asked, file, flags)
}

function document(rule: Rule, terminal: TerminalOptions): string {
  const { docs } = rule
  const { paint, link } = terminal
  const { dot } = symbols(terminal.unicode)
  const width = Math.min(WIDEST, terminal.width)
  const page = helpUri(rule.name)
  const lines = [link(paint.bold(rule.name), page), ...wrap(rule.summary, width), '']
  const fix = rule.repair ? 'fixable' : 'not fixable'
  lines.push(
    paint.dim(
      `family ${rule.family} ${dot} ${rule.severity} where no provider decides ${dot} ${fix} ${dot} since ${rule.since}`,
    ),
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
  section('Page', [link(page, page)])
  return `${lines.join('\n')}\n`
}

function unknown(name: string, rules: readonly Rule[], families: readonly string[]): UsageError {
  const names = rules.map((rule) => rule.name)
  if (families.includes(name)) {
    const members = rules.filter((rule) => rule.family === name).map((rule) => rule.name)
    return new UsageError(`"${name}" is a family of rules`, `its rules: ${members.join(', ')}`)
  }
  return new UsageError(`unknown rule "${name}"${didYouMean(name, names)}`, '`convfix rules` lists them')
}
