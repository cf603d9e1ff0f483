import { closeSync, openSync, utimesSync, writeSync } from 'node:fs'
import { picture, prose, random, uuid } from './random.ts'

export interface SessionOptions {
  readonly seed: number
  /** About so many bytes, or so many records. */
  readonly bytes?: number
  readonly records?: number
  /** Every third result is a PNG of a megabyte of base64. */
  readonly media?: boolean
  /** Into how many parts of about one size compactions cut the session. */
  readonly parts?: number
  /** The result of every so many-th call is missing. */
  readonly fault?: number
  /** The length of texts, 1 for those of a usual session. */
  readonly scale?: number
}

/** Long ago: a file of today may be one that its agent still writes. */
export const PAST = new Date(1.7e12)

/**
 * Writes a Claude Code session: prompts, split answers, calls and their results, healthy but for the results that are left out.
 *
 * @returns how many records it has
 */
export function writeSession(path: string, options: SessionOptions): number {
  const { seed, bytes = Infinity, records = Infinity, parts = 1, fault, scale = 1 } = options
  const next = random(seed)
  const say = (least: number, more: number): string => prose(next, scale * (least + next() * more))
  const pictures = options.media ? [picture(next, 500), picture(next, 500)] : []
  const session = new Session(path, uuid(next), next)
  let part = 1
  for (let turn = 0; session.bytes < bytes && session.records < records; turn++) {
    if (part < parts && session.bytes >= (part * bytes) / parts) {
      session.compact(say(1000, 1000))
      part++
    }
    const call = `toolu_${uuid(next).replaceAll('-', '').slice(0, 22)}`
    session.add('user', { message: { role: 'user', content: say(200, 400) } })
    session.answer(turn, { type: 'text', text: say(300, 600) })
    const input = { file_path: `/home/dev/project/src/${turn}.ts` }
    const source = session.answer(turn, { type: 'tool_use', id: call, name: 'Read', input })
    const data = turn % 3 === 0 ? pictures[(turn / 3) % pictures.length] : undefined
    const content = data
      ? [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }]
      : say(1500, 3000)
    if (fault !== undefined && turn % fault === fault - 1) continue
    session.add('user', {
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content }] },
      toolUseResult: { type: 'text', file: { numLines: 12 } },
      sourceToolAssistantUUID: source,
    })
  }
  session.close()
  utimesSync(path, PAST, PAST)
  return session.records
}

class Session {
  bytes = 0
  records = 0
  readonly #file: number
  readonly #id: string
  readonly #next: () => number
  #parent: string | null = null
  #lines: string[] = []
  #waiting = 0

  constructor(path: string, id: string, next: () => number) {
    this.#file = openSync(path, 'w')
    this.#id = id
    this.#next = next
  }

  /** Adds a record behind the last one and tells its id. */
  add(type: string, more: object, parent = this.#parent): string {
    const id = uuid(this.#next)
    const line = `${JSON.stringify({
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      cwd: '/home/dev/project',
      sessionId: this.#id,
      version: '2.1.300',
      gitBranch: 'main',
      type,
      ...more,
      uuid: id,
      timestamp: new Date(1.79e12 + this.records * 1000).toISOString(),
    })}\n`
    this.#lines.push(line)
    this.#waiting += line.length
    // All that is written is ASCII.
    this.bytes += line.length
    this.records++
    this.#parent = id
    if (this.#waiting > 1 << 20) this.#flush()
    return id
  }

  answer(turn: number, block: object): string {
    return this.add('assistant', {
      requestId: `req_${turn}`,
      message: {
        id: `msg_${turn}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-opus-4-8',
        content: [block],
        stop_reason: null,
        usage: { input_tokens: 100, output_tokens: 20 },
      },
    })
  }

  /** What stands before is not sent any more. */
  compact(summary: string): void {
    const logicalParentUuid = this.#parent
    const compactMetadata = { trigger: 'auto', preTokens: 160_000 }
    const more = { subtype: 'compact_boundary', content: 'Conversation compacted', logicalParentUuid, compactMetadata }
    this.add('system', more, null)
    this.add('user', { message: { role: 'user', content: summary }, isCompactSummary: true })
  }

  close(): void {
    this.#flush()
    closeSync(this.#file)
  }

  #flush(): void {
    writeSync(this.#file, this.#lines.join(''))
    this.#lines = []
    this.#waiting = 0
  }
}

/** Messages in OpenAI's shape, as many as asked for; every `fault`-th call lacks its result. */
export function chatMessages(count: number, fault: number): Record<string, unknown>[] {
  const messages: Record<string, unknown>[] = []
  for (let turn = 0; messages.length < count; turn++) {
    const call = {
      id: `call_${turn}`,
      type: 'function',
      function: { name: 'read', arguments: `{"path":"src/${turn}.ts"}` },
    }
    messages.push(
      { role: 'user', content: `read file ${turn}, please` },
      { role: 'assistant', content: null, tool_calls: [call] },
    )
    if (turn % fault !== fault - 1)
      messages.push({ role: 'tool', tool_call_id: call.id, content: `export const n = ${turn}` })
    messages.push({ role: 'assistant', content: `it exports ${turn}` })
  }
  return messages
}
