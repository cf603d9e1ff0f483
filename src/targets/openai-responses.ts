import type { Target } from './target.ts'
import {
  CONTENT_UNKNOWN,
  harms,
  MEDIA_UNKNOWN,
  NO_REASONING_CONTENT,
  NO_THOUGHT_SIGNATURES,
  refuses,
  takes,
  UNMARKED_RESULTS,
  UNSIGNED_THINKING,
  unknown,
} from './verdict.ts'

const PAIRS = 'openai/codex#46193 #31053, 2026; earendil-works/pi#812, continuedev/continue#10092, 2026'
const REASONING = 'continuedev/continue#8933 #11785, vercel/ai#7099, openai/openai-node#1567, 2025-08 to 2026'
const IDS = 'vercel/ai#7883, cloudflare/agents#728, github/copilot-cli#3560, 2025 to 2026'
const SPEC = 'openai/openai-openapi, 2026-08-21'
const UNREPORTED = 'no report of a rejection found, 2026-11-30'
const NOT_ESTABLISHED = 'not established, 2026-11-30'

/** The Responses API of OpenAI: items, paired by `call_id` wherever they stand. */
export const openaiResponses: Target = {
  name: 'openai-responses',
  title: 'OpenAI Responses',
  dialect: 'openai-responses',
  results: { layout: 'anywhere', joinsTurns: true, idsUniqueInRequest: true },
  verdicts: {
    ...CONTENT_UNKNOWN,
    ...UNMARKED_RESULTS,
    ...NO_THOUGHT_SIGNATURES,
    ...NO_REASONING_CONTENT,
    'orphan-tool-call': refuses(PAIRS),
    'partial-tool-call': refuses(PAIRS),
    'orphan-tool-result': refuses(PAIRS),
    // An output answers an earlier call: before it, there is no call for it.
    'misordered-tool-result': refuses(PAIRS),
    'tool-result-not-first': takes(UNREPORTED),
    // Nobody has reported two calls under one `call_id` with item ids of their own; copies bring their item ids along.
    'duplicate-tool-call': refuses(IDS),
    'duplicate-tool-result': refuses(IDS),
    'orphan-server-tool-call': unknown(NOT_ESTABLISHED),
    'orphan-server-tool-result': unknown(NOT_ESTABLISHED),
    'stacked-roles': takes(UNREPORTED),
    'first-message-role': takes(UNREPORTED),
    'unknown-role': unknown(NOT_ESTABLISHED),
    'wrong-role-block': takes(`calls and reasoning are items without a role: ${SPEC}`),
    'extra-field': refuses(
      'pydantic/pydantic-ai#3653, openai/openai-python#3146, 1jehuang/jcode#1028, 2025 to 2026-08',
    ),
    'empty-text': takes(UNREPORTED),
    'blank-text': takes(UNREPORTED),
    'empty-message': takes(UNREPORTED),
    'invalid-tool-call-id': refuses(SPEC),
    'tool-input-not-object': takes(SPEC),
    'invalid-tool-name': refuses(`${SPEC}; mcp-use/mcp-use#90`),
    'tool-arguments-not-json': harms(
      'xintaofei/codeg#538, can1357/oh-my-pi#11104, Alishahryar1/free-claude-code#911, to 2026-06-25: taken by some servers of this API',
    ),
    ...UNSIGNED_THINKING,
    'unexpected-reasoning-field': takes(UNREPORTED),
    'trailing-assistant': takes(UNREPORTED),
    'misplaced-system-message': takes(UNREPORTED),
    'user-after-tool': takes(UNREPORTED),
    'trailing-whitespace': takes(UNREPORTED),
    ...MEDIA_UNKNOWN,
    'unsupported-media-type': refuses('https://developers.openai.com/api/docs/guides/images-vision, 2026'),
    'invalid-base64': refuses('openai/codex#24582 #10571, 2026'),
    'undecodable-media': refuses('openai/codex#24582 #10571, 2026'),
    'undecodable-media/document': unknown(NOT_ESTABLISHED),
    'undecodable-media/recording': unknown(NOT_ESTABLISHED),
    'invalid-base64/recording': unknown(NOT_ESTABLISHED),
    'media-too-large': refuses(SPEC),
    'media-overflow': refuses('https://developers.openai.com/api/docs/guides/images-vision, 2026 (2025: 500)'),
    'dangling-reasoning': refuses(REASONING),
    'missing-reasoning': refuses('continuedev/continue#11785, TanStack/ai#1212, laravel/ai#1052, 2026'),
    'reasoning-not-portable': refuses(
      'vercel/ai#7543, openai/codex#8119 #35334, openai/openai-agents-js#546, 2025 to 2026',
    ),
    'invalid-item-id': refuses(IDS),
    'missing-field': refuses('newo-ether/Agora#141, 2026'),
  },
  toolNames: { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 64, source: `${SPEC}; mcp-use/mcp-use#90` },
  ids: { pattern: /^.+$/s, maxLength: 64, source: SPEC },
  media: [
    {
      model: /(?:)/,
      limit: 1500,
      source: 'https://developers.openai.com/api/docs/guides/images-vision, 2026 (2025: 500)',
    },
  ],
  // Characters of the data URL.
  imageSize: { limit: 20_971_520, source: SPEC },
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
