import type { Loss, Safety, Severity } from './finding.ts'
import type { Timeline, TurnPlace } from './timeline.ts'

/** A place as people and machines are told of it. */
export interface Position {
  /** Physical line, 1-based. */
  readonly line: number
  /** UTF-16 units from the start of the line, 1-based. */
  readonly column: number
}

/** One line of a conversation frame: a turn near the fault, in a few words. */
export interface FrameLine {
  readonly line: number
  readonly role: string
  /** Short descriptions of the message's blocks: `"run the tests"`, `call Bash toolu_01Ab`. Control characters are gone. */
  readonly blocks: readonly string[]
  readonly mark: 'fault' | 'related' | undefined
  /** Said behind a marked line. */
  readonly note?: string | undefined
}

/** A finding as it is reported; its field names are those of the JSON report. */
export interface ReportedFinding {
  readonly rule: string
  readonly family: string
  readonly severity: Severity
  readonly message: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  /** Byte in the file. */
  readonly offset: number
  /** Counts records, 1-based. */
  readonly record: number
  /** JSON Pointer inside the record (or document). */
  readonly pointer: string
  /** Label of the conversation; null for faults of the file. */
  readonly conversation: string | null
  /** The place as the API counts it; not exact where the client adds messages of its own. */
  readonly api: { readonly path: string; readonly exact: boolean } | null
  readonly ids: readonly string[]
  readonly related: readonly {
    readonly line: number
    readonly column: number
    readonly pointer: string
    readonly message: string
  }[]
  readonly providerError: string | null
  readonly heals: string | null
  readonly fix: { readonly safety: Safety; readonly title: string; readonly loses: readonly Loss[] } | null
  /** Known from a baseline: it counts for nothing and is not repaired. */
  readonly suppressed: boolean
  /** What the finding hangs on, without line numbers, so that a baseline finds it again in a grown file; not part of the JSON report. */
  readonly anchor?: string | undefined
  readonly helpUri: string
  /** For the pretty report only; not part of the JSON report. */
  readonly frame: readonly FrameLine[]
  /** Where it stands in the file's timeline, where one was asked for; not part of the JSON report. */
  readonly turn?: TurnPlace | undefined
}

/** A repair that was made (or would be, in a dry run); positions are those before it. */
export interface ReportedFix {
  readonly rule: string
  readonly family: string
  readonly line: number
  readonly record: number
  readonly pointer: string
  readonly safety: Safety
  readonly title: string
  readonly removed: readonly {
    readonly kind: Loss
    readonly bytes: number
    readonly sha256: string
    readonly excerpt: string
  }[]
}

export interface FileReport {
  readonly path: string
  /** Name of the format; null when the file is none that is known. */
  readonly format: string | null
  readonly formatTitle: string | null
  readonly target: string | null
  readonly model: string | null
  readonly records: number
  /** Why the file counts as being written by its agent right now; null when it does not. */
  readonly live: string | null
  readonly findings: readonly ReportedFinding[]
  readonly fixed: readonly ReportedFix[]
  /** Rules whose repairs did not come to an end. */
  readonly unsettled: readonly string[]
  readonly changed: boolean
  readonly backup: string | null
  /** Where the repaired text went when it did not replace the file. */
  readonly output: string | null
  readonly skipped: string | null
  readonly error: string | null
  /** The client's own command that resumes the session. */
  readonly resume: string | null
  /** Unified diff of the records, with --diff. */
  readonly diff?: string | undefined
  /** The conversations, for a report that shows them; not part of the JSON report, and none of a file without a finding. */
  readonly timeline?: Timeline | undefined
}

export interface Summary {
  readonly files: number
  readonly records: number
  readonly errors: number
  readonly warnings: number
  readonly infos: number
  readonly suppressed: number
  readonly fixable: number
  readonly fixableUnsafe: number
  readonly fixed: number
  readonly unreadable: number
  readonly exitCode: number
  readonly durationMs: number
}

export interface RunReport {
  readonly version: 1
  readonly tool: { readonly name: 'convfix'; readonly version: string }
  readonly mode: 'check' | 'fix' | 'dry-run'
  readonly files: readonly FileReport[]
  readonly summary: Summary
}
