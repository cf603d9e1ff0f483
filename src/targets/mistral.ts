import type { Target } from './target.ts'
import {
  CONTENT_UNKNOWN,
  harms,
  MEDIA_UNKNOWN,
  NO_REASONING_CONTENT,
  NO_RESPONSES_ITEMS,
  NO_THOUGHT_SIGNATURES,
  refuses,
  takes,
  UNMARKED_RESULTS,
  UNSIGNED_THINKING,
  unknown,
} from './verdict.ts'

const VALIDATOR = 'mistralai/mistral-common, `validator.py`, 2026-07-23'
const ORDER = `${VALIDATOR}; charmbracelet/crush#279`
const VISION =
  "Mistral's documentation of 2026-08-21: 8 on the vision page, up to the model on that of known limitations"
const SIZES = "Mistral's documentation of 2026-08-21: 10 MB on the vision page, 20 MB on that of known limitations"
const UNREPORTED = 'no report of a rejection found, 2026-11-30'
const NOT_ESTABLISHED = 'not established, 2026-11-30'

/** The chat API of Mistral: Chat Completions with ids of nine letters and digits, and an order of roles of its own. */
export const mistral: Target = {
  name: 'mistral',
  title: 'Mistral',
  dialect: 'openai-chat',
  results: { layout: 'next-messages', joinsTurns: false, idsUniqueInRequest: false },
  verdicts: {
    ...CONTENT_UNKNOWN,
    ...UNMARKED_RESULTS,
    ...NO_RESPONSES_ITEMS,
    ...NO_THOUGHT_SIGNATURES,
    ...NO_REASONING_CONTENT,
    'orphan-tool-call': refuses(VALIDATOR),
    'partial-tool-call': refuses(VALIDATOR),
    'orphan-tool-result': refuses(VALIDATOR),
    'misordered-tool-result': refuses(ORDER),
    'tool-result-not-first': unknown(NOT_ESTABLISHED),
    'duplicate-tool-call': refuses(`${VALIDATOR} (version 13 and later)`),
    'duplicate-tool-result': refuses(VALIDATOR),
    'orphan-server-tool-call': unknown(NOT_ESTABLISHED),
    'orphan-server-tool-result': unknown(NOT_ESTABLISHED),
    'stacked-roles': takes(VALIDATOR),
    // Only a message that stands alone is known to be refused.
    'first-message-role': unknown(VALIDATOR),
    'unknown-role': unknown(NOT_ESTABLISHED),
    'wrong-role-block': unknown(NOT_ESTABLISHED),
    'extra-field': refuses(
      'BerriAI/litellm#30882, Gage-Technologies/mistral-go#3, charmbracelet/crush#1590: 422, `extra_forbidden`, 2024-04 to 2026-06',
    ),
    'empty-text': unknown(NOT_ESTABLISHED),
    'blank-text': takes(UNREPORTED),
    'empty-message': refuses(`${VALIDATOR}: either content or calls`),
    'invalid-tool-call-id': refuses(VALIDATOR),
    'invalid-tool-name': refuses(VALIDATOR),
    'tool-input-not-object': unknown(NOT_ESTABLISHED),
    ...UNSIGNED_THINKING,
    'unexpected-reasoning-field': refuses('BerriAI/litellm#30835: 422, `extra_forbidden`, 2026'),
    'trailing-assistant': refuses(`${VALIDATOR}: unless it says \`prefix: true\``),
    'misplaced-system-message': refuses(VALIDATOR),
    // Some hosts refuse it, the validator takes it.
    'user-after-tool': harms(
      'NousResearch/hermes-agent#20154, yetone/avante.nvim#2695, 2025-09 to 2026-06; mistral-common of 2026-07-23 takes it',
    ),
    'trailing-whitespace': takes(UNREPORTED),
    ...MEDIA_UNKNOWN,
    'media-too-large': harms(SIZES),
    'media-overflow': harms(VISION),
  },
  toolNames: { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 64, source: VALIDATOR },
  ids: { pattern: /^[a-zA-Z0-9]{9}$/, maxLength: 9, source: VALIDATOR },
  media: [{ model: /(?:)/, limit: 8, source: VISION }],
  // 10 MiB of bytes, as base64.
  imageSize: { limit: 13_981_016, source: SIZES },
  systemPlaces: [{ model: /(?:)/, places: ['first', 'behind-system', 'behind-user'], source: VALIDATOR }],
  refusesPrefill: { model: /(?:)/, source: VALIDATOR },
  startsWithUser: false,
}
