import { REFUSES_PREFILL, SYSTEM_PLACES, TOOL_NAMES } from './claude.ts'
import type { Target } from './target.ts'
import { NO_REASONING_CONTENT, NO_RESPONSES_ITEMS, NO_THOUGHT_SIGNATURES, refuses, takes, unknown } from './verdict.ts'

const TOOLS = 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls, read 2026-08-22'
const CREATE = 'https://platform.claude.com/docs/en/api/messages/create, read 2026-08-22'
const STOPS = 'https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons, read 2026-08-22'
const VISION = 'https://platform.claude.com/docs/en/build-with-claude/vision#request-limits, read 2026-08-22'
const ERRORS = 'https://platform.claude.com/docs/en/api/errors#common-validation-errors, read 2026-08-22'
const THINKING = 'https://platform.claude.com/docs/en/build-with-claude/thinking, read 2026-08-22'
const PDFS = 'https://platform.claude.com/docs/en/build-with-claude/pdf-support, read 2026-08-22'
const SIZES = 'https://platform.claude.com/docs/en/api/overview#request-size-limits, read 2026-08-22'
const DOCUMENTS =
  'error text "document.source.base64.media_type: Input should be \'application/pdf\'", quoted in ten public projects, 2026'
const PROBED = 'public table of message shapes sent to the API, 2026-07-25'

/** Models with a window of a million tokens: 4.6 and later, but no Haiku. */
const MILLION = /claude-(?:(?:opus|sonnet)-(?:4[-.][6-9]|[5-9])(?!\d)|fable|mythos)/

