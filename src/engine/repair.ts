import { basename, dirname, extname, join } from 'node:path'
import type { FileReport, ReportedFinding, ReportedFix } from '../model/report.ts'
import type { Timeline } from '../model/timeline.ts'
import type { Source } from '../text/source.ts'
import type { Steps } from '../text/steps.ts'
import type { TextRecords } from '../text/text-records.ts'
import { pointerOf } from '../text/view.ts'
import { suppressed } from './anchors.ts'
import { finding } from './check.ts'
import { textOf, unifiedDiff } from './diff.ts'
import { checked, repaired, standing } from './examine.ts'
import { type Applied, type Fixed, fixing, isRepaired } from './fix.ts'
import { inTurns } from './in-turns.ts'
import { selectRules } from './rules.ts'
import { liveness, type Readable, type RunOptions, readTranscript } from './run.ts'
import type { Transcript } from './transcript.ts'

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
function outputPath(path: string, options: Pick<RunOptions, 'outDir' | 'fixedSuffix'>): string {
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

/** What a killed run left beside a file goes, also where nothing is left to repair. */
async function clear(path: string): Promise<void> {
  const [{ removeStale }, { realpath }] = await Promise.all([import('../files/temp.ts'), import('node:fs/promises')])
  const real = await realpath(path).catch(() => undefined)
  // What cannot be found is told by who opens it.
  if (real !== undefined) await removeStale(real)
}

/** A repair as it is reported. */
export function reportFix({ finding, line, path, removed }: Applied): ReportedFix {
  return {
    rule: finding.rule,
    family: finding.family,
    line,
    record: finding.at.record + 1,
    pointer: pointerOf(path),
    safety: finding.repair!.safety,
    title: finding.repair!.title,
    removed,
  }
}
