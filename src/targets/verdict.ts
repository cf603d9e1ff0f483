import type { Verdict } from './target.ts'

/** The provider refuses it. */
export const refuses = (source: string): Verdict => ({ verdict: 'error', source })

/** The provider takes it, to the user's harm. */
export const harms = (source: string): Verdict => ({ verdict: 'warning', source })

/** The provider takes it. Says so only where somebody has seen it; the absence of a report is no proof. */
export const takes = (source: string): Verdict => ({ verdict: 'ok', source })

/** Nobody knows, or the sources contradict each other. */
export const unknown = (source: string): Verdict => ({ verdict: 'unknown', source })

const NOT_REPORTED = 'which error the provider answers is not established, 2026-11-30'

/** The rules of images and documents, where nobody reported what an API does about them. */
export const MEDIA_UNKNOWN: Readonly<Record<string, Verdict>> = {
  'media-dimensions': unknown(NOT_REPORTED),
  'media-type-mismatch': unknown(NOT_REPORTED),
  'unsupported-media-type': unknown(NOT_REPORTED),
  'invalid-base64': unknown(NOT_REPORTED),
  'undecodable-media': unknown(NOT_REPORTED),
  'media-on-text-model': unknown(NOT_REPORTED),
  'pdf-pages': unknown(NOT_REPORTED),
  'request-too-large': unknown(NOT_REPORTED),
}

const NO_SIGNATURES = 'the messages of this API hold no thinking that is signed in this way, 2026-11-30'

/** The rules of signed thinking, where an API has none. */
export const UNSIGNED_THINKING: Readonly<Record<string, Verdict>> = {
  'missing-thinking-signature': takes(NO_SIGNATURES),
  'invalid-thinking-signature': takes(NO_SIGNATURES),
  'thinking-order': takes(NO_SIGNATURES),
  'thinking-last': takes(NO_SIGNATURES),
}
