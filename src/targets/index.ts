import { anthropic } from './anthropic.ts'
import { anthropicBedrock } from './anthropic-bedrock.ts'
import { bedrockConverse } from './bedrock-converse.ts'
import { deepseek } from './deepseek.ts'
import { gemini } from './gemini.ts'
import { localTemplate } from './local-template.ts'
import { mistral } from './mistral.ts'
import { ollama } from './ollama.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { qwen } from './qwen.ts'
import type { Target } from './target.ts'

/** Every provider API that convfix knows. */
export const TARGETS: readonly Target[] = [
  anthropic,
  anthropicBedrock,
  openaiChat,
  openaiResponses,
  gemini,
  bedrockConverse,
  mistral,
  qwen,
  ollama,
  deepseek,
  localTemplate,
]

export function targetNamed(name: string): Target | undefined {
  return TARGETS.find((target) => target.name === name)
}

/** Most images and documents in one request; undefined where no limit is known. */
export function mediaLimit(target: Target, model: string | undefined): number | undefined {
  return target.media.find((entry) => entry.model.test(model ?? ''))?.limit
}
