import { anthropic } from '../dialects/anthropic.ts'
import { bedrockConverse } from '../dialects/bedrock-converse.ts'
import { gemini } from '../dialects/gemini.ts'
import { openaiChat } from '../dialects/openai-chat.ts'
import { openaiResponses } from '../dialects/openai-responses.ts'
import type { JsonView } from '../text/view.ts'
import { AI_SDK, AI_SDK_UI, isModelMessage, isUiMessage } from './ai-sdk.ts'
import { anthropicBatchResults, openaiBatchOutput } from './batch-answers.ts'
import { claudeCode } from './claude-code/index.ts'
import { cline, clineMessages } from './cline/index.ts'
import { codeAgent, codeAgentTranscript } from './codeagent/index.ts'
import { codex, codexBare, codexDocument } from './codex/index.ts'
import { copilotCli } from './copilot-cli/index.ts'
import type { Format } from './format.ts'
import { geminiCheckpoint, geminiCli, geminiCliDocument } from './gemini-cli/index.ts'
import { goose, gooseLines } from './goose.ts'
import { isLangChainMessage, LANGCHAIN } from './langchain.ts'
import { hasRole, messageList } from './message-list.ts'
import {
  isAnthropicBody,
  isAnthropicMessage,
  isBatchRequest,
  isBedrockMessage,
  isGeminiItem,
  isGeminiMessage,
  isNamedRow,
  isOpenAiBody,
  isOpenAiMessage,
  isPreference,
  isResponsesBody,
  isResponsesItem,
  showsResponses,
} from './message-shapes.ts'
import { isOllamaMessage, OLLAMA } from './ollama.ts'
import { opencode } from './opencode.ts'
import { pi } from './pi/index.ts'
import { qwenCode } from './qwen-code/index.ts'
import { chatgpt, sharegpt, sharegptArray } from './read-only.ts'

const ANTHROPIC = { name: 'anthropic', title: 'Anthropic', target: 'anthropic', dialect: anthropic }
const RESPONSES = {
  name: 'openai-responses',
  title: 'OpenAI Responses',
  target: 'openai-responses',
  dialect: openaiResponses,
  paths: [['input'], ['output']],
  isItem: isResponsesItem,
  answerKey: 'output',
}
const GEMINI = {
  name: 'gemini',
  title: 'Gemini',
  target: 'gemini',
  dialect: gemini,
  paths: [['contents']],
  isItem: isGeminiItem,
}
const BEDROCK = {
  name: 'bedrock-converse',
  title: 'Bedrock Converse',
  target: 'bedrock-converse',
  dialect: bedrockConverse,
}
const OPENAI = { name: 'openai-chat', title: 'OpenAI Chat', target: 'openai-chat', dialect: openaiChat }

/** Pairs of answers to one request (https://platform.openai.com/docs/guides/direct-preference-optimization): the request is judged. */
const PREFERENCES = {
  ...OPENAI,
  name: 'openai-preferences',
  title: 'OpenAI preference',
  paths: [['input', 'messages']],
}
const CHAT_BATCH = { ...OPENAI, name: 'openai-batch', title: 'OpenAI batch', paths: [['body', 'messages']] }
const RESPONSES_BATCH = {
  ...RESPONSES,
  name: 'openai-batch-responses',
  title: 'OpenAI batch, Responses',
  paths: [['body', 'input']],
}
/** What the batch answered, beside what was asked in another file. */
const RESPONSES_ANSWERS = {
  ...RESPONSES,
  name: 'openai-batch-responses-output',
  title: 'OpenAI batch output, Responses',
  paths: [['response', 'body', 'output']],
}
const ANTHROPIC_BATCH = { ...ANTHROPIC, title: 'Anthropic batch', paths: [['params', 'messages']] }
const ONE = { isOneLayout: true }

