import { basename, dirname, extname, join } from 'node:path'
import type { FileReport, ReportedFinding, ReportedFix } from '../model/report.ts'
import type { Timeline } from '../model/timeline.ts'
import type { Source } from '../text/source.ts'
import type { Steps } from '../text/steps.ts'
import type { TextRecords } from '../text/text-records.ts'
import { pointerOf } from '../text/view.ts'
import { anchorOf, suppressed } from './anchors.ts'
import type { Chunks, FixOptions } from './api.ts'
import { finding } from './check.ts'
import { textOf, unifiedDiff } from './diff.ts'
import { type Applied, type Fixed, fixing, isRepaired } from './fix.ts'
import { inTurns } from './in-turns.ts'
import { Locator } from './locate.ts'
import { payload } from './payload.ts'
import { TranscriptReader } from './read.ts'
import { selectRules } from './rules.ts'
import type { Transcript } from './transcript.ts'
import { turnsOf } from './turns.ts'

/** Where a repaired text goes, and what is asked before. */
export interface RunOptions extends FixOptions {
  /** Say what would be repaired, write nothing. */
  readonly dryRun?: boolean | undefined
  /** Put a unified diff into the report (implies that nothing is written). */
  readonly diff?: boolean | undefined
  /** Keep the old file as a backup (the default). */
  readonly backup?: boolean | undefined
  /** Write into a file even though it seems to be in use. */
  readonly force?: boolean | undefined
  /** Write repaired copies into this folder instead. */
  readonly outDir?: string | undefined
  /** Write a repaired copy beside the file, with this before its extension. */
  readonly fixedSuffix?: string | undefined
  /** Stops the work between two pieces of a file. */
  readonly signal?: AbortSignal | undefined
  /** Put the conversations before and after the repair into the report, for one that shows them. */
  readonly timeline?: boolean | undefined
  /** Who asks whether a file is in use: environment, home folder and number of the process. */
  readonly self?: {
    readonly env: Readonly<Record<string, string | undefined>>
    readonly home: string
    readonly pid: number
  }
}

/** A source that can also be read from front to back. */
export interface Readable extends Source {
  chunks(): Chunks
}

/** Reads a transcript from front to back; what is read again later comes from the same source. */
export async function readTranscript(source: Readable, options: RunOptions): Promise<Transcript> {
  const reader = new TranscriptReader(options)
  for await (const chunk of source.chunks()) {
    options.signal?.throwIfAborted()
    reader.push(chunk)
  }
  return reader.end(source)
}

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

/** Checks what was read and writes nothing. Where a timeline is asked for, the transcript in memory is repaired to see what would become of it. */
export async function examined(
  transcript: Transcript,
  source: Source | undefined,
  options: RunOptions,
): Promise<FileReport> {
  const report = await checked(transcript, source, options)
  const stood = standing(report, transcript, source, options)
  if (!stood) return report
  await inTurns(fixing(transcript, options), options.signal)
  if (!transcript.records.changed) return { ...report, timeline: stood }
  const { timeline } = repaired(await checked(transcript, source, options), stood, transcript, source)
  return { ...report, timeline }
}

