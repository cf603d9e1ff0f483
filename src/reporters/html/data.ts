import type { FileReport, ReportedFinding, RunReport } from '../../model/report.ts'
import type { Timeline } from '../../model/timeline.ts'
import { count, enumerate, seconds, thousands } from '../layout.ts'
import { plain } from '../plain.ts'
import type { ReporterOptions } from '../reporter.ts'
import { changesOf } from './changes.ts'
import type { PageConversation, PageData, PageFile, PageFinding, PageRule } from './shape.ts'
import { type Carried, carried, pageTurn } from './turns.ts'
import { named, quoted, told } from './words.ts'

/** Turns of a run that the page carries; of more, those near findings and changes only. About 120 bytes each. */
const TURNS = 110_000
/** Findings of a run that the page carries. About 500 bytes each, with their turns and changes 1,200. */
const FINDINGS = 10_000
const MESSAGE = 600
const ID = 120
const TITLE = 240

/** All that the page shows of a run. */
export function pageData(report: RunReport, options: ReporterOptions): PageData {
  const rules = new Rules()
  const notes: string[] = []
  const shown = report.files.filter((file) => file.findings.length > 0 || file.timeline || isOdd(file))
  const room: Carried = { turns: TURNS, excerpts: options.excerpts, leftOut: 0 }
  let left = FINDINGS
  let dropped = 0
  const totals = { findings: 0, fixed: 0, fixable: 0 }
  const files = shown.map((file) => {
    const found = foundIn(file, report.mode, options)
    totals.findings += found.length
    totals.fixed += found.filter(({ state }) => state === 'fixed').length
    totals.fixable += found.filter(({ state }) => state === 'fixable').length
    dropped += Math.max(0, found.length - left)
    const page = pageFile(file, found.slice(0, left), report.mode, rules, room)
    left -= page.findings.length
    return page
  })
  if (dropped > 0)
    notes.push(`${count(dropped, 'finding')} more than fit on a page are left out: --reporter json has them all.`)
  if (room.leftOut > 0)
    notes.push(
      `${count(room.leftOut, 'turn')} far from any finding are left out: a page carries ${thousands(TURNS)} turns in full.`,
    )
  if (options.excerpts && report.files.some(isBrief))
    notes.push(
      'Of very long conversations only the turns near a finding are quoted; of the others there are kinds and sizes.',
    )
  if (!options.excerpts) notes.push('The texts of the conversations were left out (--no-excerpt).')
  return {
    version: report.tool.version,
    mode: report.mode,
    command: plain(options.fixCommand),
    seconds: seconds(report.summary.durationMs),
    files,
    totals,
    healthy: report.files.filter((file) => !shown.includes(file)).map((file) => plain(file.path)),
    rules: rules.list,
    notes,
    excerpts: options.excerpts,
  }
}

/** Whether there are texts of which nothing was read again. */
function isBrief({ timeline }: FileReport): boolean {
  return !!timeline?.before.some(({ turns }) =>
    turns.some(({ blocks }) => blocks.some(({ kind, excerpt }) => kind === 'text' && excerpt === undefined)),
  )
}

function isOdd({ error, skipped, unsettled, fixed }: FileReport): boolean {
  return error !== null || skipped !== null || unsettled.length > 0 || fixed.length > 0
}

interface Found {
  readonly finding: ReportedFinding
  readonly state: PageFinding['state']
}

/** What was found before the repair, in the order of the file, with what became of it. */
function foundIn(file: FileReport, mode: RunReport['mode'], options: ReporterOptions): Found[] {
  const open = ({ fix, suppressed, severity }: ReportedFinding): PageFinding['state'] =>
    suppressed
      ? 'known'
      : !fix
        ? 'open'
        : fix.safety === 'unsafe'
          ? 'unsafe'
          : severity === 'info'
            ? 'asked'
            : 'fixable'
  const { timeline } = file
  if (mode === 'check' || !timeline) return file.findings.map((finding) => ({ finding, state: open(finding) }))
  const left = new Map<string, number>()
  const keyOf = ({ anchor, rule, record, pointer }: ReportedFinding) => anchor ?? `${rule} ${record} ${pointer}`
  for (const finding of timeline.left) left.set(keyOf(finding), (left.get(keyOf(finding)) ?? 0) + 1)
  const found: Found[] = timeline.found.map((finding) => {
    const still = left.get(keyOf(finding)) ?? 0
    if (still === 0) return { finding, state: 'fixed' }
    left.set(keyOf(finding), still - 1)
    return { finding, state: open(finding) }
  })
  return options.quiet ? found.filter(({ finding }) => finding.severity === 'error') : found
}

