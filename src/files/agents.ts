import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Where an agent keeps its sessions on this machine. */
export interface Agent {
  /** As the user names it. */
  readonly name: string
  readonly title: string
  /** Folders that hold sessions, in the order in which the agent itself looks for them. */
  readonly roots: (env: Env, home: string) => readonly string[]
  /** Session files below a root, as patterns. */
  readonly patterns: readonly string[]
  readonly not?: readonly string[]
}

type Env = Readonly<Record<string, string | undefined>>

/** Every agent whose session files convfix reads. The folders are those of each product's documentation or own code. */
export const AGENTS: readonly Agent[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    roots: (env, home) => [join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'projects')],
    patterns: ['*/*.jsonl'],
    // Sidechains of older versions, which nobody resumes.
    not: ['*/agent-*.jsonl'],
  },
  {
    name: 'codex',
    title: 'Codex',
    roots: (env, home) => [env.CODEX_HOME || join(home, '.codex')],
    patterns: ['sessions/*/*/*/rollout-*.jsonl', 'archived_sessions/rollout-*.jsonl'],
  },
  {
    name: 'qwen-code',
    title: 'Qwen Code',
    roots: (_, home) => [join(home, '.qwen')],
    patterns: ['projects/*/chats/*.jsonl'],
  },
  {
    name: 'gemini-cli',
    title: 'Gemini CLI',
    roots: (_, home) => [join(home, '.gemini', 'tmp')],
    patterns: ['*/chats/session-*.jsonl', '*/chats/session-*.json'],
  },
  {
    name: 'pi',
    title: 'pi',
    roots: (env, home) => [
      env.PI_CODING_AGENT_SESSION_DIR || join(env.PI_CODING_AGENT_DIR || join(home, '.pi', 'agent'), 'sessions'),
    ],
    patterns: ['*/*.jsonl', '*.jsonl'],
  },
  {
    name: 'openclaw',
    title: 'OpenClaw',
    roots: (_, home) => [join(home, '.openclaw', 'agents')],
    patterns: ['*/sessions/*.jsonl'],
  },
  {
    name: 'cline',
    title: 'Cline',
    roots: (env, home) => [
      env.CLINE_DATA_DIR || (env.CLINE_DIR ? join(env.CLINE_DIR, 'data') : join(home, '.cline', 'data')),
    ],
    patterns: ['sessions/*/*.messages.json', 'tasks/*/api_conversation_history.json'],
  },
  {
    name: 'codeagent',
    title: 'codeAgent',
    roots: (_, home) => [join(home, '.codeAgent', '.sessions')],
    patterns: ['*.jsonl'],
  },
]

export interface SessionFile {
  readonly agent: Agent
  readonly path: string
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly changed: number
}

/** The session files of some agents, newest first. Nothing is opened; a folder that is not there holds none. */
export async function sessionFiles(agents: readonly Agent[], env: Env, home: string): Promise<SessionFile[]> {
  const { default: glob } = await import('fast-glob')
  const found: SessionFile[] = []
  for (const agent of agents) {
    for (const root of agent.roots(env, home)) {
      const entries = await glob([...agent.patterns], {
        cwd: root,
        absolute: true,
        dot: true,
        stats: true,
        followSymbolicLinks: false,
        suppressErrors: true,
        ignore: [...(agent.not ?? [])],
      })
      for (const { path, stats } of entries) {
        if (stats?.isFile()) found.push({ agent, path, bytes: stats.size, changed: stats.mtimeMs })
      }
    }
  }
  return found.sort((a, b) => b.changed - a.changed || (a.path < b.path ? -1 : 1))
}

/** Bytes at the beginning of a session in which it says where it was held. */
const HEAD = 1 << 16

/** Where a session was held. */
export interface Origin {
  /** The folder, as far as the records at its beginning, or the agent's notes, say so. */
  readonly folder: string | undefined
  /** What the agent calls the project. */
  readonly project: string
  /** Whether it was held in a folder. */
  isOf(folder: string): boolean
}

/** Reads from the beginning of a session, and from what its agent keeps beside it, where it was held. */
export async function originOf(path: string): Promise<Origin> {
  const head = await headOf(path)
  const chats = dirname(path)
  // Gemini CLI and Qwen Code keep the sessions of a project in a folder of this name.
  const home = basename(chats) === 'chats' ? dirname(chats) : chats
  const folder = cwdIn(head) ?? (await readFile(join(home, '.project_root'), 'utf8').catch(() => '')).trim()
  return {
    folder: folder || undefined,
    project: folder || basename(home),
    // Gemini CLI names the folder by its hash.
    isOf: (asked) => folder === asked || head.includes(`"projectHash":"${sha256(asked)}"`),
  }
}

function cwdIn(head: string): string | undefined {
  const found = /"(?:cwd|workspaceDirectory|working_dir)"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(head)
  try {
    return found ? (JSON.parse(found[1]!) as string) : undefined
  } catch {
    return undefined
  }
}

async function headOf(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined)
  if (!file) return ''
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } catch {
    return ''
  } finally {
    await file.close()
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
