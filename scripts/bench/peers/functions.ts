import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { normalizeMessages } from '../../../dist/index.js'
import { isObject, type Said } from '../../../test/support/judge/said.ts'
import type { Provider } from './judge.ts'
import * as shapes from './shapes.ts'
import { PI_MODEL, type Shape } from './shapes.ts'

/** A function that repairs messages in memory. */
export interface Repairer {
  readonly name: string
  /** What npm has to install, the first one with the function. */
  readonly packages: readonly string[]
  readonly provider: Provider
  /** Loads it from the folder where the packages are installed. */
  load(folder: string): Promise<Ready>
}

/** What a conversation becomes in memory, and the repair of it. */
export interface Ready {
  readonly shape: Shape
  repair(messages: unknown[]): unknown[] | Promise<unknown[]>
}

type Callable = (...args: unknown[]) => unknown

/**
 * Finds a function by its name among the files of a folder: bundles have a new file name in each version, and export under other names.
 *
 * @throws Error where no file has it, or none exports it
 */
async function exported(folder: string, name: string): Promise<Callable> {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => /\.m?js$/.test(file)) : []
  for (const file of files) {
    const path = join(folder, file)
    if (!readFileSync(path, 'utf8').includes(`function ${name}(`)) continue
    const values = Object.values((await import(pathToFileURL(path).href)) as object)
    const found = values.find((value): value is Callable => typeof value === 'function' && value.name === name)
    if (found) return found
  }
  throw new Error(`the package has no ${name}`)
}

const list = (value: unknown): unknown[] => {
  if (!Array.isArray(value)) throw new Error('it does not answer with a list')
  return value
}

const peers: readonly Repairer[] = [
  {
    name: 'OpenClaw sanitizeToolCallInputs, repairToolUseResultPairing',
    packages: ['openclaw@2026.9.6'],
    provider: 'Anthropic',
    async load(folder) {
      const dist = join(folder, 'node_modules', 'openclaw', 'dist')
      const inputs = await exported(dist, 'sanitizeToolCallInputs')
      const pairing = await exported(dist, 'repairToolUseResultPairing')
      return {
        shape: shapes.pi,
        repair: (messages) => {
          const repaired = pairing(inputs(messages))
          return list(isObject(repaired) ? repaired.messages : undefined)
        },
      }
    },
  },
  {
    name: 'pi-ai transformMessages',
    packages: ['@mariozechner/pi-ai@0.73.1'],
    provider: 'Anthropic',
    async load(folder) {
      const dist = join(folder, 'node_modules', '@mariozechner', 'pi-ai', 'dist', 'providers')
      const transform = await exported(dist, 'transformMessages')
      return { shape: shapes.pi, repair: (messages) => list(transform(messages, PI_MODEL)) }
    },
  },
  {
    name: 'Gemini CLI hardenHistory',
    packages: ['@google/gemini-cli-core@0.61.0'],
    provider: 'Gemini',
    async load(folder) {
      const dist = join(folder, 'node_modules', '@google', 'gemini-cli-core', 'dist', 'src', 'utils')
      const harden = await exported(dist, 'hardenHistory')
      return {
        shape: {
          write: (conversation) =>
            shapes.gemini.write(conversation).map((content, i) => ({ id: `turn-${i}`, content })),
          read: (turns) => shapes.gemini.read(turns.filter(isObject).map(({ content }) => content)),
        },
        repair: (messages) => list(harden(messages)),
      }
    },
  },
  {
    name: 'Qwen Code repairOrphanedToolUseTurns',
    packages: ['@qwen-code/qwen-code@0.24.4'],
    provider: 'Gemini',
    async load(folder) {
      const dist = join(folder, 'node_modules', '@qwen-code', 'qwen-code', 'chunks')
      const repair = await exported(dist, 'repairOrphanedToolUseTurns')
      return {
        shape: shapes.gemini,
        repair: (messages) => {
          repair(messages)
          return messages
        },
      }
    },
  },
  {
    name: 'deepagents createPatchToolCallsMiddleware',
    packages: ['deepagents@1.14.1'],
    provider: 'OpenAI Chat',
    async load(folder) {
      const require = createRequire(join(folder, 'node_modules', 'deepagents', 'package.json'))
      const deepagents: unknown = await import(pathToFileURL(require.resolve('deepagents').replace('.cjs', '.js')).href)
      const core = require.resolve('@langchain/core/messages').replace('.cjs', '.js')
      const classes = (await import(pathToFileURL(core).href)) as Record<string, new (fields: object) => object>
      const create = isObject(deepagents) ? deepagents.createPatchToolCallsMiddleware : undefined
      const middleware = typeof create === 'function' ? (create() as unknown) : undefined
      const before = isObject(middleware) ? middleware.beforeAgent : undefined
      if (typeof before !== 'function') throw new Error('the middleware has no beforeAgent')
      return {
        shape: langchain(classes),
        repair: async (messages) => {
          const update: unknown = await before({ messages })
          // The first message asks to remove all there were.
          return isObject(update) ? list(update.messages).slice(1) : messages
        },
      }
    },
  },
  {
    name: 'OpenAI Agents dropOrphanToolCalls',
    packages: ['@openai/agents-core@0.20.0', 'zod@4'],
    provider: 'OpenAI Responses',
    async load(folder) {
      const dist = join(folder, 'node_modules', '@openai', 'agents-core', 'dist', 'runner')
      const drop = await exported(dist, 'dropOrphanToolCalls')
      return { shape: shapes.agents, repair: (messages) => list(drop(messages)) }
    },
  },
]

