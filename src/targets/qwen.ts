import type { Target } from './target.ts'
import {
  CONTENT_UNKNOWN,
  MEDIA_UNKNOWN,
  NO_RESPONSES_ITEMS,
  NO_THOUGHT_SIGNATURES,
  refuses,
  takes,
  UNMARKED_RESULTS,
  UNSIGNED_THINKING,
  unknown,
} from './verdict.ts'

const PAIRS = 'QwenLM/qwen-code#606 #869, 2025-09 to 2026'
const STUDIO = 'Alibaba Cloud Model Studio, quoted by two public projects, one of 2026-09-18'
const SIDES = `QwenLM/qwen-code#2505, 2026-03-19; ${STUDIO}`
const SYSTEM_FIRST =
  'templates of Qwen 3.5 and later refuse it (vllm-project/vllm#41114, can1357/oh-my-pi#958); of this endpoint it is not established, 2026-11-30'
const NAMES = {
  pattern: /^[a-zA-Z0-9_-]+$/,
  maxLength: 64,
  source: 'the rule of the API that it is compatible with (openai/openai-openapi, 2026-08-21); no report of its own',
}
const UNREPORTED = 'no report of a rejection found, 2026-11-30'
const NOT_ESTABLISHED = 'not established, 2026-11-30'

/** The OpenAI-compatible endpoint of DashScope, which serves the Qwen models. */
export const qwen: Target = {
  name: 'qwen',
  title: 'Qwen (DashScope, OpenAI-compatible)',
  dialect: 'openai-chat',
  results: { layout: 'next-messages', joinsTurns: false, idsUniqueInRequest: false },
  verdicts: {
    ...CONTENT_UNKNOWN,
    ...UNMARKED_RESULTS,
    ...NO_RESPONSES_ITEMS,
    ...NO_THOUGHT_SIGNATURES,
    'orphan-tool-call': refuses(PAIRS),
    'partial-tool-call': refuses(PAIRS),
    'orphan-tool-result': refuses(PAIRS),
    'misordered-tool-result': refuses(PAIRS),
    'tool-result-not-first': unknown(NOT_ESTABLISHED),
    'duplicate-tool-call': unknown('QwenLM/qwen-code#8382, 2026'),
    'duplicate-tool-result': unknown(NOT_ESTABLISHED),
    'orphan-server-tool-call': unknown(NOT_ESTABLISHED),
    'orphan-server-tool-result': unknown(NOT_ESTABLISHED),
    'stacked-roles': unknown(NOT_ESTABLISHED),
    'first-message-role': takes(UNREPORTED),
    'unknown-role': refuses('haru/redmine_ai_helper#242, 2026-03-17'),
    'wrong-role-block': unknown(NOT_ESTABLISHED),
    'empty-text': unknown(NOT_ESTABLISHED),
    'blank-text': unknown(NOT_ESTABLISHED),
    'empty-message': unknown(NOT_ESTABLISHED),
    'invalid-tool-call-id': takes(UNREPORTED),
    'tool-input-not-object': unknown(NOT_ESTABLISHED),
    'invalid-tool-name': refuses(NAMES.source),
    'tool-arguments-not-json': refuses('HKUDS/nanobot#1487 #2469, continuedev/continue#11556, 2026'),
    ...UNSIGNED_THINKING,
    'missing-reasoning-content': unknown(NOT_ESTABLISHED),
    'unexpected-reasoning-field': takes(UNREPORTED),
    'trailing-assistant': takes(UNREPORTED),
    'misplaced-system-message': unknown(SYSTEM_FIRST),
    'user-after-tool': takes(UNREPORTED),
    'trailing-whitespace': takes(UNREPORTED),
    ...MEDIA_UNKNOWN,
    'media-dimensions': refuses(SIDES),
    'invalid-base64/recording': takes('base64 of recordings as a data URL: QwenLM/qwen-code 0.24.4, 2026'),
    'unsupported-media-type': refuses(STUDIO),
    'media-too-large': refuses(STUDIO),
    'media-overflow': refuses(STUDIO),
  },
  toolNames: NAMES,
  media: [{ model: /(?:)/, limit: 250, source: STUDIO }],
  // Characters of the data URL.
  imageSize: { limit: 20 * 1024 * 1024, source: STUDIO },
  imageSideAbove: { limit: 10, source: SIDES },
  imageRatio: { limit: 200, source: SIDES },
  systemPlaces: [{ model: /(?:)/, places: ['first'], source: SYSTEM_FIRST }],
  imageTypes: {
    types: ['image/png', 'image/jpeg', 'image/webp', 'image/bmp', 'image/tiff', 'image/heic'],
    source: STUDIO,
  },
  startsWithUser: false,
}
