import type { FileReport, ReportedFinding, ReportedFix, RunReport, Summary } from '../model/report.ts'
import { count, enumerate, type Symbols, seconds, symbols, thousands, truncate, wrap } from './layout.ts'
import { plain } from './plain.ts'
import { measure, paintSeverity, prettyFinding } from './pretty-finding.ts'
import type { Reporter, ReporterOptions } from './reporter.ts'

/** For people: each file with its findings, the turns around them and what can be done, then the sum. */
export const pretty: Reporter = (report, options) => {
  const signs = symbols(options.unicode)
  const blocks: string[] = []
  for (const file of report.files) {
    const lines = prettyFile(file, report.mode, signs, options)
    if (lines.length > 0) blocks.push(lines.join('\n'))
  }
  const last = summaryLine(report, signs, options)
  return [...joined(blocks), ...(last === '' ? [] : [last])].map((block) => `${block}\n`).join('\n')
}

/** Files of which only the name is shown stand below each other, all else is set apart by an empty line. */
function joined(blocks: readonly string[]): string[] {
  const out: string[] = []
  for (const [i, block] of blocks.entries()) {
    const list = i > 0 && !block.includes('\n') && !blocks[i - 1]!.includes('\n')
    if (list) out[out.length - 1] += `\n${block}`
    else out.push(block)
  }
  return out
}

function prettyFile(file: FileReport, mode: RunReport['mode'], signs: Symbols, options: ReporterOptions): string[] {
  const findings = file.findings.filter((finding) => !finding.suppressed)
  const found = prettyFindings(findings, signs, options)
  const done = [...prettyFixes(file, mode, signs, options), ...prettyNotes(file, findings, options)]
  const body = found.length > 0 && done.length > 0 ? [...found, '', ...done] : [...found, ...done]
  const isNone = file.format === null && file.skipped !== null
  if (body.length === 0) return options.showFiles || isNone ? [header(file, signs, options)] : []
  return [header(file, signs, options), '', ...body]
}

function header(file: FileReport, signs: Symbols, { paint }: ReporterOptions): string {
  const facts: string[] = []
  if (file.format !== null) {
    facts.push(file.format, count(file.records, 'record'))
    if (file.target !== null) facts.push(file.target)
    if (file.model !== null) facts.push(file.model)
  } else if (file.skipped !== null) facts.push(file.skipped)
  const more = facts.length === 0 ? '' : `  ${paint.dim(plain(facts.join(` ${signs.dot} `)))}`
  return paint.underline(plain(file.path)) + more
}

function prettyFindings(findings: readonly ReportedFinding[], signs: Symbols, options: ReporterOptions): string[] {
  const seen = new Map<string, number>()
  const shown = findings.filter(({ rule }) => {
    const number = (seen.get(rule) ?? 0) + 1
    seen.set(rule, number)
    return number <= options.perRule
  })
  const table = measure(shown, options.width)
  const lines: string[] = []
  let before = 1
  for (const finding of shown) {
    const one = prettyFinding(finding, table, signs, options)
    // Findings that take several lines are set apart from each other; a list of single lines stays a list.
    if (lines.length > 0 && (one.length > 1 || before > 1)) lines.push('')
    lines.push(...one)
    before = one.length
  }
  for (const [rule, number] of seen) {
    if (number > options.perRule) lines.push(`  + ${thousands(number - options.perRule)} more of ${rule}`)
  }
  return lines
}

function prettyFixes(file: FileReport, mode: RunReport['mode'], signs: Symbols, options: ReporterOptions): string[] {
  if (file.fixed.length === 0) return []
  const { paint } = options
  const numbers = new Map<string, number>()
  for (const { rule } of file.fixed) numbers.set(rule, (numbers.get(rule) ?? 0) + 1)
  const list = [...numbers].map(([rule, number]) => `${number} ${signs.times} ${rule}`).join(', ')
  const lines = wrap(`${mode === 'dry-run' ? 'would fix' : 'fixed'}: ${list}`, options.width - 2).map(
    (line) => `  ${paint.green(line)}`,
  )
  const removed = file.fixed.flatMap((fix) =>
    fix.removed.map((loss) => removedLine(fix, loss, signs, options.excerpts)),
  )
  const head = mode === 'dry-run' ? 'would take out' : 'taken out'
  for (const text of removed.slice(0, options.perRule)) {
    lines.push(`  ${truncate(`${head}: ${text}`, Math.max(40, options.width - 2), signs.dots)}`)
  }
  if (removed.length > options.perRule) lines.push(`  + ${thousands(removed.length - options.perRule)} more ${head}`)
  return lines
}

function removedLine(
  fix: ReportedFix,
  loss: ReportedFix['removed'][number],
  signs: Symbols,
  excerpts: boolean,
): string {
  const excerpt = !excerpts || loss.excerpt === '' ? '' : ` "${loss.excerpt}"`
  const what = [`line ${fix.line}`, `${loss.kind}, ${count(loss.bytes, 'byte')}${excerpt}`, fix.rule]
  return plain(what.join(` ${signs.dot} `))
}

