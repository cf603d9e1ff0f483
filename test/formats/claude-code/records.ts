/** Short ways to write the records of a Claude Code session. */
export type Fields = { [key: string]: unknown }

export const SESSION = '7a1c0d2e-0000-4000-8000-000000000001'
let clock = 0

function base(type: string, uuid: string, parentUuid: string | null, more: Fields): Fields {
  return {
    parentUuid,
    isSidechain: false,
    userType: 'external',
    cwd: '/home/me/garden',
    sessionId: SESSION,
    version: '2.1.300',
    gitBranch: 'main',
    type,
    ...more,
    uuid,
    timestamp: new Date(Date.UTC(2026, 5, 1, 8, 0, clock++)).toISOString(),
  }
}

export const text = (value: string): Fields => ({ type: 'text', text: value })
export const use = (id: string, name = 'Read'): Fields => ({ type: 'tool_use', id, name, input: {} })
export const got = (id: string, content: unknown = `got ${id}`): Fields => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
})

export const user = (uuid: string, parent: string | null, content: unknown, more: Fields = {}): Fields =>
  base('user', uuid, parent, { message: { role: 'user', content }, ...more })

export const assistant = (uuid: string, parent: string | null, id: string, ...content: Fields[]): Fields =>
  base('assistant', uuid, parent, {
    message: { id, type: 'message', role: 'assistant', model: 'claude-x-1', content },
    requestId: `req_${id}`,
  })

export const result = (uuid: string, parent: string, ...ids: string[]): Fields =>
  user(
    uuid,
    parent,
    ids.map((id) => got(id)),
    {
      toolUseResult: { shown: ids },
      sourceToolAssistantUUID: parent,
    },
  )

export const system = (uuid: string, parent: string | null, subtype: string, more: Fields = {}): Fields =>
  base('system', uuid, parent, { subtype, ...more })

export const attachment = (uuid: string, parent: string | null, kind: string, more: Fields = {}): Fields =>
  base('attachment', uuid, parent, { attachment: { type: kind, ...more } })

export const progress = (uuid: string, parent: string): Fields =>
  base('progress', uuid, parent, { data: { type: 'bash_progress' }, toolUseID: 'x' })

export const side = (record: Fields): Fields => ({ ...record, isSidechain: true })

export const lastPrompt = (leafUuid: string): Fields => ({
  type: 'last-prompt',
  lastPrompt: 'weed the beds',
  leafUuid,
  sessionId: SESSION,
})

export const boundary = (uuid: string, logicalParentUuid: string, compactMetadata: Fields = {}): Fields =>
  system(uuid, null, 'compact_boundary', { logicalParentUuid, content: 'Compacted', compactMetadata })

export const summary = (uuid: string, parent: string): Fields =>
  user(uuid, parent, 'So far the beds were weeded.', { isCompactSummary: true })
