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

const ALTERNATE = 'ggml-org/llama.cpp#19851, SWE-agent/mini-swe-agent#759, microsoft/autogen#3597, 2024 to 2026-02'
const SYSTEM_FIRST =
  'vllm-project/vllm#41114, can1357/oh-my-pi#958, SillyTavern/SillyTavern#5276, 2026: templates of Qwen 3.5 and later'
const RENDERED = 'the template renders the pair as text, whole or not; no report of a rejection found, 2026-11-30'
const UNREPORTED = 'no report of a rejection found, 2026-11-30'
const NOT_ESTABLISHED = 'not established, 2026-11-30'

/** Chat templates with strict alternation (Mistral, Gemma, Llama 2 families) behind vLLM, llama.cpp and TGI. */
export const localTemplate: Target = {
  name: 'local-template',
  title: 'Chat template with strict alternation (vLLM, llama.cpp, TGI)',
  dialect: 'openai-chat',
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
    'stacked-roles': refuses(ALTERNATE),
    'first-message-role': refuses(ALTERNATE),
    'unknown-role': unknown(NOT_ESTABLISHED),
    'wrong-role-block': unknown(NOT_ESTABLISHED),
    'empty-text': takes(UNREPORTED),
    'blank-text': takes(UNREPORTED),
    // Ollama refuses a content that is null.
    'empty-message': unknown('QwenLM/qwen-code#3421, 2026'),
    'invalid-tool-call-id': unknown(NOT_ESTABLISHED),
    'tool-input-not-object': unknown(NOT_ESTABLISHED),
    'invalid-tool-name': takes(UNREPORTED),
    'tool-arguments-not-json': harms('some templates parse the arguments; xintaofei/codeg#538, gathered 2026-12-01'),
    ...UNSIGNED_THINKING,
    'unexpected-reasoning-field': unknown('some servers refuse fields that they do not know, 2026-11-30'),
    'trailing-assistant': takes(UNREPORTED),
    'misplaced-system-message': refuses(SYSTEM_FIRST),
    'user-after-tool': unknown('templates of older Mistral models refuse it, others take it, 2026-11-30'),
    'trailing-whitespace': takes(UNREPORTED),
    ...MEDIA_UNKNOWN,
    'media-overflow': unknown('the limit is set by whoever runs the engine, 2026-11-30'),
  },
  media: [],
  systemPlaces: [{ model: /(?:)/, places: ['first'], source: SYSTEM_FIRST }],
  startsWithUser: true,
}
