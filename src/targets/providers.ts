import { anthropic } from './anthropic.ts'
import { anthropicBedrock } from './anthropic-bedrock.ts'
import { anthropicVertex } from './anthropic-vertex.ts'
import { bedrockConverse } from './bedrock-converse.ts'
import { deepseek } from './deepseek.ts'
import { gemini } from './gemini.ts'
import { geminiVertex } from './gemini-vertex.ts'
import { localTemplate } from './local-template.ts'
import { mistral } from './mistral.ts'
import { ollama } from './ollama.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { qwen } from './qwen.ts'
import type { Target } from './target.ts'

/** Every API of a provider that convfix knows. */
export const PROVIDERS: readonly Target[] = [
  anthropic,
  anthropicBedrock,
  anthropicVertex,
  openaiChat,
  openaiResponses,
  gemini,
  geminiVertex,
  bedrockConverse,
  mistral,
  qwen,
  ollama,
  deepseek,
  localTemplate,
]
