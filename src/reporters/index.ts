import { concise } from './concise.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { html } from './html/index.ts'
import { json } from './json.ts'
import { jsonl } from './jsonl.ts'
import { junit } from './junit.ts'
import { pretty } from './pretty.ts'
import type { Reporter } from './reporter.ts'
import { sarif } from './sarif.ts'

/** All output formats by name. */
export const REPORTERS = { pretty, concise, json, jsonl, github, gitlab, sarif, junit, html } satisfies Record<
  string,
  Reporter
>

export type ReporterName = keyof typeof REPORTERS

/** Whether a reporter has this name. */
export function isReporterName(name: string): name is ReporterName {
  return Object.hasOwn(REPORTERS, name)
}
