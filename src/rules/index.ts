import { FILE_RULES } from './file/index.ts'
import type { Rule } from './rule.ts'

/** Every rule, in the order of its family and of the work. */
export const RULES: readonly Rule[] = [...FILE_RULES]
