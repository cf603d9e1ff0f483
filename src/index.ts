import type { CheckOptions, FixOptions } from './engine/api.ts'
import { findings } from './engine/check.ts'
import { textOf } from './engine/diff.ts'
import { fix as repair } from './engine/fix.ts'
import { Locator } from './engine/locate.ts'
import { fixMessages, readMessages } from './engine/normalize.ts'
import { TranscriptReader } from './engine/read.ts'
import { reportFix } from './engine/repair.ts'
import type { Transcript } from './engine/transcript.ts'
import type { ReportedFinding, ReportedFix } from './model/report.ts'
import { MemorySource } from './text/source.ts'

export type { CheckOptions, FixOptions } from './engine/api.ts'
export type { Loss, Safety, Severity } from './model/finding.ts'
export type { ReportedFinding as Finding, ReportedFix as AppliedFix } from './model/report.ts'

/** A transcript: its bytes or text as they stand in a file, or the messages themselves. */
export type Input = Uint8Array | string | readonly unknown[]

export interface CheckResult {
  /** Name of the transcript format; null when the input is none that is known. */
  readonly format: string | null
  /** Name of the provider rules it was judged by. */
  readonly target: string
  readonly findings: readonly ReportedFinding[]
}

export interface FixResult<T = unknown> {
  /** The repaired transcript in the form of the input: bytes for bytes, text for text, messages for messages. */
  readonly output: T
  readonly applied: readonly ReportedFix[]
  /** What is left. */
  readonly findings: readonly ReportedFinding[]
}

/**
 * Finds what is wrong with a transcript. Nothing is written, and no input makes it throw; only an unknown format, target
 * or rule in the options does (RangeError).
 */
export function check(input: Input, options: CheckOptions = {}): CheckResult {
  const { transcript, source } = read(input, options)
  return {
    format: transcript.format === 'unknown' ? null : transcript.format,
    target: transcript.target,
    findings: report(transcript, source, options),
  }
}

/**
 * Repairs a transcript. The input is not touched; every part of the output that no repair touched is as it was, byte for
 * byte, or for messages the very same object.
 */
export function fix(input: Uint8Array, options?: FixOptions): FixResult<Uint8Array>
export function fix(input: string, options?: FixOptions): FixResult<string>
export function fix<M>(input: readonly M[], options?: FixOptions): FixResult<M[]>
export function fix(input: Input, options: FixOptions = {}): FixResult {
  if (Array.isArray(input)) {
    const { transcript, messages, applied } = fixMessages(input, options)
    return { output: messages, applied: applied.map(reportFix), findings: report(transcript, undefined, options) }
  }
  const { transcript, source } = read(input, options)
  const { applied } = repair(transcript, options)
  const bytes = Buffer.concat(Array.from(textOf(transcript.text!, source!)))
  const output = typeof input === 'string' ? bytes.toString('utf8') : new Uint8Array(bytes)
  return { output, applied: applied.map(reportFix), findings: check(output, options).findings }
}

export interface NormalizeOptions extends Omit<FixOptions, 'path' | 'live'> {}

/**
 * Unchecked messages in, valid messages out: for the end of every pipeline that touches a history, before it is sent.
 * A pure function: the input is not touched, untouched messages are the same objects, and the same input gives the same
 * output. Consecutive messages of the user are folded whatever the target.
 */
export function normalizeMessages<M>(
  messages: readonly M[],
  options: NormalizeOptions = {},
): { readonly messages: M[]; readonly applied: readonly ReportedFix[] } {
  const { messages: repaired, applied } = fixMessages(messages, options)
  return { messages: repaired as M[], applied: applied.map(reportFix) }
}

function read(input: Input, options: CheckOptions): { transcript: Transcript; source: MemorySource | undefined } {
  if (typeof input !== 'string' && !(input instanceof Uint8Array))
    return { transcript: readMessages(input, options), source: undefined }
  const bytes = typeof input === 'string' ? Buffer.from(input, 'utf8') : input
  const reader = new TranscriptReader(options)
  const source = new MemorySource(bytes)
  reader.push(bytes)
  return { transcript: reader.end(source), source }
}

function report(transcript: Transcript, source: MemorySource | undefined, options: CheckOptions): ReportedFinding[] {
  const locator = new Locator(transcript, source)
  return findings(transcript, options).map((finding) => locator.report(finding))
}
