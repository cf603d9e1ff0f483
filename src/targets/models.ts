import type { Target } from './target.ts'

/** Models that their makers have named, by series; the names are for suggestions. */
const SERIES: readonly { readonly maker: string; readonly model: RegExp; readonly names: readonly string[] }[] = [
  {
    maker: 'claude',
    model: /claude-(?:(?:\d[\d.-]*-)?(?:opus|sonnet|haiku|instant|fable|mythos)(?![a-z])|v?[12](?![a-z]))/,
    names: [
      ...['opus-4-1', 'opus-4-5', 'opus-4-6', 'opus-4-8', 'opus-5', 'sonnet-4-5', 'sonnet-4-6', 'sonnet-5'],
      ...['haiku-4-5', 'fable-5', 'mythos-5', '3-5-sonnet', '3-7-sonnet', '3-5-haiku', '3-opus'],
    ].map((name) => `claude-${name}`),
  },
  {
    maker: 'gemini',
    model: /gemini-(?:\d|pro|flash|exp)/,
    names: ['2.0-flash', '2.5-flash', '2.5-pro', '3-pro-preview', '3-flash-preview'].map((name) => `gemini-${name}`),
  },
  {
    maker: 'deepseek',
    model: /deepseek-(?:chat|reasoner|coder|[vr]\d)/,
    names: ['chat', 'reasoner', 'coder', 'v3', 'r1'].map((name) => `deepseek-${name}`),
  },
]

/** What is known of a model under a target; `names` are those that may have been meant. */
export type Known = { readonly is: 'any' | 'known' } | { readonly is: 'unknown'; readonly names: readonly string[] }

/** Whether a target's limits depend on the model at all, and if they do, whether they know this one. */
export function knownModel(target: Target, model: string): Known {
  const patterns = patternsOf(target)
  if (patterns.length === 0) return { is: 'any' }
  const series = SERIES.filter(({ maker }) => patterns.some(({ source }) => source.includes(maker)))
  // One that speaks for several makers takes the strictest of all, whatever the model.
  if (series.length > 1) return { is: 'known' }
  const isKnown = [...patterns, ...series.map((each) => each.model)].some((pattern) => pattern.test(model))
  return isKnown ? { is: 'known' } : { is: 'unknown', names: series.flatMap(({ names }) => names) }
}

/** The models that a pattern means, by name where it means any that are known. */
export function modelsLike(pattern: RegExp): string {
  const names = SERIES.flatMap((series) => series.names).filter((name) => pattern.test(name))
  return names.length > 0 ? `models like ${names.join(', ')}` : `models like ${pattern.source}`
}

/** What a target tells models apart by. */
function patternsOf({ media, pdfPages, systemPlaces, refusesPrefill, thoughtSignatures, textOnly }: Target): RegExp[] {
  const entries = [media, pdfPages ?? [], systemPlaces ?? [], [refusesPrefill, thoughtSignatures, textOnly]].flat()
  return entries.flatMap((entry) => (entry && entry.model.source !== '(?:)' ? [entry.model] : []))
}
