import type { Bench } from './bench.ts'
import { COST } from './cost.ts'
import { GROWTH } from './growth.ts'
import { PEERS } from './peers.ts'
import { TOOLS } from './tools.ts'

export const BENCHES: readonly Bench[] = [...COST, ...TOOLS, ...GROWTH, ...PEERS]
