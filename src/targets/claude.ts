import type { Models, NameRule, Target } from './target.ts'

const CREATE = 'https://platform.claude.com/docs/en/api/messages/create, read 2026-08-22'
const ERRORS = 'https://platform.claude.com/docs/en/api/errors#common-validation-errors, read 2026-08-22'
const TOOLS = 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools, read 2026-08-22'

/** Where Claude takes system messages in the list: Opus 4.8 and later, Fable 5 and Mythos 5 between a prompt and its answer, others nowhere. */
export const SYSTEM_PLACES: NonNullable<Target['systemPlaces']> = [
  { model: /claude-(?:opus-(?:4[-.][89]|[5-9])(?!\d)|fable-5|mythos-5)/, places: ['before-answer'], source: CREATE },
  { model: /(?:)/, places: [], source: CREATE },
]

/** Models of Claude that do not go on from a message of the assistant: 4.6 and later. */
export const REFUSES_PREFILL: Models = {
  model: /claude-(?:(?:opus|sonnet|haiku)-(?:4[-.](?:[6-9]|[1-9]\d)|[5-9]|[1-9]\d)(?!\d)|fable|mythos)/,
  source: ERRORS,
}

/** A declared tool has at most 64 characters; what the history refuses is a name of more than 200. */
export const TOOL_NAMES: NameRule = {
  pattern: /^[a-zA-Z0-9_-]+$/,
  maxLength: 200,
  source: `${TOOLS}; error text "tool_use.name: String should have at most 200 characters", anthropics/claude-code#2673, 2025-06-27`,
}
