import { RULES } from '../rules/index.ts'
import { FAMILIES, type Rule } from '../rules/rule.ts'
import type { CheckOptions } from './api.ts'

export interface Selection {
  readonly rules: readonly Rule[]
  /** Rules that were selected by their own name: they repair what is only of note as well. */
  readonly named: ReadonlySet<string>
}

/** The rules that apply: all of them, or those selected, without those ignored. A rule's own name outdoes its family's. */
export function selectRules(options: Pick<CheckOptions, 'select' | 'ignore'>): Selection {
  const { select, ignore = [] } = options
  const families = new Set<string>(FAMILIES)
  const named = new Set(select?.filter((name) => !families.has(name)))
  const isIn = (rule: Rule): boolean => {
    if (ignore.includes(rule.name)) return false
    if (!select) return !ignore.includes(rule.family)
    if (select.includes(rule.name)) return true
    return select.includes(rule.family) && !ignore.includes(rule.family)
  }
  return { rules: RULES.filter(isIn), named }
}
