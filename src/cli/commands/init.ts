import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigFinder } from '../../config/find.ts'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { write } from '../io.ts'
import { toShow } from '../paths.ts'

const NAME = 'convfix.config.jsonc'

/** What `convfix init` writes: all that can be said, nothing that changes anything. */
export const SAMPLE = `{
  "$schema": "./node_modules/convfix/docs/schema/config.schema.json",

  // recommended: all rules, as the provider judges; strict: warnings are errors; resume: only what blocks a resume
  "preset": "recommended",

  // Left out where folders are walked or patterns are expanded; a file that is named is always checked.
  "ignores": [],

  // "target": "anthropic",
  // "model": "claude-sonnet-5",
  // "limits": { "maxMedia": 100 },

  // Rules or families that do not apply; \`convfix rules\` lists them.
  "rules": {
    // "blank-text": "off"
  },

  // How much a finding matters: error, warning or info.
  "severity": {
    // "lost-branch": "warning"
  },

  // The last one whose patterns fit wins.
  "overrides": [
    // { "files": ["fixtures/**/*.json"], "format": "openai-chat", "rules": { "media": "off" } }
  ]
}
`

/** `convfix init`: writes a configuration that says what can be said. One that is there is never overwritten. */
export async function init({ io }: Context): Promise<number> {
  const cwd = io.cwd()
  const path = join(cwd, NAME)
  const there = new ConfigFinder(cwd).find(cwd)
  if (there !== undefined) throw new UsageError(`there is a configuration already: ${toShow(there, '', cwd)}`)
  await writeFile(path, SAMPLE, { flag: 'wx' })
  await write(io.stdout, `wrote ${NAME}\n`)
  return 0
}
