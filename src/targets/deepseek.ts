import { openaiChat } from './openai-chat.ts'
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

const PAIRS =
  'error text "(insufficient tool messages following tool_calls message)", quoted in public issues, 2025 to 2026'
const REASONING = 'earendil-works/pi#3636, NousResearch/hermes-agent#15353, continuedev/continue#9720, from 2026-04-24'
const VISION = 'https://api-docs.deepseek.com/guides/vision, quoted by several public projects, 2026'
const NAMES = {
  pattern: /^[a-zA-Z0-9_-]+$/,
  maxLength: 64,
  source: 'the rule of the API that it is compatible with (openai/openai-openapi, 2026-08-21)',
}
const UNREPORTED = 'no report of a rejection found, 2026-11-30'
const NOT_ESTABLISHED = 'not established, 2026-11-30'

/** The API of DeepSeek, in thinking mode: Chat Completions with the reasoning of each turn given back. */
export const deepseek: Target = {
  name: 'deepseek',
  title: 'DeepSeek (thinking mode)',
  dialect: 'openai-chat',
  results: openaiChat.results,
  verdicts: {
    ...CONTENT_UNKNOWN,
    ...UNMARKED_RESULTS,
    ...NO_RESPONSES_ITEMS,
    ...NO_THOUGHT_SIGNATURES,
    'orphan-tool-call': refuses(PAIRS),
    'partial-tool-call': refuses(PAIRS),
    'orphan-tool-result': unknown(NOT_ESTABLISHED),
    'misordered-tool-result': refuses(PAIRS),
    'tool-result-not-first': unknown(NOT_ESTABLISHED),
    'duplicate-tool-call': unknown(NOT_ESTABLISHED),
    'duplicate-tool-result': unknown(NOT_ESTABLISHED),
    'orphan-server-tool-call': unknown(NOT_ESTABLISHED),
    'orphan-server-tool-result': unknown(NOT_ESTABLISHED),
    // The older deepseek-reasoner refused them.
    'stacked-roles': unknown('refused by deepseek-reasoner in 2025; of later models no report is known, 2026-11-30'),
    'first-message-role': takes(UNREPORTED),
    'wrong-role-block': unknown(NOT_ESTABLISHED),
    'unknown-role': unknown(NOT_ESTABLISHED),
    'empty-text': takes(UNREPORTED),
    'blank-text': takes(UNREPORTED),
    'empty-message': takes(UNREPORTED),
    'invalid-tool-call-id': takes(UNREPORTED),
    'tool-input-not-object': unknown(NOT_ESTABLISHED),
    'invalid-tool-name': refuses(NAMES.source),
    'tool-arguments-not-json': unknown(NOT_ESTABLISHED),
    'missing-reasoning-content': refuses(REASONING),
    ...UNSIGNED_THINKING,
    'unexpected-reasoning-field': takes(REASONING),
    'trailing-assistant': takes(UNREPORTED),
    'misplaced-system-message': takes(UNREPORTED),
    'user-after-tool': takes(UNREPORTED),
    'tool-result-content': refuses(VISION),
    'trailing-whitespace': takes(UNREPORTED),
    ...MEDIA_UNKNOWN,
    'media-dimensions': refuses(VISION),
    'media-on-text-model': refuses(
      'nesquena/hermes-webui#2297, yilewang/llm-for-zotero#143, rikkahub/rikkahub#1433, 2026',
    ),
    'request-too-large': refuses(VISION),
    'media-too-large': refuses(VISION),
    'media-overflow': refuses(VISION),
  },
  toolNames: NAMES,
  media: [{ model: /(?:)/, limit: 600, source: VISION }],
  imageSize: { limit: 32 * 1024 * 1024, source: VISION },
  imageSide: { limit: 8192, source: VISION },
  manyImages: { above: 14, limit: 4096, source: VISION },
  requestSize: { limit: 48 * 1024 * 1024, source: VISION },
  textOnly: { model: /deepseek-(?:chat|reasoner|coder|v3|r1)/, source: VISION },
  startsWithUser: false,
}