/** The Messages API of Anthropic, called directly. */
export const anthropic: Target = {
  name: 'anthropic',
  title: 'Anthropic Messages API',
  dialect: 'anthropic',
  results: { layout: 'leading-run', joinsTurns: true, idsUniqueInRequest: true },
  verdicts: {
    ...NO_RESPONSES_ITEMS,
    ...NO_THOUGHT_SIGNATURES,
    ...NO_REASONING_CONTENT,
    'orphan-tool-call': refuses(TOOLS),
    'partial-tool-call': refuses(TOOLS),
    'orphan-tool-result': refuses('anthropics/claude-code#13460 #18947 #64383 #80439 #84783, 2025-11 to 2026-08'),
    'misordered-tool-result': refuses(`${TOOLS}; ${PROBED}`),
    'tool-result-not-first': refuses(`${TOOLS}; ${PROBED}`),
    'duplicate-tool-call': refuses('anthropics/claude-code#20901 #21317 #28515, 2026-01'),
    'duplicate-tool-result': refuses('error text quoted in ten public projects, 2026-08'),
    'orphan-server-tool-call': refuses(STOPS),
    'orphan-server-tool-result': refuses('anthropics/claude-code#64383 #80439 #84783, 2026-06 to 2026-08'),
    'stacked-roles': takes(`${CREATE}; ${PROBED}`),
    'first-message-role': refuses(PROBED),
    'unknown-role': refuses(`${CREATE}; langchain-ai/langchain#16563, 2024-01-25`),
    'wrong-role-block': refuses(`${PROBED}; microsoft/agent-framework#4328, 2026-02`),
    'empty-text': refuses(`${PROBED}; anthropics/claude-code#59294 #62312, 2026-05`),
    'blank-text': refuses(PROBED),
    'empty-message': refuses(PROBED),
    'invalid-tool-call-id': refuses('maximhq/bifrost#5097, 2026'),
    'tool-arguments-not-json': unknown(
      'the input is an object here; a text of it is up to who translates it, 2026-11-30',
    ),
    'tool-result-content': takes(TOOLS),
    'media-on-text-model': unknown('no model that takes texts only is known, 2026-11-30'),
    'tool-input-not-object': refuses('anthropics/claude-code#6695 #6696 #6697, 2025-08-28'),
    'missing-field/media': refuses(
      'error text "image.source: Field required", quoted in several public projects, 2025-05 to 2026',
    ),
    'extra-field': refuses(
      'anthropics/claude-code#4378 #19513; anthropics/anthropic-sdk-typescript#862, gathered 2026-12-01',
    ),
    'unknown-block': refuses(CREATE),
    'error-result-with-media': refuses('error text quoted in one public project, 2026'),
    'cache-control': refuses('https://platform.claude.com/docs/en/build-with-claude/prompt-caching, read 2026-08-22'),
    'trailing-whitespace': refuses('antinomyhq/forge#1872, sst/opencode#1295, 2025-07 to 2025-11'),
    'invalid-tool-name': refuses(
      'https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools, read 2026-08-22',
    ),
    'missing-thinking-signature': refuses('anthropics/claude-code#21726 #66204, openclaw/openclaw#84430, 2026'),
    'invalid-thinking-signature': refuses(
      'anthropics/claude-code#21726, openclaw/openclaw#92201 #94534 #96192, anthropics/anthropic-sdk-python#1598, 2026',
    ),
    'thinking-order': refuses(`${THINKING}; sst/opencode#3077, mastra-ai/mastra#7799, 2025`),
    'thinking-last': refuses(PROBED),
    'unexpected-reasoning-field': refuses(
      'error text "Extra inputs are not permitted", anthropics/claude-code#4378, 2025-07-25',
    ),
    // By the model: 4.6 and later.
    'trailing-assistant': refuses(`${ERRORS}; strands-agents/sdk-python#1694, QwenLM/qwen-code#8039, 2026`),
    'misplaced-system-message': refuses(`${CREATE}; ${PROBED}`),
    'user-after-tool': takes(PROBED),
    'media-dimensions': refuses(`${VISION}; anthropics/claude-code#34025 #49537 #49720 #52220`),
    'media-type-mismatch': refuses(
      'anthropics/claude-code#17452; BerriAI/litellm#24900; home-assistant/core#167208, 2026',
    ),
    'media-type-mismatch/case': refuses(`the types are an enumeration: ${CREATE}; anthropics/claude-code#8184`),
    'media-type-mismatch/document': refuses(DOCUMENTS),
    'unsupported-media-type': refuses(`${VISION}; anthropics/claude-code#8184`),
    'unsupported-media-type/document': refuses(DOCUMENTS),
    'invalid-base64': refuses(`${PROBED}; anthropics/claude-code#2519`),
    'invalid-base64/link': unknown(
      'the documentation knows base64 and links to the web; no error text found, 2026-12-01',
    ),
    'undecodable-media': refuses('anthropics/claude-code#1747 #2007 #2519 #4471 #12616 #15941 #22351 #53228'),
    'undecodable-media/document': refuses('anthropics/claude-code#5174, 2025-08-05'),
    'undecodable-media/no-text': refuses(
      `\`data\` is a text: ${CREATE}; error text quoted in one public project, 2026`,
    ),
    'pdf-pages': refuses(`${PDFS}; anthropics/claude-code#6231`),
    'request-too-large': refuses(`${SIZES}; anthropics/claude-code#17510 #8092`),
    'media-too-large': refuses(`${VISION}; anthropics/claude-code#2104 #10183 #20021 #47526`),
    'media-overflow': refuses(`${VISION}; anthropics/claude-code#3397 #19822 #23392`),
  },
  toolNames: TOOL_NAMES,
  messages: { limit: 100_000, source: CREATE },
  // No page states the length; 64 is what pi's source keeps to.
  ids: { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 64, source: 'maximhq/bifrost#5097; badlogic/pi-mono, 2026' },
  media: [
    { model: MILLION, limit: 600, source: VISION },
    { model: /(?:)/, limit: 100, source: VISION },
  ],
  // On the direct API; on Bedrock and Google Cloud it is 5 MB.
  imageSize: { limit: 10 * 1024 * 1024, source: VISION },
  systemPlaces: SYSTEM_PLACES,
  refusesPrefill: REFUSES_PREFILL,
  countsPages: true,
  imageTypes: { types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'], isVerbatim: true, source: VISION },
  documentTypes: { types: ['application/pdf'], isVerbatim: true, source: DOCUMENTS },
  imageSide: { limit: 8000, source: VISION },
  manyImages: { above: 20, limit: 2000, source: VISION },
  pdfPages: [
    { model: MILLION, limit: 600, source: PDFS },
    { model: /(?:)/, limit: 100, source: PDFS },
  ],
  requestSize: { limit: 32 * 1024 * 1024, source: SIZES },
  startsWithUser: true,
}
