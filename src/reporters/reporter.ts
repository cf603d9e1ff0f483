import type { Severity } from '../model/finding.ts'
import type { RunReport } from '../model/report.ts'

type Style = (text: string) => string

/** The colours that a report may use. */
export interface Paint {
  readonly bold: Style
  readonly dim: Style
  readonly underline: Style
  readonly red: Style
  readonly yellow: Style
  readonly green: Style
  readonly cyan: Style
}

const same: Style = (text) => text

/** No colours. */
export const UNPAINTED: Paint = {
  bold: same,
  dim: same,
  underline: same,
  red: same,
  yellow: same,
  green: same,
  cyan: same,
}

/** Makes a text lead to an address, where that can be shown. */
export type Link = (text: string, uri: string) => string

/** No links. */
export const UNLINKED: Link = (text) => text

/** A text that a terminal opens an address for (OSC 8). Takes as many columns as the text alone. */
export const terminalLink: Link = (text, uri) => `\u001b]8;;${uri}\u0007${text}\u001b]8;;\u0007`

/** What a report tells of a rule. */
export interface RuleFacts {
  readonly name: string
  readonly family: string
  readonly severity: Severity
  readonly summary: string
  readonly finds: string
  readonly repair: string
  readonly helpUri: string
}

/** How a report is shown; what is in it was decided before. */
export interface ReporterOptions {
  readonly paint: Paint
  readonly link: Link
  /** Columns to fill. */
  readonly width: number
  /** Whether characters outside ASCII can be shown. */
  readonly unicode: boolean
  /** Whether a run without a problem is to be passed over in silence. */
  readonly quiet: boolean
  /** Whether files without a problem are listed too. */
  readonly showFiles: boolean
  /** Whether the turns around a fault are shown. */
  readonly excerpts: boolean
  /** Most findings of one rule in one file that are shown to people. */
  readonly perRule: number
  /** The command that repairs what was found. */
  readonly fixCommand: string
  /** The rules that were asked, for reports that describe them. */
  readonly rules: readonly RuleFacts[]
  /** Whether repairs that guess are counted in. */
  readonly unsafeFixes: boolean
}

/** Turns a report into text that ends with a line break, or into nothing. */
export type Reporter = (report: RunReport, options: ReporterOptions) => string
