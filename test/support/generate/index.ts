import type fc from 'fast-check'
import { claudeCodeSessions } from './claude-code.ts'
import { codeAgentSessions } from './code-agent.ts'
import { anthropicLists, dataSets, openAiLists } from './lists.ts'
import { qwenCodeSessions } from './qwen-code.ts'
import type { Specimen } from './specimen.ts'

/** Healthy transcripts of every kind. */
export const SPECIMENS: Readonly<Record<string, fc.Arbitrary<Specimen>>> = {
  anthropic: anthropicLists,
  openai: openAiLists,
  rows: dataSets,
  claude: claudeCodeSessions,
  qwen: qwenCodeSessions,
  codeagent: codeAgentSessions,
}
