/** Checks the broken examples, repairs copies of them in a temporary folder, and checks those: `npm run examples`. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const examples = 'fixtures/examples'
const repaired = mkdtempSync(join(tmpdir(), 'convfix-examples-'))

for (const args of [
  ['check', '--exit-zero', examples],
  ['fix', '--out-dir', repaired, examples],
  ['check', repaired],
]) {
  console.log(`\n$ convfix ${args.join(' ')}\n`)
  const { status, error } = spawnSync(process.execPath, ['bin/convfix.js', ...args], { stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exitCode = 1
}
