import { RULES } from '../rules/index.ts'
import { FAMILIES, type Rule } from '../rules/rule.ts'
import type { CheckOptions } from './api.ts'

export interface Selection {
  readonly rules: readonly Rule[]
  /** Rules that were selected by their own name: they repair what is only of note as well. */
  readonly named: ReadonlySet<string>
}

/** The rules that apply: all of them, or those selected, without those ignored. */
export function selectRules({ select, ignore }: Pick<CheckOptions, 'select' | 'ignore'>): Selection {
  const families = new Set<string>(FAMILIES)
  const named = new Set(select?.filter((name) => !families.has(name)))
  return { rules: RULES.filter((rule) => isAmong(rule, select, ignore)), named }
}

/** Whether a rule may be repaired at all. */
export function mayRepair(rule: Rule, { fixable, unfixable }: CheckOptions): boolean {
  return (!fixable && !unfixable) || isAmong(rule, fixable, unfixable)
}

/** Whether a rule is taken by a list of names and families (all, where there is none) and not left out by another. A rule's own name outdoes its family's. */
function isAmong(rule: Rule, taken: readonly string[] | undefined, leftOut: readonly string[] = []): boolean {
  if (leftOut.includes(rule.name)) return false
  if (!taken) return !leftOut.includes(rule.family)
  if (taken.includes(rule.name)) return true
  return taken.includes(rule.family) && !leftOut.includes(rule.family)
}
