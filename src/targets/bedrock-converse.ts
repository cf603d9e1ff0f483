import { REFUSES_PREFILL, SYSTEM_PLACES } from './claude.ts'
import type { Target } from './target.ts'
import {
  CONTENT_UNKNOWN,
  MEDIA_UNKNOWN,
  NO_REASONING_CONTENT,
  NO_RESPONSES_ITEMS,
  NO_THOUGHT_SIGNATURES,
  refuses,
  takes,
  unknown,
} from './verdict.ts'

const PAIRS =
  'error text "Expected toolResult blocks at messages.2.content for the following Ids", quoted in public projects, 2026'
const ALTERNATE =
  'langchain-ai/langchain-aws#130 #192, microsoft/semantic-kernel#10281, cline/cline#431, 2024-07 to 2025-03; no newer report found'
const MODEL = 'boto/botocore, bedrock-runtime service model, 2026-08-07'
const NOT_ESTABLISHED = 'not established, 2026-11-30'

/** The Converse API of Amazon Bedrock. */
export const bedrockConverse: Target = {
  name: 'bedrock-converse',
  title: 'Amazon Bedrock Converse',
  dialect: 'bedrock-converse',
  results: { layout: 'leading-run', joinsTurns: true, idsUniqueInRequest: false },
  verdicts: {
    ...CONTENT_UNKNOWN,
    ...NO_RESPONSES_ITEMS,
    ...NO_THOUGHT_SIGNATURES,
    ...NO_REASONING_CONTENT,
    'orphan-tool-call': refuses(PAIRS),
    'partial-tool-call': refuses(PAIRS),
    'orphan-tool-result': refuses(PAIRS),
    'misordered-tool-result': refuses(PAIRS),
    'tool-result-not-first': unknown(NOT_ESTABLISHED),
    'duplicate-tool-call': refuses('error text "contain duplicate Ids", quoted in public projects, 2026'),
    'duplicate-tool-result': unknown(NOT_ESTABLISHED),
    'orphan-server-tool-call': unknown(NOT_ESTABLISHED),
    'orphan-server-tool-result': unknown(NOT_ESTABLISHED),
    'stacked-roles': refuses(ALTERNATE),
    'first-message-role': unknown(NOT_ESTABLISHED),
    'unknown-role': refuses(MODEL),
    'wrong-role-block': unknown(NOT_ESTABLISHED),
    'error-result-with-media': unknown(NOT_ESTABLISHED),
    'empty-text': unknown(NOT_ESTABLISHED),
    'blank-text': unknown(NOT_ESTABLISHED),
    'empty-message': unknown(NOT_ESTABLISHED),
    'invalid-tool-call-id': refuses(MODEL),
    'invalid-tool-name': refuses(MODEL),
    'tool-input-not-object': refuses(MODEL),
    'missing-thinking-signature': refuses(
      'the rule of Claude, whose messages it carries; anthropics/claude-code#21726, 2026',
    ),
    'invalid-thinking-signature': refuses(
      'the rule of Claude, whose messages it carries; openclaw/openclaw#92201, 2026',
    ),
    'thinking-order': unknown(NOT_ESTABLISHED),
    'thinking-last': refuses('anthropics/claude-code#10199, gathered 2026-11-30, seen with Bedrock, too'),
    'unexpected-reasoning-field': unknown(NOT_ESTABLISHED),
    'trailing-assistant': refuses('strands-agents/sdk-python#1694, 2026: on every provider that serves these models'),
    // The service model lists the role since 2026-08; which models take it, it does not say.
    'misplaced-system-message': unknown(MODEL),
    'user-after-tool': takes('results and texts stand in one user message, 2026-11-30'),
    ...MEDIA_UNKNOWN,
    'media-too-large': refuses(MODEL),
    'trailing-whitespace': refuses('langchain-ai/langchain-aws#599, 2025'),
    'media-dimensions': refuses(MODEL),
    'unsupported-media-type': refuses(MODEL),
    'media-overflow': refuses(MODEL),
  },
  toolNames: { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 64, source: MODEL },
  ids: { pattern: /^[a-zA-Z0-9_.:-]+$/, maxLength: 64, source: MODEL },
  media: [],
  images: { limit: 20, source: MODEL },
  documents: { limit: 5, source: MODEL },
  // 3.75 MiB of bytes, which a saved request holds as base64.
  imageSize: { limit: 5 * 1024 * 1024, source: MODEL },
  // 4.5 MiB of bytes.
  documentSize: { limit: 6 * 1024 * 1024, source: MODEL },
  systemPlaces: SYSTEM_PLACES,
  refusesPrefill: REFUSES_PREFILL,
  imageTypes: { types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'], isVerbatim: true, source: MODEL },
  imageSide: { limit: 8000, source: MODEL },
  startsWithUser: true,
}
