import { anthropic } from './anthropic.ts'
import { bedrockConverse } from './bedrock-converse.ts'
import type { Dialect } from './dialect.ts'
import { gemini } from './gemini.ts'
import { ollama } from './ollama.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'

const DIALECTS: Readonly<Record<string, Dialect>> = {
  anthropic,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  gemini,
  'bedrock-converse': bedrockConverse,
  ollama,
}

/** The dialect with a name. */
export function dialectNamed(name: string): Dialect {
  const dialect = DIALECTS[name]
  if (!dialect) throw new Error(`no dialect is named ${name}`)
  return dialect
}