function pageFile(
  file: FileReport,
  found: readonly Found[],
  mode: RunReport['mode'],
  rules: Rules,
  room: Carried,
): PageFile {
  const facts = [
    file.formatTitle ?? file.format ?? 'no known format',
    count(file.records, 'record'),
    ...[file.target, file.model].flatMap((fact) => (fact === null ? [] : [named(fact, ID)])),
  ]
  return {
    path: plain(file.path),
    facts,
    remarks: remarksOn(file, mode),
    resume: file.resume === null ? null : plain(file.resume),
    findings: found.map(({ finding, state }) => pageFinding(finding, state, rules)),
    removed: file.fixed.flatMap(({ line, title, removed }) =>
      removed.map(
        ({ kind, bytes, excerpt }) =>
          `line ${line}: ${told(title, TITLE)}: took out ${kind} of ${count(bytes, 'byte')}${room.excerpts && excerpt !== '' && kind !== 'media' ? `, “${quoted(excerpt, 48)}”` : ''}`,
      ),
    ),
    // What was written was read again, with lines of its own.
    conversations: file.timeline ? conversations(file.timeline, found, room, mode === 'fix' && file.changed) : [],
  }
}

function remarksOn(file: FileReport, mode: RunReport['mode']): PageFile['remarks'] {
  const { error, skipped, unsettled, live, changed, backup, output, fixed } = file
  const said: PageFile['remarks'][number][] = []
  const say = (kind: 'bad' | 'note' | 'good', text: string) => said.push({ kind, text: plain(text) })
  if (error !== null) say('bad', error)
  if (skipped !== null) say('note', skipped)
  if (unsettled.length > 0) say('bad', `the repairs of ${enumerate(unsettled)} did not come to an end`)
  if (live !== null) say('note', live)
  if (mode === 'fix' && changed) {
    say('good', `${count(fixed.length, 'repair')} made${output === null ? '' : ` in ${output}`}`)
    if (backup !== null) say('good', `what stood before is in ${backup}`)
  }
  return said
}

function conversations(
  { before, after }: Timeline,
  found: readonly Found[],
  room: Carried,
  isRead: boolean,
): PageConversation[] {
  return before.map(({ label, role, turns }, i) => {
    const now = after?.[i]?.turns
    const changes = now ? changesOf(turns, now) : []
    const marked: number[] = []
    for (const { finding } of found) {
      if (finding.turn?.conversation !== i) continue
      marked.push(finding.turn.turn, ...finding.turn.related.filter((at) => at !== undefined))
    }
    for (const change of changes) marked.push(change.before < 0 ? change.behind : change.before)
    return {
      label: named(label, ID),
      role,
      count: turns.length,
      turns: carried(turns, marked, room),
      changes: changes.map(({ kind, before, behind, after }) => ({
        kind,
        before,
        behind,
        after: after < 0 ? null : pageTurn(now![after]!, room.excerpts, turns[before], isRead),
      })),
    }
  })
}

function pageFinding(finding: ReportedFinding, state: PageFinding['state'], rules: Rules): PageFinding {
  const { severity, message, line, column, pointer, api, ids, fix, turn, related } = finding
  const loses = fix && (fix.loses.length === 0 ? 'nothing is lost' : `takes out ${enumerate(fix.loses)}`)
  return {
    rule: rules.of(finding),
    severity,
    state,
    // A message may quote the transcript.
    message: told(message, MESSAGE),
    line,
    column,
    pointer: named(pointer, ID),
    api: api ? named(api.exact ? api.path : `about ${api.path}`, ID) : '',
    ids: ids.map((id) => named(id, ID)),
    fix: fix ? `${told(fix.title, TITLE)} · ${loses}` : '',
    ...(turn ? { at: [turn.conversation, turn.turn, turn.block ?? -1] as const } : {}),
    related: related.map((each, i) => ({
      line: each.line,
      message: told(each.message, TITLE),
      turn: turn?.related[i] ?? -1,
    })),
  }
}

/** What is the same for many findings, kept once. */
class Rules {
  readonly list: PageRule[] = []
  readonly #known = new Map<string, number>()

  of({ rule, family, providerError, heals, helpUri }: ReportedFinding): number {
    const key = `${rule}\n${providerError}\n${heals}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    this.#known.set(key, this.list.length)
    const say = (text: string | null) => (text === null ? null : plain(text))
    this.list.push({
      rule,
      family,
      providerError: say(providerError),
      heals: say(heals?.replace(/^(?:fully|with loss|in part|not)\b[^:(]*: /, '') ?? null),
      help: helpUri,
    })
    return this.list.length - 1
  }
}
