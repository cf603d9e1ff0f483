import type { Finding } from '../model/finding.ts'
import { PHASES } from '../rules/rule.ts'
import type { RecordEdit } from '../text/records.ts'
import { atOnce, type Steps } from '../text/steps.ts'
import type { Path } from '../text/view.ts'
import { suppressed } from './anchors.ts'
import type { FixOptions } from './api.ts'
import { findingsOf } from './check.ts'
import { Origins } from './origins.ts'
import { detectAgain } from './read.ts'
import { isRecordOperation, recordEdits } from './record-operations.ts'
import { type Removal, removals } from './removed.ts'
import { selectRules } from './rules.ts'
import type { Transcript } from './transcript.ts'

/** Rounds that may pass without fewer repairs being left before it is said that they do not come to an end. */
const PATIENCE = 10

/** How often a finding may come back as it was, although its repair was made, before it is left to people. */
const MOST_RETURNS = 2

/** How often a list may come to look like one of another shape: each time it has lost a kind of block. */
const MOST_CHANGES = 3

/** A repair that was made, and what it took out. */
export interface Applied {
  readonly finding: Finding
  /** Line of the original file. */
  readonly line: number
  /** Where it stood in its record at first. */
  readonly path: Path
  readonly removed: readonly Removal[]
}

export interface Fixed {
  readonly applied: readonly Applied[]
  /** Rules whose repairs were still wanted when it was given up. */
  readonly unsettled: readonly string[]
}

/**
 * Repairs a transcript in memory, phase by phase, until nothing is left to repair. Each round makes all repairs of the
 * earliest phase that has any and that do not contradict each other, then puts the document together anew. `detect` says what another
 * run would take it for.
 */
export function fix(transcript: Transcript, options: FixOptions, detect = detectAgain): Fixed {
  return atOnce(fixing(transcript, options, detect))
}

/** The same in steps. What is left in the middle is half repaired, and only in memory. */
export function* fixing(transcript: Transcript, options: FixOptions, detect = detectAgain): Steps<Fixed> {
  const applied: Applied[] = []
  const unsettled = new Set<string>()
  const origins = new Origins(transcript.records)
  const returns = new Returns()
  if (transcript.bystander !== undefined) return { applied, unsettled: [] }
  yield* settleAll()
  // What another run would take the file for is what it has to be right as.
  for (let change = 0; change < MOST_CHANGES && transcript.records.changed && options.format === undefined; change++) {
    const format = detect(transcript)
    if (!format || format === transcript.of) break
    yield* transcript.become(format)
    yield* settleAll()
  }
  return { applied, unsettled: [...unsettled] }

  /** Round and round, until every phase has been looked at since the last repair; the one that made it has settled itself. */
  function* settleAll(): Steps<void> {
    let quiet = 0
    for (let turn = 0; quiet < PHASES.length && turn < PATIENCE * PHASES.length; turn++) {
      const before = applied.length
      yield* settle(PHASES[turn % PHASES.length]!)
      quiet = applied.length === before ? quiet + 1 : 1
    }
  }

  function* settle(phase: (typeof PHASES)[number]): Steps<void> {
    let fewest = Number.POSITIVE_INFINITY
    for (let patience = PATIENCE; ; ) {
      const found = yield* repairable(transcript, options, phase)
      const wanted = found.filter((finding) => !returns.isIdle(finding))
      for (const finding of found) if (returns.isIdle(finding)) unsettled.add(finding.rule)
      if (wanted.length < fewest) {
        fewest = wanted.length
        patience = PATIENCE
      } else patience--
      if (wanted.length === 0) return
      if (patience === 0) {
        for (const finding of wanted) unsettled.add(finding.rule)
        return
      }
      const done = yield* round(transcript, wanted, origins)
      // What is wanted still is what the format cannot write down.
      if (done.length === 0) return
      applied.push(...done)
      returns.take(found, done)
    }
  }
}

/** Tells findings whose repair changes something, but not what was found. */
class Returns {
  readonly #before = new Map<string, number>()
  readonly #returned = new Map<string, number>()

  /** Takes what was found in a round and what was repaired of it. */
  take(found: readonly Finding[], done: readonly Applied[]): void {
    const counts = new Map<string, number>()
    for (const finding of found) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1)
    for (const key of new Set(done.map(({ finding }) => keyOf(finding)))) {
      const count = counts.get(key)!
      // As many of them as before the last repair.
      if (count >= (this.#before.get(key) ?? Number.POSITIVE_INFINITY))
        this.#returned.set(key, (this.#returned.get(key) ?? 1) + 1)
      this.#before.set(key, count)
    }
  }

  isIdle(finding: Finding): boolean {
    return (this.#returned.get(keyOf(finding)) ?? 0) > MOST_RETURNS
  }
}

/** What a finding says, wherever it stands by now. */
const keyOf = ({ rule, message, ids, conversation }: Finding): string =>
  JSON.stringify([rule, message, ids, conversation?.label ?? ''])

/** The findings of a phase that these options repair. */
function* repairable(transcript: Transcript, options: FixOptions, phase: string): Steps<Finding[]> {
  const { rules, named } = selectRules(options)
  const wanted: Finding[] = []
  for (const rule of rules) {
    if (rule.phase !== phase || !rule.repair) continue
    const found = [...findingsOf(rule, transcript, options)]
    const known = suppressed(found, transcript, options.baseline)
    for (const finding of found) {
      if (isRepaired(finding, options, named) && !known.has(finding)) wanted.push(finding)
    }
    yield
  }
  return wanted
}

/** Whether `--fix` (or with `unsafe` also `--unsafe-fixes`) repairs a finding: what is only of note just where its rule was named. */
export function isRepaired(finding: Finding, options: FixOptions, named: ReadonlySet<string>): boolean {
  if (!finding.repair) return false
  if (finding.repair.safety === 'unsafe' && !options.unsafe) return false
  return finding.severity !== 'info' || named.has(finding.rule)
}

function* round(transcript: Transcript, wanted: readonly Finding[], origins: Origins): Steps<Applied[]> {
  const editor = transcript.of.editor(transcript)
  const edits: RecordEdit[] = []
  const touched = new Set<number>()
  const done: Applied[] = []
  for (const finding of wanted) {
    yield
    const { operations } = finding.repair!
    const own = operations.filter(isRecordOperation)
    if (own.some((operation) => touched.has(operation.record))) continue
    const rest = operations.filter((operation) => !isRecordOperation(operation))
    if (rest.length > 0 && !editor.apply(rest)) continue
    for (const operation of own) {
      touched.add(operation.record)
      edits.push(...recordEdits(operation, transcript))
    }
    const { at } = finding
    done.push({
      finding,
      // Of a line that is one record the place says no more.
      line: transcript.of.shape === 'document' ? origins.lineOf(at) : transcript.records.line(at.record),
      path: origins.pathOf(at.record, at.path ?? []) ?? at.path ?? [],
      removed: removals(finding.repair!, transcript, origins),
    })
  }
  if (done.length === 0) return done
  const all = [...editor.edits(), ...edits]
  origins.take(all)
  yield
  yield* transcript.retake(yield* transcript.records.commit(all))
  return done
}
