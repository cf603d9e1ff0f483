import { concise } from './concise.ts'
import { html } from './html/index.ts'
import { json } from './json.ts'
import { pretty } from './pretty.ts'
import type { Reporter } from './reporter.ts'

/** All output formats by name. */
export const REPORTERS = { pretty, concise, json, html } satisfies Record<string, Reporter>

export type ReporterName = keyof typeof REPORTERS

/** Whether a reporter has this name. */
export function isReporterName(name: string): name is ReporterName {
  return Object.hasOwn(REPORTERS, name)
}
