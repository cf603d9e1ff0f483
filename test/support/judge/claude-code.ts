import { asString, isObject, type Loaded, type Node, type Said } from './said.ts'
import { inside, readMessage } from './shapes.ts'

const LINKED = new Set(['user', 'assistant', 'system', 'attachment', 'progress'])

interface Line extends Node {
  readonly type: string
  readonly uuid: string
  readonly parent: string | undefined
  readonly side: boolean
  readonly order: number
}

/**
 * What Claude Code 2.1.332 loads when it resumes a session, as measured from outside: the leaf, the walk, bridging of links
 * that lead nowhere, compaction with kept messages, parallel results found again by the message id.
 */
export function loadClaudeCode(nodes: readonly Node[]): Loaded {
  const faults: string[] = []
  const lines: Line[] = []
  for (const node of nodes) {
    const { type, uuid, parentUuid, isSidechain } = node.value
    if (!LINKED.has(asString(type)) || typeof uuid !== 'string' || uuid === '') continue
    const parent = typeof parentUuid === 'string' ? parentUuid : undefined
    lines.push({ ...node, type: asString(type), uuid, parent, side: isSidechain === true, order: lines.length })
  }
  // Of lines with one uuid the last one counts, where the first one stood.
  const byId = new Map<string, Line>()
  for (const line of lines) byId.set(line.uuid, { ...line, order: byId.get(line.uuid)?.order ?? line.order })
  const unique = [...byId.values()]
  const relink = keptMessages(unique, byId)
  const parentOf = (line: Line): string | undefined => relink.get(line.uuid) ?? line.parent

  const leaf = leafOf(nodes, unique, byId, lines)
  const path: Line[] = []
  const seen = new Set<string>()
  for (let at = leaf; at; ) {
    path.push(at)
    seen.add(at.uuid)
    const parent = parentOf(at)
    if (parent === undefined) break
    const next = byId.get(parent)
    if (next && !seen.has(parent)) {
      at = next
      continue
    }
    const child: Line = at
    // Where nothing stands before it nothing is lost: it becomes the root.
    at = unique.filter((line) => line.order < child.order && !line.side && !seen.has(line.uuid)).at(-1)
    if (at) faults.push(`${child.where}: the parent ${next ? 'closes a ring' : 'is not there'}`)
  }
  path.reverse()
  return { conversations: [messagesOf(path, unique)], faults }
}

/** Where the newest compaction kept messages, they are linked between its summary and what follows it. */
function keptMessages(lines: readonly Line[], byId: ReadonlyMap<string, Line>): Map<string, string> {
  const relink = new Map<string, string>()
  const boundary = lines.filter(({ value }) => value.subtype === 'compact_boundary').at(-1)
  const data = boundary?.value.compactMetadata
  const kept = isObject(data) ? data.preservedMessages : undefined
  if (!isObject(kept) || !Array.isArray(kept.uuids) || kept.uuids.length === 0) return relink
  const uuids = kept.uuids.map(asString)
  const anchor = asString(kept.anchorUuid)
  if (uuids.some((uuid) => !byId.has(uuid)) || !byId.has(anchor)) return relink
  for (const line of lines)
    if (line.parent === anchor && !uuids.includes(line.uuid)) relink.set(line.uuid, uuids.at(-1)!)
  uuids.forEach((uuid, i) => {
    relink.set(uuid, i > 0 ? uuids[i - 1]! : anchor)
  })
  return relink
}

function leafOf(
  nodes: readonly Node[],
  unique: readonly Line[],
  byId: ReadonlyMap<string, Line>,
  lines: readonly Line[],
): Line | undefined {
  const prompt = nodes.filter(({ value }) => value.type === 'last-prompt' && byId.has(asString(value.leafUuid))).at(-1)
  const last = lines.filter(({ side, type }) => !side && type !== 'progress').at(-1)
  const named = prompt && byId.get(asString(prompt.value.leafUuid))
  if (!named) return last && byId.get(last.uuid)
  // From a node that is no tip it goes on to the last one that hangs on it.
  let tip = named
  const below = new Set([named.uuid])
  for (const line of unique) {
    if (line.side || line.parent === undefined || !below.has(line.parent)) continue
    below.add(line.uuid)
    if (line.type !== 'progress') tip = line
  }
  return tip
}

function messagesOf(path: readonly Line[], all: readonly Line[]): Said[] {
  const onPath = new Set(path.map(({ uuid }) => uuid))
  const groupOf = (line: Line): string =>
    line.type === 'assistant' && isObject(line.value.message) ? asString(line.value.message.id) : ''
  const groups = new Map<string, Line[]>()
  for (const line of all) {
    const group = groupOf(line)
    if (group !== '' && !line.side) groups.set(group, [...(groups.get(group) ?? []), line])
  }
  const messages: Said[] = []
  const done = new Set<string>()
  const placed = new Set<string>()
  for (const line of path) {
    const group = groupOf(line)
    if (group === '') {
      const said = placed.has(line.uuid) ? undefined : sent(line)
      if (said) messages.push(said)
      continue
    }
    if (done.has(group)) continue
    done.add(group)
    const whole = groups.get(group) ?? [line]
    const lines = whole.flatMap((each) => sent(each) ?? [])
    if (lines.length === 0) continue
    const parts = lines.flatMap((each) => each.parts)
    messages.push({ role: 'assistant', parts, content: parts, where: line.where })
    // Results of parallel calls hang on lines beside the one that the walk takes.
    const members = new Set(whole.map(({ uuid }) => uuid))
    const beside: Line[] = []
    for (const other of all) {
      if (other.type !== 'user' || onPath.has(other.uuid) || !members.has(other.parent ?? '')) continue
      if (sent(other)?.parts.some(({ kind }) => kind === 'result')) beside.push(other)
    }
    if (beside.length === 0) continue
    // All results of the turn lie in the order in which they were written.
    const rest = path.slice(path.findLastIndex(({ uuid }) => members.has(uuid)) + 1)
    const stop = rest.findIndex((each) => each.type === 'assistant' || sent(each)?.parts[0]?.kind === 'text')
    const run = (stop < 0 ? rest : rest.slice(0, stop)).filter((each) => sent(each)?.parts[0]?.kind === 'result')
    for (const each of [...beside, ...run].sort((a, b) => a.order - b.order)) {
      messages.push(sent(each)!)
      placed.add(each.uuid)
    }
  }
  return messages
}

function sent(line: Line): Said | undefined {
  if (line.type !== 'user' && line.type !== 'assistant') return undefined
  const node = inside(line, 'message')
  if (!node) return undefined
  const said = readMessage({ ...node, where: line.where }, 'anthropic')
  if (said.content === null || said.content === undefined) return undefined
  if (Array.isArray(said.content) && said.content.length === 0) return undefined
  // An answer without a word is left out.
  if (line.type === 'assistant' && typeof said.content === 'string' && said.content.trim() === '') return undefined
  return { ...said, role: line.type }
}