/** Messages as objects of LangChain's classes. */
function langchain(classes: Record<string, new (fields: object) => object>): Shape {
  const make = (name: string, fields: object): object => {
    const made = classes[name]
    if (!made) throw new Error(`LangChain has no ${name}`)
    return new made(fields)
  }
  return {
    write: (conversation) =>
      shapes.chat.write(conversation).map((message) => {
        const { role, content, tool_calls, tool_call_id } = message as Record<string, unknown>
        if (role === 'tool') return make('ToolMessage', { content, tool_call_id })
        if (role === 'user') return make('HumanMessage', { content })
        const calls = Array.isArray(tool_calls) ? tool_calls.filter(isObject) : []
        const read = calls.map(({ id, function: body }) => {
          const { name, arguments: text } = body as { name: string; arguments: string }
          return { id, name, args: JSON.parse(text) as unknown, type: 'tool_call' }
        })
        return make('AIMessage', { content: content ?? '', tool_calls: read })
      }),
    read: (messages): Said[] =>
      shapes.chat.read(
        messages.filter(isObject).map(({ type, content, tool_calls, tool_call_id }) => {
          const calls = Array.isArray(tool_calls) ? tool_calls.filter(isObject) : []
          return {
            role: type === 'human' ? 'user' : type === 'ai' ? 'assistant' : 'tool',
            content: content === '' ? null : content,
            tool_call_id,
            tool_calls: calls.map(({ id, name, args }) => ({
              id,
              function: { name, arguments: JSON.stringify(args) },
            })),
          }
        }),
      ),
  }
}

const OURS: Readonly<Record<Provider, { readonly shape: Shape; readonly format: string; readonly target: string }>> = {
  Anthropic: { shape: shapes.anthropic, format: 'anthropic', target: 'anthropic' },
  Gemini: { shape: shapes.gemini, format: 'gemini', target: 'gemini' },
  'OpenAI Chat': { shape: shapes.chat, format: 'openai-chat', target: 'openai-chat' },
  'OpenAI Responses': { shape: shapes.responses, format: 'openai-responses', target: 'openai-responses' },
}

const convfix = (Object.keys(OURS) as Provider[]).map(
  (provider): Repairer => ({
    name: `convfix normalizeMessages, ${provider}`,
    packages: [],
    provider,
    async load() {
      const { shape, format, target } = OURS[provider]
      return { shape, repair: (messages) => normalizeMessages(messages, { format, target }).messages }
    },
  }),
)

export const REPAIRERS: readonly Repairer[] = [...convfix, ...peers]
