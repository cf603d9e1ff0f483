import type { Target } from './target.ts'
import {
  CONTENT_UNKNOWN,
  harms,
  MEDIA_UNKNOWN,
  NO_REASONING_CONTENT,
  NO_RESPONSES_ITEMS,
  refuses,
  takes,
  UNMARKED_RESULTS,
  UNSIGNED_THINKING,
  unknown,
} from './verdict.ts'

const COUNTS = 'google-gemini/gemini-cli#5443 #6379 #16303 #16437 #16984 #21830, 2025-08 to 2026'
const ORDER = 'google-gemini/gemini-cli#11814 #26486 #26956, 2025 to 2026; langchain-ai/langchain#27799'
const TWICE = 'google-gemini/gemini-cli#29365, 2026'
const SIGNATURES = 'https://ai.google.dev/gemini-api/docs/thought-signatures, 2026'
const EMPTY = 'google-gemini/gemini-cli#317, agno-agi/agno#6644, langgenius/dify#30566, gathered 2026-11-30'
const ROLES = 'https://ai.google.dev/api/caching#Content, 2026: the role is `user` or `model`'
const NAMES =
  'error text "Invalid function name", kaitranntt/ccs#25, cline/cline#7339, maximhq/bifrost#1979, 2025-11 to 2026-03'
const UNREPORTED = 'no report of a rejection found, 2026-11-30'
const NOT_ESTABLISHED = 'not established, 2026-11-30'

/** `generateContent` of the Gemini API: the turn behind one with calls holds as many results as that has calls. */
export const gemini: Target = {
  name: 'gemini',
  title: 'Gemini generateContent',
  dialect: 'gemini',
  results: { layout: 'equal-count', joinsTurns: false, idsUniqueInRequest: false },
  verdicts: {
    ...CONTENT_UNKNOWN,
    ...UNMARKED_RESULTS,
    ...NO_RESPONSES_ITEMS,
    ...NO_REASONING_CONTENT,
    'orphan-tool-call': refuses(COUNTS),
    'partial-tool-call': refuses(COUNTS),
    'orphan-tool-result': refuses(ORDER),
    'misordered-tool-result': refuses(`${ORDER}; BerriAI/litellm#26755`),
    'tool-result-not-first': unknown(NOT_ESTABLISHED),
    'duplicate-tool-call': unknown(NOT_ESTABLISHED),
    'duplicate-tool-result': refuses(TWICE),
    'orphan-server-tool-call': unknown(NOT_ESTABLISHED),
    'orphan-server-tool-result': unknown(NOT_ESTABLISHED),
    // An older error text demands alternation; whether it is still sent is not established.
    'stacked-roles': harms(
      'error text quoted in public projects, 2026-11-30; Gemini CLI 0.61.0 joins them before it sends them',
    ),
    // Refused only where the first turn makes a call; see the rule.
    'first-message-role': harms('google-gemini/gemini-cli#11814 #26486, 2025 to 2026'),
    'unknown-role': unknown(NOT_ESTABLISHED),
    'wrong-role-block': unknown(NOT_ESTABLISHED),
    'extra-field': refuses('Chevey339/kelivo#543, 2026-04-30'),
    'empty-text': takes(UNREPORTED),
    'blank-text': takes(UNREPORTED),
    'empty-message': refuses(EMPTY),
    'invalid-tool-call-id': unknown('ids are optional; whether they have to match is not established, 2026-11-30'),
    'tool-input-not-object': refuses('https://ai.google.dev/api/caching#FunctionCall, 2026: `args` is an object'),
    // They speak of declared tools; which names are refused in a history is not established.
    'invalid-tool-name': unknown(NAMES),
    'missing-thought-signature': refuses(SIGNATURES),
    ...UNSIGNED_THINKING,
    'unexpected-reasoning-field': unknown(NOT_ESTABLISHED),
    'trailing-assistant': unknown(NOT_ESTABLISHED),
    'misplaced-system-message': refuses(ROLES),
    'user-after-tool': takes(UNREPORTED),
    'trailing-whitespace': takes(UNREPORTED),
    ...MEDIA_UNKNOWN,
    'unsupported-media-type': refuses('https://ai.google.dev/gemini-api/docs/image-understanding, 2026'),
    'media-overflow': refuses('https://ai.google.dev/gemini-api/docs/image-understanding, 2026'),
  },
  toolNames: { pattern: /^[a-zA-Z_][a-zA-Z0-9_.:-]*$/, maxLength: 64, source: NAMES },
  media: [{ model: /(?:)/, limit: 3600, source: 'https://ai.google.dev/gemini-api/docs/image-understanding, 2026' }],
  systemPlaces: [{ model: /(?:)/, places: [], source: ROLES }],
  refusesPrefill: { model: /(?:)/, source: NOT_ESTABLISHED },
  thoughtSignatures: { model: /gemini-(?:[3-9]|\d\d)(?!\d)/, source: SIGNATURES },
  imageTypes: {
    types: ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'],
    source: 'https://ai.google.dev/gemini-api/docs/image-understanding, 2026',
  },
  startsWithUser: true,
}
