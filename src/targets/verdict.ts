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
  'media-too-large': unknown(NOT_REPORTED),
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

/** What is in a block, where nobody reported what an API does about it. */
export const CONTENT_UNKNOWN: Readonly<Record<string, Verdict>> = {
  'tool-arguments-not-json': unknown(NOT_REPORTED),
  'extra-field': unknown(NOT_REPORTED),
  'unknown-block': unknown(NOT_REPORTED),
  'tool-result-content': unknown(NOT_REPORTED),
  'cache-control': unknown(NOT_REPORTED),
}

const NO_ERROR_MARK = 'results of this API are not marked as errors, 2026-11-30'

/** The rule of failed results, where an API does not know of failing. */
export const UNMARKED_RESULTS: Readonly<Record<string, Verdict>> = {
  'error-result-with-media': takes(NO_ERROR_MARK),
}

const NO_ITEMS = 'the messages of this API are no items of Responses, 2026-11-30'

/** The rules of the items of Responses, where an API has messages. */
export const NO_RESPONSES_ITEMS: Readonly<Record<string, Verdict>> = {
  'invalid-item-id': takes(NO_ITEMS),
  'missing-field': takes(NO_ITEMS),
  'dangling-reasoning': takes(NO_ITEMS),
  'missing-reasoning': takes(NO_ITEMS),
  'reasoning-not-portable': takes(NO_ITEMS),
}

/** The rule of the signatures at the calls of Gemini, where an API has none. */
export const NO_THOUGHT_SIGNATURES: Readonly<Record<string, Verdict>> = {
  'missing-thought-signature': takes('the calls of this API have no thought signatures, 2026-11-30'),
}

/** The rule of the reasoning that DeepSeek wants back, where nobody asks for it. */
export const NO_REASONING_CONTENT: Readonly<Record<string, Verdict>> = {
  'missing-reasoning-content': takes('this API does not ask for reasoning in a field, 2026-11-30'),
}
