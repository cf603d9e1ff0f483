import type fc from 'fast-check'

/** How often a law is tried. CONVFIX_LAW_RUNS multiplies it, and takes another seed each time; without it the runs are the same always. */
export function params<T>(runs: number): fc.Parameters<T> {
  const times = Number(process.env.CONVFIX_LAW_RUNS)
  return times > 0 ? { numRuns: Math.ceil(runs * times) } : { numRuns: runs, seed: 20_261_130 }
}
