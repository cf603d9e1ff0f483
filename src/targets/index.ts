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
import { portable } from './portable.ts'
import { qwen } from './qwen.ts'
import type { Limit, Target } from './target.ts'

/** Every provider API that convfix knows. */
export const TARGETS: readonly Target[] = [
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
  portable,
]

export function targetNamed(name: string): Target | undefined {
  return TARGETS.find((target) => target.name === name)
}

/** The limit that a model has; for a model that is not known the last one counts, which fits all. Undefined where no limit is known. */
export function limitOf(
  limits: readonly (Limit & { readonly model: RegExp })[] | undefined,
  model: string | undefined,
): number | undefined {
  return limits?.find((entry) => entry.model.test(model ?? ''))?.limit
}
