import { resolve } from 'node:path'
import type { Consulted } from '../../engine/consult.ts'
import type { Meaning } from '../../engine/recognize.ts'
import { helpUri } from '../../model/help.ts'
import type { ReportedFinding } from '../../model/report.ts'
import { enumerate, symbols, wrap } from '../../reporters/layout.ts'
import { plain } from '../../reporters/plain.ts'
import { frame, measure, prettyFinding } from '../../reporters/pretty-finding.ts'
import type { ReporterOptions } from '../../reporters/reporter.ts'
import { FAMILIES, type Family } from '../../rules/rule.ts'
import type { Context } from '../context.ts'
import type { Explained } from '../engine.ts'
import { UsageError } from '../errors.ts'
import { type Io, write } from '../io.ts'
import { toOpen } from '../paths.ts'
import { PER_RULE, streamOptions } from '../report-out.ts'
import { inputOf } from '../stdin.ts'
import { nearest } from '../suggest.ts'
import { type ExplainFlags, NOTHING } from './explain.ts'

/** Characters of a pasted text that are looked at: the body of an error is short, what is pasted around it may not be. */
const MOST = 1 << 16
/** Findings that are shown where the text names none of them. */
const MOST_FOUND = 5
/** Columns of prose. */
const WIDEST = 100

/** Says what an error text means, which rule finds the fault, and where a file holds what the text names. Exits with 1 for an unknown text. */
export async function explainText(
  context: Context,
  asked: string,
  file: string | undefined,
  flags: ExplainFlags,
): Promise<number> {
  const { io } = context
  const engine = await context.engine()
  if (flags.target !== undefined && !engine.targets.some(({ name }) => name === flags.target))
    throw new UsageError(`unknown target "${flags.target}"`, '`convfix targets` lists them')
  const text = (asked === '-' ? await readAll(io) : asked).slice(0, MOST)
  if (text.trim() === '') throw new UsageError(NOTHING)
  const path = file === undefined ? undefined : toOpen(file, resolve(io.cwd(), file))
  const explained = await engine.explain(text, path, { path: file, target: flags.target })
  const code = explained.meanings.length > 0 ? 0 : 1
  if (flags.json) {
    await write(io.stdout, `${JSON.stringify(machine(explained), null, 2)}\n`)
    return code
  }
  const showing = {
    quiet: false,
    showFiles: false,
    fixCommand: '',
    unsafeFixes: false,
    excerpts: true,
    perRule: PER_RULE,
    rules: [],
  }
  const options = await streamOptions(io, io.stdout, showing, flags.color)
  const names = engine.rules.map(({ name }) => name)
  const lines = code === 0 ? meanings(explained, options) : unknown(explained.nearest, text, names, options)
  for (const place of explained.places ?? []) lines.push('', ...consulted(place, options))
  lines.push(...elsewhere(explained, file, options))
  const found = [...(explained.places ?? []).flatMap(({ findings }) => findings), ...explained.found]
  if (found.some(({ fix }) => fix?.safety === 'safe'))
    lines.push('', `repair it with: ${options.paint.bold(`convfix check --fix ${file}`)}`)
  await write(io.stdout, `${lines.join('\n').trimStart()}\n`)
  return code
}

async function readAll(io: Io): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of inputOf(io)) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

/** The most likely reading in full, the others by name: what is found in the file decides, else the order of the families. */
function meanings({ meanings, places, found }: Explained, options: ReporterOptions): string[] {
  const seen = new Set([...(places ?? []).flatMap(({ findings }) => findings), ...found].map(({ rule }) => rule))
  const rank = (each: Meaning): number => {
    if (each.kind === 'elsewhere') return 0
    return (seen.has(each.rule.name) ? 0 : FAMILIES.length) + LIKELIEST.indexOf(each.rule.family)
  }
  const [first, ...others] = meanings.toSorted((a, b) => rank(a) - rank(b))
  const names = others.flatMap((each) => (each.kind === 'rule' ? [each.rule.name] : []))
  const lines = meaning(first!, options)
  if (names.length > 0) lines.push(`  ${options.paint.dim(`the same error may also come from: ${names.join(', ')}`)}`)
  return lines
}

