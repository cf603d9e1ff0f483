import type { Verdict } from './target.ts'

/** The provider refuses it. */
export const refuses = (source: string): Verdict => ({ verdict: 'error', source })

/** The provider takes it, to the user's harm. */
export const harms = (source: string): Verdict => ({ verdict: 'warning', source })

/** The provider takes it. Says so only where somebody has seen it; the absence of a report is no proof. */
export const takes = (source: string): Verdict => ({ verdict: 'ok', source })

/** Nobody knows, or the sources contradict each other. */
export const unknown = (source: string): Verdict => ({ verdict: 'unknown', source })

const NO_SIGNATURES = 'the messages of this API hold no thinking that is signed in this way, 2026-11-30'

/** The rules of signed thinking, where an API has none. */
export const UNSIGNED_THINKING: Readonly<Record<string, Verdict>> = {
  'missing-thinking-signature': takes(NO_SIGNATURES),
  'invalid-thinking-signature': takes(NO_SIGNATURES),
  'thinking-order': takes(NO_SIGNATURES),
  'thinking-last': takes(NO_SIGNATURES),
}
