import type { SystemPlace } from './target.ts'

/** Where Claude takes system messages in the list: Opus 4.8 and later, Fable 5 and Mythos 5 between a prompt and its answer, others nowhere. */
export const SYSTEM_PLACES: readonly { readonly model: RegExp; readonly places: readonly SystemPlace[] }[] = [
  { model: /claude-(?:opus-(?:4[-.][89]|[5-9])(?!\d)|fable-5|mythos-5)/, places: ['before-answer'] },
  { model: /(?:)/, places: [] },
]

/** Models of Claude that do not go on from a message of the assistant: 4.6 and later. */
export const REFUSES_PREFILL =
  /claude-(?:(?:opus|sonnet|haiku)-(?:4[-.](?:[6-9]|[1-9]\d)|[5-9]|[1-9]\d)(?!\d)|fable|mythos)/
