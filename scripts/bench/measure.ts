import { spawnSync } from 'node:child_process'

/** What one run of a process cost. */
export interface Cost {
  /** Seconds of processor time, user and system, of the process with all its threads and children. */
  readonly cpu: number
  /** Seconds on the wall. */
  readonly wall: number
  /** Peak of the resident memory, in MB; 0 for what is not Node. */
  readonly memory: number
}

interface Options {
  /** Exit codes that are no failure. */
  readonly expected?: readonly number[]
  /** Most files that the process may hold open. */
  readonly openFiles?: number
  /** What stands on standard input. */
  readonly input?: string
}

/** Tells the peak of the memory when the process ends: bash knows the time of a child only. */
const PROBE =
  'data:text/javascript,process.on("exit",()=>process.stderr.write("\\npeak "+process.resourceUsage().maxRSS+"\\n"))'

/**
 * Runs a command and reads off what it cost. Standard output is thrown away. The time is that which bash tells, so that it
 * is taken alike of programs in any language and holds the start and the end of the process.
 *
 * @throws Error where the command ends with another exit code than expected
 */
export function spend(command: string, args: readonly string[], options: Options = {}): Cost {
  const { expected = [0, 1], openFiles, input } = options
  const limit = openFiles === undefined ? '' : `ulimit -n ${openFiles}; `
  const script = `${limit}TIMEFORMAT='cost %U %S %R'; time "$@"`
  const child = spawnSync('bash', ['-c', script, 'bench', command, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, LC_ALL: 'C' },
    input: input ?? '',
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const cost = /cost ([\d.]+) ([\d.]+) ([\d.]+)\s*$/.exec(child.stderr)
  if (!cost || !expected.includes(child.status ?? -1))
    throw new Error(
      `${command} ${args.join(' ').slice(0, 300)} ended with ${child.status}: ${child.stderr.slice(-500)}`,
    )
  const [user, system, wall] = cost.slice(1).map(Number) as [number, number, number]
  return { cpu: user + system, wall, memory: Number(/^peak (\d+)$/m.exec(child.stderr)?.[1] ?? 0) / 1024 }
}

/** Runs Node, with the peak of its memory. */
export function spendNode(args: readonly string[], options: Options = {}): Cost {
  return spend(process.execPath, ['--import', PROBE, ...args], options)
}

/** Runs all sides in turn, so that a busy machine slows each of them, and answers with the median of each. */
export function inTurn<const Sides extends readonly (() => Cost)[]>(
  times: number,
  sides: Sides,
): { readonly [K in keyof Sides]: Cost } {
  const costs: Cost[][] = sides.map(() => [])
  for (let i = 0; i < times; i++) for (const [at, side] of sides.entries()) costs[at]!.push(side())
  const medians = costs.map((each) => ({
    cpu: median(each.map(({ cpu }) => cpu)),
    wall: median(each.map(({ wall }) => wall)),
    memory: median(each.map(({ memory }) => memory)),
  }))
  return medians as { [K in keyof Sides]: Cost }
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** Whether a program can be called by its name. */
export function isInstalled(program: string): boolean {
  return spawnSync('bash', ['-c', 'command -v "$1"', 'bench', program], { stdio: 'ignore' }).status === 0
}