function prettyNotes(file: FileReport, findings: readonly ReportedFinding[], { paint }: ReporterOptions): string[] {
  const lines: string[] = []
  const say = (name: string, text: string) => lines.push(`  ${paint.bold(`${name}:`)} ${plain(text)}`)
  if (file.backup !== null) say('backup', file.backup)
  if (file.output !== null) say('written to', file.output)
  if (file.unsettled.length > 0)
    say('not settled', `the repairs of ${enumerate(file.unsettled)} did not come to an end`)
  if (file.skipped !== null && file.live !== null) {
    say('not written', `${file.live}; end the session first, or take --out-dir DIR, or --force`)
  } else if (file.skipped !== null && file.format !== null) say('skipped', file.skipped)
  else if (file.live !== null && findings.length > 0 && !file.changed) {
    say('in use', `${file.live}; what looks broken may still be in the making`)
  }
  if (file.resume !== null && file.changed && file.output === null) say('resume', file.resume)
  return lines
}

function summaryLine(report: RunReport, signs: Symbols, options: ReporterOptions): string {
  const { paint } = options
  const { summary } = report
  const problems = summary.errors + summary.warnings
  const time = seconds(summary.durationMs)
  const parts: string[] = []
  if (summary.unreadable > 0) parts.push(`${count(summary.unreadable, 'file')} could not be processed`)
  if (summary.suppressed > 0) parts.push(`${thousands(summary.suppressed)} suppressed by the baseline`)

  if (problems === 0 && summary.unreadable === 0) {
    if (options.quiet && summary.fixed === 0) return ''
    const infos = summary.infos > 0 ? [count(summary.infos, 'note')] : []
    if (summary.fixed > 0) {
      const wouldBe = report.mode === 'dry-run'
      const text = `${count(summary.fixed, 'problem')} ${wouldBe ? 'would be ' : ''}fixed in ${filesOf(report, (file) => file.fixed.length > 0)}, none left`
      const line = [text, ...infos, ...parts, time].join(` ${signs.dot} `)
      return wouldBe ? paint.yellow(`${signs.warn} ${line}`) : paint.green(`${signs.check} ${line}`)
    }
    const text = `${count(summary.files, 'file')}, ${count(summary.records, 'record')}, no problems`
    return paint.green(`${signs.check} ${[[text, ...infos].join(', '), ...parts].join(` ${signs.dot} `)} (${time})`)
  }

  const where = filesOf(report, (file) => file.findings.some((finding) => !finding.suppressed))
  const head = problems > 0 ? `${tally(summary)} in ${where}` : `${count(summary.files, 'file')} checked`
  const hint = fixHint(summary, report.mode, options).replaceAll('…', signs.dots)
  const fixed =
    summary.fixed > 0 ? [`${thousands(summary.fixed)} ${report.mode === 'dry-run' ? 'would be fixed' : 'fixed'}`] : []
  const line = [head, ...fixed, ...(hint === '' ? [] : [hint]), ...parts, time].join(` ${signs.dot} `)
  const severe = summary.errors > 0 || summary.unreadable > 0
  const style = paintSeverity(severe ? 'error' : 'warning', paint)
  return style(`${severe ? signs.cross : signs.warn} ${line}`)
}

/** `7 problems (5 errors, 2 warnings)`, or only `1 error` where there is nothing else. */
function tally({ errors, warnings, infos }: Summary): string {
  const parts: string[] = []
  if (errors > 0) parts.push(count(errors, 'error'))
  if (warnings > 0) parts.push(count(warnings, 'warning'))
  const problems = parts.length === 1 ? parts[0]! : `${count(errors + warnings, 'problem')} (${parts.join(', ')})`
  return infos > 0 ? `${problems} and ${count(infos, 'note')}` : problems
}

function filesOf(report: RunReport, which: (file: FileReport) => boolean): string {
  return `${thousands(report.files.filter(which).length)} of ${count(report.summary.files, 'file')}`
}

function fixHint(summary: Summary, mode: RunReport['mode'], options: ReporterOptions): string {
  const { fixable, fixableUnsafe } = summary
  const total = options.unsafeFixes ? fixable + fixableUnsafe : fixable
  const unsafe = options.unsafeFixes ? 0 : fixableUnsafe
  if (mode !== 'check') return unsafe > 0 ? `${thousands(unsafe)} fixable with --unsafe-fixes` : ''
  if (total === 0 && unsafe === 0) return ''
  if (total === 0) return `${thousands(unsafe)} fixable: ${options.fixCommand} --unsafe-fixes`
  const more = unsafe > 0 ? ` (${thousands(unsafe)} more with --unsafe-fixes)` : ''
  return `${thousands(total)} fixable: ${options.fixCommand}${more}`
}
