import type { FrameLine, ReportedFinding } from '../model/report.ts'
import { columns, enumerate, padEnd, type Symbols, truncate, wrap } from './layout.ts'
import { plain } from './plain.ts'
import type { Paint, ReporterOptions } from './reporter.ts'

/** Columns that the findings of one file share. */
export interface Table {
  readonly position: number
  readonly severity: number
  readonly message: number
}

const GAP = 2
/** Narrower than this no column is made: text then runs over the edge rather than into shreds. */
const NARROWEST = 24
/** Columns of a text where a turn does not fit on its line. */
const SHORT = 20

/** Measures the findings of a file so that their columns stand below each other. */
export function measure(findings: readonly ReportedFinding[], width: number): Table {
  const position = Math.max(0, ...findings.map((finding) => positionOf(finding).length))
  const severity = Math.max(0, ...findings.map((finding) => finding.severity.length))
  const rule = Math.max(0, ...findings.map((finding) => finding.rule.length))
  const longest = Math.max(0, ...findings.map((finding) => columns(plain(finding.message))))
  const room = width - (GAP + position + GAP + severity + GAP) - (GAP + rule)
  return { position, severity, message: Math.max(NARROWEST, Math.min(longest, room)) }
}

/** One finding: what and where, the turns around it, what the API says, how it is repaired. */
export function prettyFinding(
  finding: ReportedFinding,
  table: Table,
  signs: Symbols,
  options: ReporterOptions,
): string[] {
  const { paint } = options
  const indent = ' '.repeat(GAP + table.position + GAP)
  const lines = headline(finding, table, options)
  const room = Math.max(NARROWEST, options.width - indent.length)
  const say = (text: string, style: (text: string) => string) => {
    for (const line of wrap(text, room)) lines.push(indent + style(line))
  }

  if (options.excerpts) lines.push(...frame(explained(finding), indent.length, signs, options))
  const marked = options.excerpts ? finding.frame.filter((line) => line.mark) : []
  for (const related of finding.related) {
    if (marked.some(({ line, note }) => line === related.line || note === related.message)) continue
    say(`${related.line}:${related.column}  ${plain(related.message)}`, paint.dim)
  }
  const api = apiLine(finding, signs)
  if (api !== '') say(api, paint.dim)
  const fix = fixLine(finding, signs)
  if (fix !== '') say(fix, finding.fix?.safety === 'safe' ? paint.green : paint.dim)
  const heals = healsLine(finding)
  if (heals !== '') say(heals, paint.dim)
  return lines
}

/** The severity in its colour. */
export function paintSeverity(severity: ReportedFinding['severity'], paint: Paint): (text: string) => string {
  return { error: paint.red, warning: paint.yellow, info: paint.cyan }[severity]
}

function positionOf(finding: ReportedFinding): string {
  return `${finding.line}:${finding.column}`
}

function headline(finding: ReportedFinding, table: Table, { paint, link }: ReporterOptions): string[] {
  const [first = '', ...rest] = wrap(plain(finding.message), table.message)
  const position = positionOf(finding).padStart(table.position)
  const severity = paintSeverity(finding.severity, paint)(finding.severity.padEnd(table.severity))
  const rule = link(paint.dim(finding.rule), finding.helpUri)
  const head = `  ${position}  ${severity}  ${padEnd(first, table.message)}  ${rule}`
  const below = ' '.repeat(GAP + table.position + GAP + table.severity + GAP)
  return [head, ...rest.map((line) => below + line)]
}

/** The frame, its related lines with what is said of them. */
function explained({ frame, related }: ReportedFinding): FrameLine[] {
  return frame.map((line) => {
    if (line.mark !== 'related' || line.note !== undefined) return line
    return { ...line, note: related.find((each) => each.line === line.line)?.message }
  })
}

/** The turns around a place, one a line. */
export function frame(lines: readonly FrameLine[], indent: number, signs: Symbols, options: ReporterOptions): string[] {
  const { paint } = options
  const number = Math.max(0, ...lines.map((line) => String(line.line).length))
  const role = Math.max(0, ...lines.map((line) => plain(line.role).length))
  const room = Math.max(NARROWEST, options.width - indent - number - role - 2 * GAP)
  const texts = lines.map((line) => turn(line.blocks, room, signs))
  const notes = lines.map((line) => plain(line.note ?? ''))
  const widest = Math.max(0, ...texts.map((text, i) => (notes[i] === '' ? 0 : columns(text))))

  const out: string[] = []
  for (const [i, line] of lines.entries()) {
    const text = texts[i]!
    const note = notes[i]!
    const mark = line.mark === 'fault' ? paint.red(signs.pointer) : ' '
    const start = `${' '.repeat(indent - 2)}${mark} ${String(line.line).padStart(number)}  ${plain(line.role).padEnd(role)}  `
    const shown = line.mark === undefined ? paint.dim(text) : text
    // Notes stand below each other where there is room, else close behind their turn, else on lines of their own.
    const column = [widest, columns(text)].find((at) => at + GAP + columns(note) <= room)
    if (note === '') out.push(start + shown)
    else if (column !== undefined) out.push(`${start}${padEnd(text, column)}  ${paint.cyan(note)}`)
    else {
      const below = ' '.repeat(indent + number + role + 2 * GAP)
      out.push(start + shown, ...wrap(note, room).map((part) => below + paint.cyan(part)))
    }
  }
  return out.map((line) => line.trimEnd())
}

function apiLine(finding: ReportedFinding, signs: Symbols): string {
  const parts: string[] = []
  if (finding.api) parts.push(finding.api.exact ? finding.api.path : `about ${finding.api.path}`)
  if (finding.providerError !== null) parts.push(`API: ${finding.providerError}`)
  return plain(parts.join(` ${signs.dot} `))
}

function fixLine(finding: ReportedFinding, signs: Symbols): string {
  const parts: string[] = []
  if (finding.fix) {
    const { title, safety, loses } = finding.fix
    parts.push(`${safety === 'safe' ? 'fix' : 'fix with --unsafe-fixes'}: ${title}`)
    parts.push(loses.length === 0 ? 'nothing is lost' : `takes out ${enumerate(loses)}, kept in the backup`)
  }
  return plain(parts.join(` ${signs.dot} `))
}

/** What the client does about it by itself. How far that helps stands before the sentence for readers of the JSON report. */
function healsLine({ heals }: ReportedFinding): string {
  return heals === null
    ? ''
    : plain(`left as it is: ${heals.replace(/^(?:fully|with loss|in part|not)\b[^:(]*: /, '')}`)
}

/** The mark for what was left out, at the end of a block in a few words. */
const CUT = /…("?)$/

/** The blocks of a turn on one line: where there is little room the texts are shortened first, so that calls stay in sight. */
function turn(blocks: readonly string[], room: number, signs: Symbols): string {
  const join = (words: readonly string[]) =>
    plain(words.map((each) => each.replace(CUT, `${signs.dots}$1`)).join(` ${signs.dot} `))
  const whole = join(blocks)
  if (columns(whole) <= room) return whole
  const short = blocks.map((words) =>
    words.startsWith('"') ? `"${truncate(words.slice(1, -1), SHORT, signs.dots)}"` : words,
  )
  return truncate(join(short), room, signs.dots)
}
