import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bench, milliseconds, type Row } from './bench.ts'
import { REPAIRERS, type Repairer } from './peers/functions.ts'
import type { Counted, Timed } from './peers/run.ts'

/** Packages stay here for the next call. */
const INSTALLED = join(tmpdir(), 'convfix-bench-peers')

/** Seconds after which a repair is given up. */
const PATIENCE = 120

/** A folder with the packages of a function. Their scripts are not run. */
function install({ packages }: Repairer): { folder: string; problem?: string } {
  const [first] = packages
  if (first === undefined) return { folder: INSTALLED }
  const folder = join(INSTALLED, first.replaceAll('/', '-'))
  const done = join(folder, 'installed')
  if (existsSync(done)) return { folder }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  const options = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = spawnSync('npm', ['install', ...options, ...packages], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 600_000,
  })
  if (npm.status !== 0) return { folder, problem: `not installed: ${firstLine(npm.stderr)}` }
  writeFileSync(done, '')
  return { folder }
}

function run<T>(name: string, folder: string, ...what: string[]): T | string {
  const script = join(import.meta.dirname, 'peers', 'run.ts')
  const child = spawnSync(process.execPath, ['--import', 'tsx', script, name, folder, ...what], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: PATIENCE * 1000,
  })
  const told = /^result (.*)$/m.exec(child.stdout)?.[1]
  if (told !== undefined) return JSON.parse(told) as T
  if (child.signal) return `over ${PATIENCE} s`
  return `not called: ${firstLine(/^\w*Error.*$/m.exec(child.stderr)?.[0] ?? child.stderr)}`
}

const firstLine = (text: string): string => (text.trim().split('\n')[0] ?? '').slice(0, 80)

const peers: Bench = {
  name: 'peers',
  table: 'peers',
  about: 'repair functions of other products on the same damaged conversations; installs them from npm',
  run() {
    return REPAIRERS.map((repairer): Row => {
      const { name, provider, packages } = repairer
      const version = packages[0]?.replace(/^.*@/, '')
      const called = version ? `${name} ${version}` : name
      const { folder, problem } = install(repairer)
      if (problem !== undefined) return [called, provider, problem, '', '', '', '', '']
      const counted = run<Counted>(name, folder, 'count')
      if (typeof counted === 'string') return [called, provider, counted, '', '', '', '', '']
      const time = (messages: number): string => {
        const timed = run<Timed>(name, folder, 'time', String(messages))
        return typeof timed === 'string' ? timed : milliseconds(timed.cpu)
      }
      return [
        called,
        provider,
        String(counted.before),
        `${counted.valid} of ${counted.conversations}`,
        String(counted.lost),
        String(counted.changed),
        time(30_000),
        time(123_000),
      ]
    })
  },
}

export const PEERS: readonly Bench[] = [peers]
