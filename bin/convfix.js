#!/usr/bin/env node
import { existsSync } from 'node:fs'
import * as modules from 'node:module'

// Node 22 and later keep what they compiled for the next start.
modules.enableCompileCache?.()

const entry = new URL('../dist/cli/main.js', import.meta.url)

if (existsSync(entry)) {
  const { main } = await import(entry.href)
  // Not process.exit: it would cut off what a pipe has not taken yet.
  process.exitCode = await main(process.argv.slice(2), process)
} else {
  process.stderr.write('convfix: error: not built yet: run `npm run build` first\n')
  process.exitCode = 2
}