/** The conversations as they stand before a repair; undefined where nobody asks for them, or nothing was found. */
function standing(
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
function repaired(
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
async function checked(transcript: Transcript, source: Source | undefined, options: RunOptions): Promise<FileReport> {
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

/**
 * Repairs a file: in place with a backup, or into a copy. The repaired text is read again and checked before it takes the
 * file's place. Throws FileProblem when the file cannot be read or written; it then stands as it was.
 */
export async function fixFile(path: string, options: RunOptions): Promise<FileReport> {
  const { FileSource } = await import('../files/file-source.ts')
  const inPlace = options.outDir === undefined && options.fixedSuffix === undefined
  // Before the file is looked at: a second name that a killed run gave it changes it by going.
  if (inPlace && !options.dryRun && !options.diff) await clear(path)
  const source = await FileSource.open(path)
  try {
    const transcript = await readTranscript(source, { ...options, path })
    const live = await liveness(transcript, source, options)
    const settings = { ...options, live }
    const before = await checked(transcript, source, settings)
    const stood = standing(before, transcript, source, settings)
    if (live !== undefined && inPlace && !options.force && !options.dryRun && !options.diff) {
      const wanted = await repairable(before.findings, transcript, settings)
      const untouched = stood ? { ...before, timeline: stood } : before
      return wanted ? { ...untouched, skipped: 'it is in use: nothing was written' } : untouched
    }
    const done = await inTurns(fixing(transcript, settings), options.signal)
    if (!transcript.records.changed || !transcript.text)
      return { ...before, unsettled: done.unsettled, ...(stood ? { timeline: stood } : {}) }
    const fixed = done.applied.map(reportFix)
    if (options.dryRun || options.diff) {
      const diff = options.diff ? await unifiedDiff(path, source, transcript.text) : undefined
      const left = repaired(await checked(transcript, source, settings), stood, transcript, source)
      return { ...left, fixed, unsettled: done.unsettled, ...(diff === undefined ? {} : { diff }) }
    }
    const written = await write(path, source, transcript, done, settings, stood)
    return { ...written, fixed, unsettled: done.unsettled, live: live ?? null }
  } finally {
    await source.close()
  }
}

/** Repairs what came by a stream; the caller writes the text. */
export async function fixStream(
  source: Readable,
  options: RunOptions,
): Promise<{ report: FileReport; text: Iterable<Uint8Array> }> {
  const transcript = await readTranscript(source, options)
  const stood = options.timeline
    ? standing(await checked(transcript, source, options), transcript, source, options)
    : undefined
  const done = await inTurns(fixing(transcript, options), options.signal)
  const records = transcript.text!
  const diff = options.diff ? await unifiedDiff(options.path ?? '-', source, records) : undefined
  const report = {
    ...repaired(await checked(transcript, source, options), stood, transcript, source),
    fixed: done.applied.map(reportFix),
    unsettled: done.unsettled,
    changed: records.changed,
    ...(diff === undefined ? {} : { diff }),
  }
  return { report, text: textOf(records, source) }
}

/** The messages array that the API would get, as JSON text. */
export async function* payloadOf(
  source: Readable,
  options: RunOptions & { readonly conversation?: string | undefined; readonly fix?: boolean | undefined },
): AsyncGenerator<Uint8Array> {
  const transcript = await readTranscript(source, options)
  if (options.fix) await inTurns(fixing(transcript, options), options.signal)
  const { conversations } = transcript
  const asked = options.conversation
  const chosen =
    asked === undefined
      ? (conversations.find(({ role }) => role === 'main') ?? conversations[0])
      : (conversations.find(({ label }) => label === asked) ?? conversations[Number(asked) - 1])
  if (chosen) yield* payload(transcript, chosen)
  else if (asked === undefined) yield Buffer.from('[]\n')
  else throw new RangeError(`there is no conversation ${asked}: the file holds ${conversations.length}`)
}

/** What a killed run left beside a file goes, also where nothing is left to repair. */
async function clear(path: string): Promise<void> {
  const [{ removeStale }, { realpath }] = await Promise.all([import('../files/temp.ts'), import('node:fs/promises')])
  const real = await realpath(path).catch(() => undefined)
  // What cannot be found is told by who opens it.
  if (real !== undefined) await removeStale(real)
}

/** The file's own sentence on why it must be taken for one in use; only agents' session files can be. */
async function liveness(
  transcript: Transcript,
  source: { readonly path: string; readonly stat: LiveStat },
  options: RunOptions,
): Promise<string | undefined> {
  const { self } = options
  if (transcript.use !== 'session' || !self) return undefined
  const [{ liveReason }, { procWriters }] = await Promise.all([
    import('../files/live.ts'),
    import('../files/writers.ts'),
  ])
  return liveReason(source.path, source.stat, {
    now: Date.now(),
    env: self.env,
    home: self.home,
    findWriter: procWriters({ self: self.pid }),
  })
}

interface LiveStat {
  readonly dev: bigint
  readonly ino: bigint
  readonly mtimeMs: bigint | number
}

async function write(
  path: string,
  source: Readable & { changed(): string | undefined },
  transcript: Transcript,
  done: Fixed,
  options: RunOptions,
  stood: Timeline | undefined,
): Promise<FileReport> {
  let after: FileReport | undefined
  const produce = (out: (bytes: Uint8Array) => void): Promise<void> =>
    inTurns(writing(transcript.text!, source, out), options.signal)
  const verify = async (temp: string): Promise<string | undefined> => {
    const { FileSource } = await import('../files/file-source.ts')
    const again = await FileSource.open(temp)
    try {
      const written = await readTranscript(again, { ...options, format: transcript.format, path })
      after = repaired(await checked(written, again, options), stood, written, again)
      // What could not be settled may go on for ever; everything else has to be done once and for all.
      const { applied } = await inTurns(fixing(written, options), options.signal)
      const repeats = applied.filter(({ finding }) => !done.unsettled.includes(finding.rule))
      return repeats.length === 0
        ? undefined
        : `the repair of ${repeats[0]!.finding.rule} does not hold: nothing was written (please report this)`
    } finally {
      await again.close()
    }
  }
  if (options.outDir !== undefined || options.fixedSuffix !== undefined) {
    const { writeNew } = await import('../files/write-new.ts')
    const output = outputPath(path, options)
    await writeNew(output, produce, { overwrite: true, like: path, verify })
    return { ...after!, changed: true, output }
  }
  const { replaceFile } = await import('../files/replace.ts')
  const { backup } = await replaceFile(path, produce, {
    backup: options.backup ?? true,
    unchanged: () => source.changed(),
    verify,
  })
  return { ...after!, changed: true, backup }
}

function* writing(records: TextRecords, source: Source, out: (bytes: Uint8Array) => void): Steps<void> {
  for (const piece of textOf(records, source)) {
    out(piece)
    yield
  }
}

/** Where the repaired copy of a file goes. */
export function outputPath(path: string, options: Pick<RunOptions, 'outDir' | 'fixedSuffix'>): string {
  const extension = extname(path)
  const name = `${basename(path, extension)}${options.fixedSuffix ?? ''}${extension}`
  return join(options.outDir ?? dirname(path), name)
}

async function repairable(
  found: readonly ReportedFinding[],
  transcript: Transcript,
  options: RunOptions,
): Promise<boolean> {
  const { named } = selectRules(options)
  if (!found.some((finding) => !finding.suppressed)) return false
  const all = await inTurns(finding(transcript, options), options.signal)
  const known = suppressed(all, transcript, options.baseline)
  return all.some((finding) => isRepaired(finding, options, named) && !known.has(finding))
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

/** A repair as it is reported. */
export function reportFix({ finding, line, removed }: Applied): ReportedFix {
  return {
    rule: finding.rule,
    family: finding.family,
    line,
    record: finding.at.record + 1,
    pointer: pointerOf(finding.at.path ?? []),
    safety: finding.repair!.safety,
    title: finding.repair!.title,
    removed,
  }
}