/** All transcript formats, in the order in which they are asked whether a file is theirs: the more particular first. */
export const FORMATS: readonly Format[] = [
  claudeCode,
  qwenCode,
  pi,
  copilotCli,
  cline,
  clineMessages,
  goose,
  gooseLines,
  opencode,
  codeAgent,
  codeAgentTranscript,
  codex,
  codexBare,
  codexDocument,
  geminiCli,
  geminiCliDocument,
  geminiCheckpoint,
  messageList(LANGCHAIN, 'array', isLangChainMessage),
  messageList(LANGCHAIN, 'body', isLangChainMessage),
  messageList(LANGCHAIN, 'rows', isLangChainMessage),
  messageList(LANGCHAIN, 'lines', isLangChainMessage),
  messageList(AI_SDK_UI, 'array', isUiMessage),
  messageList(AI_SDK_UI, 'body', isUiMessage),
  messageList(AI_SDK_UI, 'rows', isUiMessage),
  messageList(AI_SDK_UI, 'lines', isUiMessage),
  messageList(AI_SDK, 'array', isModelMessage),
  messageList(AI_SDK, 'body', isModelMessage),
  messageList(AI_SDK, 'rows', isModelMessage),
  messageList(AI_SDK, 'lines', isModelMessage),
  messageList({ ...PREFERENCES, ...ONE }, 'rows', isOpenAiMessage, isPreference),
  messageList({ ...CHAT_BATCH, ...ONE }, 'rows', isOpenAiMessage, isBatchRequest),
  messageList({ ...RESPONSES_BATCH, ...ONE }, 'rows', isResponsesItem, isBatchRequest),
  messageList({ ...RESPONSES_ANSWERS, ...ONE }, 'rows', isResponsesItem, isNamedRow),
  messageList({ ...ANTHROPIC_BATCH, ...ONE, name: 'anthropic-batch' }, 'rows', hasRole, isNamedRow),
  messageList(
    { ...ANTHROPIC_BATCH, ...ONE, name: 'anthropic-batch-body', bodies: ['requests'] },
    'rows',
    hasRole,
    isNamedRow,
  ),
  sharegpt,
  sharegptArray,
  chatgpt,
  openaiBatchOutput,
  anthropicBatchResults,
  messageList(RESPONSES, 'array', showsResponses),
  messageList(RESPONSES, 'body', isResponsesItem, isResponsesBody),
  messageList(RESPONSES, 'rows', isResponsesItem, isResponsesBody),
  messageList(RESPONSES, 'lines', showsResponses),
  messageList(ANTHROPIC, 'array', isAnthropicMessage),
  messageList(ANTHROPIC, 'body', isAnthropicMessage, isAnthropicBody),
  messageList(ANTHROPIC, 'rows', isAnthropicMessage, isAnthropicBody),
  messageList(ANTHROPIC, 'lines', isAnthropicMessage),
  // A block without a type is no sign of Converse where others have one.
  messageList(BEDROCK, 'array', isBedrockMessage),
  messageList(BEDROCK, 'body', isBedrockMessage),
  messageList(BEDROCK, 'rows', isBedrockMessage),
  messageList(BEDROCK, 'lines', isBedrockMessage),
  messageList(GEMINI, 'array', isGeminiMessage),
  messageList(GEMINI, 'body', isGeminiMessage),
  messageList(GEMINI, 'rows', isGeminiMessage),
  messageList(GEMINI, 'lines', isGeminiMessage),
  messageList({ ...OPENAI, ...ONE, name: 'openai-chat-examples', bodies: [] }, 'rows', isOpenAiMessage, isOpenAiBody),
  messageList(OLLAMA, 'array', isOllamaMessage),
  messageList(OLLAMA, 'body', isOllamaMessage),
  messageList(OLLAMA, 'rows', isOllamaMessage),
  messageList(OLLAMA, 'lines', isOllamaMessage),
  messageList(OPENAI, 'array', isOpenAiMessage),
  messageList(OPENAI, 'body', isOpenAiMessage, isOpenAiBody),
  messageList(OPENAI, 'rows', isOpenAiMessage, isOpenAiBody),
  messageList(OPENAI, 'lines', isOpenAiMessage),
]

/** The format with a name. */
export function formatNamed(name: string): Format | undefined {
  return FORMATS.find((format) => format.name === name)
}

/** The format of a file, by the records at its beginning. */
export function detectFormat(shape: Format['shape'], sample: readonly JsonView[]): Format | undefined {
  return FORMATS.find((format) => format.shape === shape && format.detect(sample)) ?? emptyList(sample)
}

/** A list without a message shows no shape, and there is nothing to judge in it. */
function emptyList(sample: readonly JsonView[]): Format | undefined {
  const [only] = sample
  if (!only || sample.length > 1) return undefined
  if (only.kind === 'array') return only.size === 0 ? formatNamed('openai-chat') : undefined
  const messages = only.get('messages')
  return messages?.kind === 'array' && messages.size === 0 ? formatNamed('openai-chat-body') : undefined
}

/** Stands in for the format of a file that is no transcript of any known kind. */
export const nothingKnown: Format = {
  name: 'unknown',
  title: 'unknown',
  shape: 'lines',
  use: 'request',
  folds: false,
  dialect: openaiChat,
  target: 'openai-chat',
  root: '',
  detect: () => false,
  read: () => undefined,
  assemble: () => ({ conversations: [] }),
  editor: () => ({ apply: () => false, edits: () => [] }),
}
