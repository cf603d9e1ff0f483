import type { CheckOptions, FixOptions } from './engine/api.ts'
import { checked } from './engine/run.ts'

export type { CheckOptions, FixOptions }
export { checked }
