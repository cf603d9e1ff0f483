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

const RENDERED = 'the template renders the pair as text, whole or not; no report of a rejection found, 2026-11-30'
const BASE64 = 'ollama/ollama-js#68, BerriAI/litellm#18338 #30313, 2024-03 to 2026-06'
const UNREPORTED = 'no report of a rejection found, 2026-11-30'
const NOT_ESTABLISHED = 'not established, 2026-11-30'

/** The chat API of Ollama (`/api/chat`): the template of the model decides about most things. */
export const ollama: Target = {
  name: 'ollama',
  title: 'Ollama',
  dialect: 'ollama',
  results: { layout: 'next-messages', joinsTurns: false, idsUniqueInRequest: false },
  verdicts: {
    ...CONTENT_UNKNOWN,
    ...UNMARKED_RESULTS,
    ...NO_RESPONSES_ITEMS,
    ...NO_THOUGHT_SIGNATURES,
    ...NO_REASONING_CONTENT,
    'orphan-tool-call': harms(RENDERED),
    'partial-tool-call': harms(RENDERED),
    'orphan-tool-result': harms(RENDERED),
    'misordered-tool-result': unknown(NOT_ESTABLISHED),
    'tool-result-not-first': unknown(NOT_ESTABLISHED),
    'duplicate-tool-call': unknown(NOT_ESTABLISHED),
    'duplicate-tool-result': unknown(NOT_ESTABLISHED),
    'orphan-server-tool-call': unknown(NOT_ESTABLISHED),
    'orphan-server-tool-result': unknown(NOT_ESTABLISHED),
    // Some templates refuse it; which one it is, the messages do not say.
    'stacked-roles': unknown(NOT_ESTABLISHED),
    'first-message-role': unknown(NOT_ESTABLISHED),
    'unknown-role': unknown(NOT_ESTABLISHED),
    'wrong-role-block': unknown(NOT_ESTABLISHED),
    'empty-text': takes(UNREPORTED),
    'blank-text': takes(UNREPORTED),
    // A content that is null, even beside calls.
    'empty-message': refuses('QwenLM/qwen-code#3421, 2026'),
    'invalid-tool-call-id': unknown(NOT_ESTABLISHED),
    'invalid-tool-name': unknown(NOT_ESTABLISHED),
    'tool-input-not-object': unknown(NOT_ESTABLISHED),
    ...UNSIGNED_THINKING,
    'unexpected-reasoning-field': unknown(NOT_ESTABLISHED),
    'trailing-assistant': takes(UNREPORTED),
    'misplaced-system-message': unknown(NOT_ESTABLISHED),
    // Its templates are not those of Jinja, which refuse an order of roles.
    'user-after-tool': takes(UNREPORTED),
    'trailing-whitespace': takes(UNREPORTED),
    ...MEDIA_UNKNOWN,
    'invalid-base64': refuses(BASE64),
    // Go's decoder passes over them.
    'invalid-base64/line-breaks': takes('https://pkg.go.dev/encoding/base64#Encoding.DecodeString, 2026'),
    'undecodable-media': refuses(`${BASE64}; ollama/ollama#11320, 2025-07-07`),
    'undecodable-media/no-text': unknown(NOT_ESTABLISHED),
    'media-overflow': unknown('the limit is set by whoever runs the engine, 2026-11-30'),
  },
  media: [],
  systemPlaces: [{ model: /(?:)/, places: ['first'], source: NOT_ESTABLISHED }],
  startsWithUser: false,
}
