import { padEnd } from './layout.ts'
import type { Reporter } from './reporter.ts'

/** How often each rule found something, the most frequent first; `*` marks those that can be repaired. */
export const statistics: Reporter = ({ files }, { rules, paint }) => {
  const counts = new Map<string, { found: number; fixable: boolean }>()
  for (const { findings } of files) {
    for (const { rule, suppressed, fix } of findings) {
      if (suppressed) continue
      const known = counts.get(rule) ?? { found: 0, fixable: false }
      counts.set(rule, { found: known.found + 1, fixable: known.fixable || fix !== null })
    }
  }
  const rows = [...counts].sort(([a, x], [b, y]) => y.found - x.found || (a < b ? -1 : 1))
  const widest = Math.max(0, ...rows.map(([rule]) => rule.length))
  const digits = Math.max(0, ...rows.map(([, { found }]) => String(found).length))
  return rows
    .map(([rule, { found, fixable }]) => {
      const summary = rules.find(({ name }) => name === rule)?.summary ?? ''
      const count = String(found).padStart(digits)
      return `${count}  ${padEnd(rule, widest)}  ${fixable ? '[*]' : '   '}  ${paint.dim(summary)}`.trimEnd()
    })
    .map((line) => `${line}\n`)
    .join('')
}
