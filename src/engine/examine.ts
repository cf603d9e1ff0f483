import type { FileReport, ReportedFinding } from '../model/report.ts'
import type { Timeline } from '../model/timeline.ts'
import type { Source } from '../text/source.ts'
import type { Steps } from '../text/steps.ts'
import { anchorOf, suppressed } from './anchors.ts'
import { finding } from './check.ts'
import { fixing } from './fix.ts'
import { inTurns } from './in-turns.ts'
import { Locator } from './locate.ts'
import { liveness, type Readable, type RunOptions, readTranscript } from './run.ts'
import type { Transcript } from './transcript.ts'
import { isLong, turnsOf } from './turns.ts'

/** Checks a file; nothing is written. Throws FileProblem for a file that cannot be read. */
export async function checkFile(path: string, options: RunOptions): Promise<FileReport> {
  const { FileSource } = await import('../files/file-source.ts')
  const source = await FileSource.open(path)
  try {
    const transcript = await readTranscript(source, { ...options, path })
    const live = await liveness(transcript, source, options)
    return await examined(transcript, source, { ...options, live })
  } finally {
    await source.close()
  }
}

/** Checks what came by a stream. */
export async function checkSource(source: Readable, options: RunOptions): Promise<FileReport> {
  return examined(await readTranscript(source, options), source, options)
}

/** Checks what was read and writes nothing. Where a timeline is asked for, the transcript in memory is repaired to see what would become of it. */
async function examined(transcript: Transcript, source: Source | undefined, options: RunOptions): Promise<FileReport> {
  const report = await checked(transcript, source, options)
  const stood = standing(report, transcript, source, options)
  if (!stood) return report
  await inTurns(fixing(transcript, options), options.signal)
  if (!transcript.records.changed) return { ...report, timeline: stood }
  // What would be left is told of a repair only; where texts are read near findings, these have to be known.
  const left = isLong(transcript) ? await checked(transcript, source, options) : blank(transcript, options)
  const { timeline } = repaired(left, stood, transcript, source)
  return { ...report, timeline }
}

/** The conversations as they stand before a repair; undefined where nobody asks for them, or nothing was found. */
export function standing(
  { findings }: FileReport,
  transcript: Transcript,
  source: Source | undefined,
  options: RunOptions,
): Timeline | undefined {
  if (!options.timeline || findings.length === 0) return undefined
  const before = turnsOf(transcript, new Locator(transcript, source), findings)
  return { before, found: findings, after: undefined, left: findings }
}

/** The report of what a repair made, with the conversations before and after it. */
export function repaired(
  report: FileReport,
  stood: Timeline | undefined,
  transcript: Transcript,
  source: Source | undefined,
): FileReport {
  if (!stood) return report
  const after = turnsOf(transcript, new Locator(transcript, source), report.findings)
  return { ...report, timeline: { ...stood, after, left: report.findings } }
}

/** Checks what was read, repairs nothing. */
export async function checked(
  transcript: Transcript,
  source: Source | undefined,
  options: RunOptions,
): Promise<FileReport> {
  // What stands beside the conversations of a client is nobody's to judge.
  if (transcript.bystander !== undefined) return blank(transcript, options)
  const findings = await inTurns(reporting(transcript, source, options), options.signal)
  return { ...blank(transcript, options), findings }
}

function* reporting(transcript: Transcript, source: Source | undefined, options: RunOptions): Steps<ReportedFinding[]> {
  const locator = new Locator(transcript, source)
  const found = yield* finding(transcript, options)
  const known = suppressed(found, transcript, options.baseline)
  const reported: ReportedFinding[] = []
  for (const each of found) {
    reported.push({
      ...locator.report(each),
      suppressed: known.has(each),
      anchor: anchorOf(each, transcript),
      ...(options.timeline ? { turn: locator.turnOf(each) } : {}),
    })
    yield
  }
  return reported
}

function blank(transcript: Transcript, options: RunOptions): FileReport {
  const isKnown = transcript.format !== 'unknown'
  return {
    path: options.path ?? transcript.path ?? '-',
    format: isKnown ? transcript.format : null,
    formatTitle: isKnown ? transcript.of.title : null,
    target: isKnown ? transcript.target : null,
    model: transcript.model ?? null,
    records: transcript.records.order().length,
    live: options.live ?? null,
    findings: [],
    fixed: [],
    unsettled: [],
    changed: false,
    backup: null,
    output: null,
    skipped: transcript.bystander === undefined ? null : `no conversation: ${transcript.bystander}`,
    error: null,
    resume: transcript.of.resume?.(transcript) ?? null,
  }
}
