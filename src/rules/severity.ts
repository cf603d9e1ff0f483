import type { Conversation, Document } from '../model/document.ts'
import type { Severity } from '../model/finding.ts'
import type { Target } from '../targets/target.ts'
import type { Match, Rule } from './rule.ts'

/**
 * How much a fault matters. What the provider refuses is an error, what it takes to the user's harm a warning; what nobody
 * knows is an info, never more and never less. A match knows better where the place decides, and the format's own client may
 * be harder to please than the provider: the worse of the two counts. Undefined: it is no fault here.
 */
export function severityOf(
  rule: Rule,
  context: {
    readonly target: Target
    readonly document?: Pick<Document, 'harms'> | undefined
    readonly conversation?: Conversation | undefined
  },
  match?: Match,
): Severity | undefined {
  const severity = worse(
    match?.severity ?? judged(rule, context.target, match?.aspect),
    harmOf(rule, context.document, match),
  )
  // Nobody resumes the conversation of a subagent.
  return severity && context.conversation?.role === 'subagent' ? 'info' : severity
}

function judged(rule: Rule, { verdicts }: Target, aspect: string | undefined): Severity | undefined {
  const { verdict } = verdicts[`${rule.name}/${aspect}`] ?? verdicts[rule.name] ?? {}
  if (verdict === undefined) return rule.severity
  if (verdict === 'unknown') return 'info'
  return verdict === 'ok' ? undefined : verdict
}

/** What the format's client makes of the fault in this message. */
function harmOf(
  rule: Rule,
  document: Pick<Document, 'harms'> | undefined,
  match: Match | undefined,
): Severity | undefined {
  const harm = document?.harms?.[rule.name]
  if (!harm?.role) return harm?.severity
  const message = match?.message ?? (match && 'entries' in match.at ? match.at : undefined)
  return message?.role === harm.role ? harm.severity : undefined
}

const RANKS: readonly (Severity | undefined)[] = [undefined, 'info', 'warning', 'error']

const worse = (a: Severity | undefined, b: Severity | undefined): Severity | undefined =>
  RANKS[Math.max(RANKS.indexOf(a), RANKS.indexOf(b))]
