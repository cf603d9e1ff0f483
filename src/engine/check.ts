import { Block } from '../model/blocks.ts'
import type { Conversation, Document, Message } from '../model/document.ts'
import { factsOf } from '../model/facts.ts'
import type { Finding, Place, Severity } from '../model/finding.ts'
import type { Context, Match, Options, Rule } from '../rules/rule.ts'
import { severityOf } from '../rules/severity.ts'
import { targetNamed } from '../targets/index.ts'
import type { Target } from '../targets/target.ts'
import { atOnce, type Steps } from '../text/steps.ts'
import type { CheckOptions } from './api.ts'
import { refused } from './offers.ts'
import { mayRepair, selectRules } from './rules.ts'
import type { Transcript } from './transcript.ts'

/** Everything that the selected rules find in a document, in the order of the file. */
export function findings(transcript: Transcript, options: CheckOptions): Finding[] {
  return atOnce(finding(transcript, options))
}

/** The same in steps. */
export function* finding(transcript: Transcript, options: CheckOptions): Steps<Finding[]> {
  const found: Finding[] = []
  for (const rule of selectRules(options).rules) {
    if (!mayFind(rule, transcript)) continue
    for (const each of findingsOf(rule, transcript, options)) {
      found.push(each)
      yield
    }
    yield
  }
  const impossible = refused(found, transcript, transcript.of)
  const offered = found.map((finding) => (impossible.has(finding) ? { ...finding, repair: undefined } : finding))
  return inOrder(offered, transcript)
}

/** Whether a conversation holds what the rule is about at all. */
function mayFind(rule: Rule, { conversations }: Document): boolean {
  if (rule.scope === 'document' || !rule.needs) return true
  return conversations.some((conversation) => rule.needs!(factsOf(conversation)))
}

/** What one rule finds in a document. */
export function* findingsOf(rule: Rule, document: Document, options: CheckOptions): Generator<Finding> {
  const target = targetOf(document)
  const shared = { document, target, options: ruleOptions(options) }
  if (rule.scope === 'document') {
    for (const match of rule.detect(document, shared)) {
      const finding = toFinding(
        rule,
        match,
        { ...shared, conversation: document.conversations[0] ?? NOBODY },
        undefined,
        options,
      )
      if (finding) yield finding
    }
    return
  }
  for (const conversation of document.conversations) {
    if (rule.needs && !rule.needs(factsOf(conversation))) continue
    const context = { ...shared, conversation }
    for (const match of rule.detect(conversation, context)) {
      const finding = toFinding(rule, match, context, conversation, options)
      if (finding) yield finding
    }
  }
}

/** The provider rules that a document is judged by. */
export function targetOf({ target }: Document): Target {
  const found = targetNamed(target)
  if (!found) throw new RangeError(`there is no target ${target}`)
  return found
}

const NOBODY: Conversation = { label: '', role: 'main', root: 'messages', messages: [] }

function ruleOptions(options: CheckOptions): Options {
  return {
    orphanResults: options.orphanResults ?? 'remove',
    maxMedia: options.maxMedia,
    live: options.live !== undefined,
  }
}

function toFinding(
  rule: Rule,
  match: Match,
  context: Context,
  conversation: Conversation | undefined,
  options: CheckOptions,
): Finding | undefined {
  const { target, document } = context
  const judged = severityOf(rule, { target, document, conversation }, match)
  const severity = judged && wanted(rule, judged, conversation, options)
  if (!severity) return undefined
  const message = match.message ?? (isMessage(match.at) ? match.at : undefined)
  return {
    rule: rule.name,
    family: rule.family,
    severity,
    message: rule.words(match, context),
    at: placeOf(match.at),
    related: (match.related ?? []).map((each) => ({ at: placeOf(each.at), message: each.message })),
    ids: match.ids ?? [],
    conversation,
    where: message && { message, block: match.at instanceof Block ? match.at : undefined },
    providerError: providerError(rule, target, match.aspect),
    repair: mayRepair(rule, options) ? rule.repair?.(match, context) : undefined,
  }
}

/** The severity that the user wants of what was judged; undefined where it is not to be reported. */
function wanted(
  rule: Rule,
  judged: Severity,
  conversation: Conversation | undefined,
  { severities, preset }: CheckOptions,
): Severity | undefined {
  const asked = severities?.[rule.name] ?? severities?.[rule.family]
  // Nobody resumes the conversation of a subagent, whatever was asked.
  if (asked !== undefined) return conversation?.role === 'subagent' ? 'info' : asked
  if (preset === 'resume') return judged === 'error' ? judged : undefined
  return preset === 'strict' && judged === 'warning' ? 'error' : judged
}

function providerError(rule: Rule, target: Target, aspect: string | undefined): string | undefined {
  const ofAspect = rule.errors.filter((each) => each.aspect === aspect)
  const errors = ofAspect.length > 0 ? ofAspect : rule.errors.filter((each) => each.aspect === undefined)
  return (errors.find((each) => each.target === target.name) ?? errors.find((each) => each.target === undefined))?.text
}

function isMessage(at: Match['at']): at is Message {
  return 'entries' in at
}

/** The place of a block, of a message, or the place itself. */
export function placeOf(at: Match['at']): Place {
  if (at instanceof Block) return { record: at.entry.record, path: at.path }
  if (isMessage(at)) {
    const [entry] = at.entries
    return { record: entry!.record, path: entry!.path }
  }
  return at
}

/** Sorted by place; what stands at one place stays in the order of the rules. */
function inOrder(found: Finding[], document: Document): Finding[] {
  const order = document.records.order()
  const position = new Map<number, number>()
  if (found.length > 1) for (let i = 0; i < order.length; i++) position.set(order[i]!, i)
  const rank = (finding: Finding): number => position.get(finding.at.record) ?? -1
  return found
    .map((finding, i) => ({ finding, i }))
    .sort((a, b) => rank(a.finding) - rank(b.finding) || comparePaths(a.finding.at, b.finding.at) || a.i - b.i)
    .map(({ finding }) => finding)
}

function comparePaths(a: Place, b: Place): number {
  const x = a.path ?? []
  const y = b.path ?? []
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const p = x[i]!
    const q = y[i]!
    if (typeof p === 'number' && typeof q === 'number' && p !== q) return p - q
    if (p !== q) return 0
  }
  return x.length - y.length
}
