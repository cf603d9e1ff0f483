import { anthropic } from './anthropic.ts'
import type { Dialect } from './dialect.ts'
import { gemini } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'

const DIALECTS: Readonly<Record<string, Dialect>> = {
  anthropic,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  gemini,
}

/** The dialect with a name. */
export function dialectNamed(name: string): Dialect {
  const dialect = DIALECTS[name]
  if (!dialect) throw new Error(`no dialect is named ${name}`)
  return dialect
}