/** Families in the order in which their faults are met behind an error. */
const LIKELIEST: readonly Family[] = ['pairing', 'roles', 'content', 'reasoning', 'media', 'chain', 'file']

/** What the same rules find at places that the text does not name. */
function elsewhere(
  { meanings, places, found }: Explained,
  file: string | undefined,
  options: ReporterOptions,
): string[] {
  if (found.length === 0) {
    if (meanings.length === 0 && places)
      return ['', `what convfix finds in the file: convfix check ${plain(file ?? '')}`]
    // Nothing was looked for where no rule is meant.
    if (!meanings.some(({ kind }) => kind === 'rule')) return []
    const isKnown = places?.some(({ findings }) => findings.length > 0)
    return places && !isKnown ? ['', `convfix finds nothing of the kind in ${plain(file ?? '')}`] : []
  }
  const shown = found.slice(0, MOST_FOUND)
  const table = measure(shown, options.width)
  const signs = symbols(options.unicode)
  const lines = ['', ...shown.flatMap((finding) => prettyFinding(finding, table, signs, options))]
  if (found.length > shown.length)
    lines.push(`  and ${found.length - shown.length} more: convfix check ${plain(file ?? '')}`)
  return lines
}

function meaning(each: Meaning, options: ReporterOptions): string[] {
  const { paint, link } = options
  const prose = (text: string): string[] => wrap(text, Math.min(WIDEST, options.width) - 2).map((line) => `  ${line}`)
  if (each.kind === 'elsewhere') return ['', paint.bold(each.elsewhere.title), ...prose(each.elsewhere.advice)]
  const { name, summary, docs } = each.rule
  return [
    '',
    `${link(paint.bold(name), helpUri(name))}  ${summary}`,
    ...prose(docs.finds),
    ...prose(docs.why),
    ...prose(`Repair: ${docs.repair}`),
    ...prose(paint.dim(`convfix explain ${name} says more`)),
  ]
}

function unknown(read: readonly string[], text: string, names: readonly string[], options: ReporterOptions): string[] {
  const rules = read.length > 0 ? read : nearest(text.trim().replaceAll('_', '-'), names)
  const near = rules.length > 0 ? `the nearest rules: ${enumerate(rules)}` : '`convfix rules` lists what is known'
  return ['', options.paint.bold('convfix does not know this error'), `  ${near}`]
}

/** A place in the file: the turns around it, and what is found there. */
function consulted({ text, place, findings }: Consulted, options: ReporterOptions): string[] {
  const { paint, unicode } = options
  const signs = symbols(unicode)
  if (!place) return [`${plain(text)}: not in this file`]
  const head = `${paint.bold(plain(text))} ${signs.dot} line ${place.line}`
  if (findings.length === 0)
    return [head, ...frame(place.frame, 6, signs, options), '  convfix finds nothing at this message']
  const table = measure(findings, options.width)
  return [head, ...findings.flatMap((finding) => prettyFinding(finding, table, signs, options))]
}

/** The same for machines. */
function machine({ meanings, nearest, places, found }: Explained) {
  return {
    meanings: meanings.map((each) =>
      each.kind === 'rule'
        ? { kind: each.kind, rule: each.rule.name, phrase: each.phrase, summary: each.rule.summary }
        : { kind: each.kind, title: each.elsewhere.title, phrase: each.phrase, advice: each.elsewhere.advice },
    ),
    nearest,
    places:
      places?.map(({ text, place, findings }) => ({
        text,
        line: place?.line ?? null,
        column: place?.column ?? null,
        pointer: place?.pointer ?? null,
        findings: findings.map(short),
      })) ?? null,
    found: found.map(short),
  }
}

const short = ({ rule, severity, message, line, column }: ReportedFinding) => ({
  rule,
  severity,
  message,
  line,
  column,
})
