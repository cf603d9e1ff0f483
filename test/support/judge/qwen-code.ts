import { asString, isObject, type Loaded, type Node, type Said } from './said.ts'
import { inside, readMessage } from './shapes.ts'

const TYPES = new Set(['user', 'assistant', 'tool_result', 'system'])
const APART = /^(session_artifact|session_sources|managed_session)/

interface Line {
  readonly nodes: Node[]
  readonly parent: string | null
  readonly uuid: string
}

/** What Qwen Code 0.24 loads: from the last record by the parents, fragments joined, a compression in the place of all before. */
export function loadQwenCode(nodes: readonly Node[]): Loaded {
  const faults: string[] = []
  const byId = new Map<string, Line>()
  let leaf: Line | undefined
  const sessions = new Set<string>()
  for (const node of nodes) {
    const { uuid, parentUuid, sessionId, type, subtype } = node.value
    if (asString(uuid) === '' || asString(sessionId) === '' || !TYPES.has(asString(type))) continue
    if (parentUuid !== null && typeof parentUuid !== 'string') continue
    sessions.add(asString(sessionId))
    if (APART.test(asString(subtype))) continue
    const id = asString(uuid)
    const known = byId.get(id)
    if (known) known.nodes.push(node)
    else byId.set(id, { nodes: [node], parent: parentUuid, uuid: id })
    leaf = byId.get(id)
  }
  if (sessions.size > 1) faults.push('records of several sessions')
  const path: Line[] = []
  const seen = new Set<string>()
  for (let at = leaf; at; ) {
    path.push(at)
    seen.add(at.uuid)
    if (at.parent === null) break
    const next = byId.get(at.parent)
    if (!next || seen.has(at.parent)) faults.push(`${at.nodes[0]!.where}: history gap`)
    at = next && !seen.has(at.parent) ? next : undefined
  }
  path.reverse()
  return { conversations: [history(path)], faults }
}

function history(path: readonly Line[]): Said[] {
  let said: Said[] = []
  for (const { nodes } of path) {
    const first = nodes[0]!
    if (first.value.subtype === 'realtime_message') continue
    if (first.value.type === 'system') {
      const list = isObject(first.value.systemPayload) ? first.value.systemPayload.compressedHistory : undefined
      if (first.value.subtype !== 'chat_compression' || !Array.isArray(list)) continue
      said = list.flatMap((_, i) => {
        const node = inside(first, 'systemPayload', 'compressedHistory', i)
        return node ? [readMessage(node, 'gemini')] : []
      })
      continue
    }
    const fragments = nodes.flatMap((node) => {
      const message = inside(node, 'message')
      return message ? [readMessage({ ...message, where: node.where }, 'gemini')] : []
    })
    if (!fragments[0]) continue
    said.push({ ...fragments[0], parts: fragments.flatMap(({ parts }) => parts) })
  }
  return said
}
