import { closeSync, openSync, writeSync } from 'node:fs'

/** A generator of numbers that gives the same ones for the same seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const WORDS =
  'the parser reads each line and keeps where it stands so that a later pass can look again without a copy'.split(' ')

function uuid(next: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(next() * 16).toString(16)).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

function prose(next: () => number, characters: number): string {
  let text = ''
  while (text.length < characters) text += `${WORDS[Math.floor(next() * WORDS.length)]}${next() < 0.05 ? '\n' : ' '}`
  return text
}

/**
 * Writes a healthy Claude Code session of about so many bytes: prompts, split answers, calls and their results. With `media`
 * every third result holds a PNG of about a megabyte of base64; with `fault` the result of every so many-th call is missing.
 */
export function writeSession(
  path: string,
  bytes: number,
  options: { readonly seed: number; readonly media?: boolean; readonly fault?: number },
): number {
  const next = random(options.seed)
  const fd = openSync(path, 'w')
  const session = uuid(next)
  let parent: string | null = null
  let written = 0
  let records = 0
  let turn = 0
  const picture = options.media ? `iVBORw0KGgoA${Buffer.alloc(750_000, 'convfix-bench').toString('base64')}` : ''
  const record = (type: string, message: unknown, more: object = {}): string => {
    const id = uuid(next)
    const line = `${JSON.stringify({
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      cwd: '/home/dev/project',
      sessionId: session,
      version: '2.1.300',
      gitBranch: 'main',
      type,
      message,
      uuid: id,
      timestamp: new Date(1.79e12 + records * 1000).toISOString(),
      ...more,
    })}\n`
    written += writeSync(fd, line)
    records++
    parent = id
    return id
  }
  while (written < bytes) {
    const message = `msg_${turn}`
    const call = `toolu_${uuid(next).replaceAll('-', '').slice(0, 22)}`
    const assistant = (block: unknown): string =>
      record(
        'assistant',
        {
          id: message,
          type: 'message',
          role: 'assistant',
          model: 'claude-opus-4-8',
          content: [block],
          stop_reason: null,
          usage: { input_tokens: 100, output_tokens: 20 },
        },
        { requestId: `req_${turn}` },
      )
    record('user', { role: 'user', content: prose(next, 200 + next() * 400) })
    assistant({ type: 'text', text: prose(next, 300 + next() * 600) })
    const source = assistant({
      type: 'tool_use',
      id: call,
      name: 'Read',
      input: { file_path: `/home/dev/project/src/${turn}.ts` },
    })
    const content =
      options.media && turn % 3 === 0
        ? [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } }]
        : prose(next, 1500 + next() * 3000)
    turn++
    if (options.fault !== undefined && turn % options.fault === 0) continue
    record(
      'user',
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content }] },
      { toolUseResult: { type: 'text', file: { numLines: 12 } }, sourceToolAssistantUUID: source },
    )
  }
  closeSync(fd)
  return records
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
