import { spawnSync } from 'node:child_process'

/** What one run of a process cost. */
export interface Cost {
  /** Seconds of processor time, user and system. */
  readonly cpu: number
  /** Seconds on the wall. */
  readonly wall: number
  /** Peak of the resident memory, in MB. */
  readonly memory: number
}

/** Runs Node with arguments and reads off what it cost; a child prints it when it ends. */
export function run(args: readonly string[], expected: readonly number[] = [0, 1]): Cost {
  const probe =
    'data:text/javascript,process.on("exit",()=>{const u=process.resourceUsage();process.stderr.write("\\ncost "+JSON.stringify({cpu:(u.userCPUTime+u.systemCPUTime)/1e6,memory:u.maxRSS/1024})+"\\n")})'
  const started = process.hrtime.bigint()
  const child = spawnSync(process.execPath, ['--import', probe, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 })
  const wall = Number(process.hrtime.bigint() - started) / 1e9
  const cost = /cost (\{.*\})/.exec(child.stderr)
  if (!cost || !expected.includes(child.status ?? -1))
    throw new Error(`${args.join(' ')} ended with ${child.status}: ${child.stderr.slice(0, 500)}`)
  return { ...(JSON.parse(cost[1]!) as { cpu: number; memory: number }), wall }
}

/** Runs both sides in turn, so that a busy machine slows both, and answers with the median of each. */
export function inTurn(times: number, sides: readonly (() => Cost)[]): Cost[] {
  const costs: Cost[][] = sides.map(() => [])
  for (let i = 0; i < times; i++) for (const [at, side] of sides.entries()) costs[at]!.push(side())
  return costs.map((each) => ({
    cpu: median(each.map(({ cpu }) => cpu)),
    wall: median(each.map(({ wall }) => wall)),
    memory: median(each.map(({ memory }) => memory)),
  }))
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
