import type { Document } from '../model/document.ts'
import type { Finding, Severity } from '../model/finding.ts'
import type { FileReport } from '../model/report.ts'
import type { Source } from '../text/source.ts'

/** What a check is told; everything has a default. */
export interface CheckOptions {
  /** Shown in reports. */
  readonly path?: string | undefined
  /** Transcript format by name; detected from the content when not given. */
  readonly format?: string | undefined
  /** Provider rules by name; the format's own when not given. */
  readonly target?: string | undefined
  readonly model?: string | undefined
  /** Most images and documents in one request; overrules target and model. */
  readonly maxMedia?: number | undefined
  /** Rules or families to apply, and those to leave out. */
  readonly select?: readonly string[] | undefined
  readonly ignore?: readonly string[] | undefined
  /** Rules or families whose findings may be repaired (all where not given), and those whose may not. */
  readonly fixable?: readonly string[] | undefined
  readonly unfixable?: readonly string[] | undefined
  /** Severities that somebody asked for, by rule or family; a rule's own outdoes its family's. */
  readonly severities?: Readonly<Record<string, Severity>> | undefined
  /** `strict`: warnings are errors. `resume`: only what blocks a resume is found. A severity that was asked for is left alone. */
  readonly preset?: 'recommended' | 'strict' | 'resume' | undefined
  /** Findings that are known of this file: how many of each anchor (see anchors.ts). They are reported as suppressed and not repaired. */
  readonly baseline?: ReadonlyMap<string, number> | undefined
  readonly orphanResults?: 'remove' | 'text' | undefined
  /** Why the file counts as live; undefined when it does not. */
  readonly live?: string | undefined
}

export interface FixOptions extends CheckOptions {
  /** Also make repairs that guess or that nothing demands. */
  readonly unsafe?: boolean | undefined
}

/** A checked document, its source still open so that places can be turned into positions. */
export interface Checked {
  readonly document: Document
  readonly findings: readonly Finding[]
  readonly report: FileReport
}

/** Bytes on their way in: what a reader is fed from a file, from memory or from standard input. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export interface Input {
  readonly source: Source
  readonly chunks: Chunks
}
