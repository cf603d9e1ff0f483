import type { Conversation } from '../model/document.ts'
import type { Severity } from '../model/finding.ts'
import type { Target } from '../targets/target.ts'
import type { Match, Rule } from './rule.ts'

/**
 * How much a fault matters. What the provider refuses is an error, what it takes to the user's harm a warning; what nobody
 * knows is an info, never more and never less. A match knows better where the place decides. Undefined: it is no fault here.
 */
export function severityOf(
  rule: Rule,
  context: { readonly target: Target; readonly conversation?: Conversation | undefined },
  match?: Match,
): Severity | undefined {
  const severity = match?.severity ?? judged(rule, context.target)
  // Nobody resumes the conversation of a subagent.
  return severity && context.conversation?.role === 'subagent' ? 'info' : severity
}

function judged(rule: Rule, target: Target): Severity | undefined {
  const verdict = target.verdicts[rule.name]?.verdict
  if (verdict === undefined) return rule.severity
  if (verdict === 'unknown') return 'info'
  return verdict === 'ok' ? undefined : verdict
}
