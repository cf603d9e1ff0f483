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

const PAIRS =
  'https://platform.openai.com/docs/api-reference/chat/create; QwenLM/qwen-code#606, microsoft/semantic-kernel#12708, gathered 2026-11-30'
const SHAPES = 'agno-agi/agno#3105, morphic#136; no rejection of single shapes beyond these is reported, 2026-11-30'
const DOCUMENTS =
  'error text "Expected a base64-encoded data URL with an application/pdf MIME type", quoted in two public projects, 2026'
const SOUNDS =
  "openai/openai-openapi, 2026-08-21; error text \"Supported values are: 'wav' and 'mp3'\", quoted in ten public projects, to 2026-08"
const UNREPORTED = 'no report of a rejection found, 2026-11-30'
const NOT_ESTABLISHED = 'not established, 2026-11-30'

/** Chat Completions of OpenAI. */
export const openaiChat: Target = {
  name: 'openai-chat',
  title: 'OpenAI Chat Completions',
  dialect: 'openai-chat',
  results: { layout: 'next-messages', joinsTurns: false, idsUniqueInRequest: false },
  verdicts: {
    ...CONTENT_UNKNOWN,
    ...UNMARKED_RESULTS,
    ...NO_RESPONSES_ITEMS,
    ...NO_THOUGHT_SIGNATURES,
    ...NO_REASONING_CONTENT,
    'orphan-tool-call': refuses(PAIRS),
    'partial-tool-call': refuses(PAIRS),
    // One probe of 2026-08-28 says that an unknown id is tolerated; the issues say otherwise.
    'orphan-tool-result': refuses(`${PAIRS}, langchain-ai/langchain#35313`),
    'misordered-tool-result': refuses(SHAPES),
    'tool-result-not-first': unknown(NOT_ESTABLISHED),
    'duplicate-tool-call': unknown(NOT_ESTABLISHED),
    'duplicate-tool-result': refuses(SHAPES),
    'orphan-server-tool-call': unknown(NOT_ESTABLISHED),
    'orphan-server-tool-result': unknown(NOT_ESTABLISHED),
    'stacked-roles': takes(UNREPORTED),
    'first-message-role': takes(UNREPORTED),
    'unknown-role': refuses('openai/openai-openapi, 2026-08-21'),
    'wrong-role-block': unknown(NOT_ESTABLISHED),
    'empty-text': takes(UNREPORTED),
    'blank-text': takes(UNREPORTED),
    'empty-message': refuses('docker/docker-agent#63, gathered 2026-11-30'),
    // 40 characters in 2025; a test of 2026-07 could not reproduce it.
    'invalid-tool-call-id': unknown(
      'vercel/ai#8132 of 2025-08, langgenius/dify#28987 of 2025-12; not reproduced 2026-07',
    ),
    'tool-input-not-object': unknown(NOT_ESTABLISHED),
    'invalid-tool-name': refuses('openai/openai-openapi, 2026-08-21; mcp-use/mcp-use#90'),
    'tool-arguments-not-json': harms(
      'petersalomonsen/javascriptmusic#208, esengine/DeepSeek-Reasonix#3953, 2026-06-11: taken by some servers of this API',
    ),
    ...UNSIGNED_THINKING,
    'unexpected-reasoning-field': takes(UNREPORTED),
    'trailing-assistant': takes(UNREPORTED),
    'misplaced-system-message': takes(UNREPORTED),
    'user-after-tool': takes(UNREPORTED),
    'tool-result-content': harms('All-Hands-AI/OpenHands#7700; openai/openai-openapi#523: taken and not seen, 2026'),
    'trailing-whitespace': takes(UNREPORTED),
    ...MEDIA_UNKNOWN,
    'unsupported-media-type': refuses('https://developers.openai.com/api/docs/guides/images-vision, 2026'),
    'media-type-mismatch/document': refuses(DOCUMENTS),
    'unsupported-media-type/document': refuses(DOCUMENTS),
    'unsupported-media-type/recording': refuses(SOUNDS),
    'invalid-base64': refuses('openai/codex#24582 #10571, 2026'),
    'invalid-base64/recording': unknown(NOT_ESTABLISHED),
    'undecodable-media': refuses('openai/codex#24582 #10571, 2026'),
    'undecodable-media/document': unknown(NOT_ESTABLISHED),
    'undecodable-media/recording': refuses('TutoriaLLM/TutoriaLLM#370, 2025-05-26'),
    'media-overflow': refuses('https://developers.openai.com/api/docs/guides/images-vision, 2026 (2025: 500)'),
  },
  toolNames: {
    pattern: /^[a-zA-Z0-9_-]+$/,
    maxLength: 64,
    source: 'openai/openai-openapi, 2026-08-21; mcp-use/mcp-use#90',
  },
  ids: { pattern: /^.+$/s, maxLength: 40, source: 'vercel/ai#8132 of 2025-08, langgenius/dify#28987 of 2025-12' },
  media: [
    {
      model: /(?:)/,
      limit: 1500,
      source: 'https://developers.openai.com/api/docs/guides/images-vision, 2026 (2025: 500)',
    },
  ],
  documentTypes: { types: ['application/pdf'], source: DOCUMENTS },
  soundTypes: { types: ['audio/wav', 'audio/mp3'], source: SOUNDS },
  imageTypes: {
    types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
    source: 'https://developers.openai.com/api/docs/guides/images-vision, 2026',
  },
  requestSize: {
    limit: 512 * 1024 * 1024,
    source: 'https://developers.openai.com/api/docs/guides/images-vision, 2026 (2025: 50 MB)',
  },
  startsWithUser: false,
}
