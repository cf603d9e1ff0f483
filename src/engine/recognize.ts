import { RULES } from '../rules/index.ts'
import type { Rule } from '../rules/rule.ts'
import { ELSEWHERE, type Elsewhere } from './elsewhere.ts'
import { unbroken } from './mentions.ts'

/** What an error text is about: a fault that a rule finds, or one that no transcript is to blame for. */
export type Meaning =
  | { readonly kind: 'rule'; readonly rule: Rule; readonly phrase: string }
  | { readonly kind: 'elsewhere'; readonly elsewhere: Elsewhere; readonly phrase: string }

export interface Recognized {
  /** The best reading, and others that fit as well; none where the text is not known. */
  readonly meanings: readonly Meaning[]
  /** Names of the rules whose words come nearest, where nothing fits. */
  readonly nearest: readonly string[]
}

/** Share of a phrase's weight, or of a shorter text's own, that has to be there. */
const ENOUGH = 0.6
/** A reading that is nearly as good as the best one is told, too. */
const CLOSE = 0.97
const NEAR = 0.08

/**
 * Recognises the error text of a provider, whole or in part, whatever a client wrapped around it. What differs from case to case
 * (numbers, ids, names in places) does not count; pairs of neighbouring words do, rare ones more than frequent ones.
 */
export function recognize(text: string): Recognized {
  const read = recognizeAsIs(text)
  if (read.meanings.length > 0) return read
  // A terminal breaks lines wherever its edge is, in the middle of a word as well.
  const joined = unbroken(text)
  const again = joined === text ? read : recognizeAsIs(joined)
  return again.meanings.length > 0 ? again : read
}

function recognizeAsIs(text: string): Recognized {
  const pairs = pairsOf(text)
  // A phrase of one word is met anywhere.
  const asked = new Set([...pairs, ...wordsOf(text)])
  const weightOf = (pair: string): number => WEIGHTS.get(pair) ?? UNKNOWN
  const own = sum(pairs, weightOf)
  const scored = PHRASES.map(({ meaning, pairs: phrase, weight }) => {
    const shared = sum(
      [...phrase].filter((pair) => asked.has(pair)),
      weightOf,
    )
    // A part of a phrase is recognised by what is there of it; a single pair of words is no part.
    const isPart = own < weight && pairs.size > 2
    return { meaning, score: shared / (isPart ? Math.max(own, 1e-9) : weight), shared }
  }).sort((a, b) => b.score - a.score || b.shared - a.shared)
  const best = scored[0]
  if (best && best.score >= ENOUGH && best.shared > 0) {
    const good = scored.filter(({ score, shared }) => score >= best.score * CLOSE && shared >= best.shared * CLOSE)
    return { meanings: distinct(good.map(({ meaning }) => meaning)), nearest: [] }
  }
  const near = scored.filter(({ score }) => score >= NEAR).map(({ meaning }) => meaning)
  const rules = distinct(near).flatMap((meaning) => (meaning.kind === 'rule' ? [meaning.rule.name] : []))
  return { meanings: [], nearest: rules.slice(0, 3) }
}

interface Phrase {
  readonly meaning: Meaning
  readonly pairs: ReadonlySet<string>
  readonly weight: number
}

const MEANINGS: readonly Meaning[] = [
  ...RULES.flatMap((rule) => rule.errors.map(({ text }): Meaning => ({ kind: 'rule', rule, phrase: text }))),
  ...ELSEWHERE.flatMap((elsewhere) =>
    elsewhere.phrases.map((phrase): Meaning => ({ kind: 'elsewhere', elsewhere, phrase })),
  ),
]

const WEIGHTS = weigh(MEANINGS.map(({ phrase }) => pairsOf(phrase)))

/** A pair that no phrase has weighs as much as the rarest. */
const UNKNOWN = Math.log(1 + MEANINGS.length)

const PHRASES: readonly Phrase[] = MEANINGS.map((meaning) => {
  const pairs = pairsOf(meaning.phrase)
  return { meaning, pairs, weight: sum(pairs, (pair) => WEIGHTS.get(pair) ?? 0) }
})

/** Pairs that many phrases have say little. */
function weigh(all: readonly ReadonlySet<string>[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const pairs of all) for (const pair of pairs) counts.set(pair, (counts.get(pair) ?? 0) + 1)
  return new Map(Array.from(counts, ([pair, count]) => [pair, Math.log(1 + all.length / count)]))
}

/** The pairs of neighbouring words of a text; a text of one word is a pair by itself. */
function pairsOf(text: string): ReadonlySet<string> {
  const words = wordsOf(text)
  if (words.length === 1) return new Set(words)
  return new Set(words.slice(1).map((word, i) => `${words[i]} ${word}`))
}

/** Words in lower case, without what differs from case to case. */
function wordsOf(text: string): string[] {
  return text
    .replace(/\\[nrt"'\\]/g, ' ')
    .replace(/\b(?:toolu|srvtoolu|tooluse|call|fc|rs|msg|resp|req)_[\w-]*/gi, ' ')
    .replace(/\b(?:messages|message|input|contents|content|parts|tool_calls)(?:\.\d+|\.?\[\d+\])+/gi, ' ')
    .toLowerCase()
    .split(/[^a-z_]+/)
    .map((word) => word.replace(/^_+|_+$/g, ''))
    .filter((word) => word !== '')
}

function sum(pairs: Iterable<string>, weightOf: (pair: string) => number): number {
  let total = 0
  for (const pair of pairs) total += weightOf(pair)
  return total
}

function distinct(meanings: readonly Meaning[]): Meaning[] {
  const known = new Map<unknown, Meaning>()
  for (const meaning of meanings) {
    const key = meaning.kind === 'rule' ? meaning.rule : meaning.elsewhere
    if (!known.has(key)) known.set(key, meaning)
  }
  return [...known.values()]
}
