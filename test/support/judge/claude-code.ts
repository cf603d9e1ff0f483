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
    // A compaction begins anew, whatever parent it gives.
    const isRoot = typeof parentUuid !== 'string' || node.value.subtype === 'compact_boundary'
    const parent = isRoot ? undefined : parentUuid
    lines.push({ ...node, type: asString(type), uuid, parent, side: isSidechain === true, order: lines.length })
  }
  // Of lines with one uuid the last one counts, where the first one stood.
  const byId = new Map<string, Line>()
  for (const line of lines) byId.set(line.uuid, { ...line, order: byId.get(line.uuid)?.order ?? line.order })
  const unique = [...byId.values()]
  const relink = keptMessages(unique, byId)
  const parentOf = (line: Line): string | undefined => relink.get(line.uuid) ?? line.parent

  const leaf = leafOf(nodes, byId, lines, relink)
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

/**
 * The last line of the main chain; or the line that a `last-prompt` behind the newest compaction names, where the last one does not
 * descend from it. Lines without a message before them cannot be the end.
 */
function leafOf(
  nodes: readonly Node[],
  byId: ReadonlyMap<string, Line>,
  lines: readonly Line[],
  kept: ReadonlyMap<string, string>,
): Line | undefined {
  const above = (from: Line | undefined): Line[] => {
    const chain: Line[] = []
    const seen = new Set<string>()
    for (let at = from; at && !seen.has(at.uuid); at = byId.get(kept.get(at.uuid) ?? at.parent ?? '')) {
      seen.add(at.uuid)
      chain.push(at)
    }
    return chain
  }
  const isEnd = (from: Line): boolean => {
    const chain = above(from)
    const root = chain.at(-1)!
    return chain.some((line) => sent(line) !== undefined) || (root.parent !== undefined && !byId.has(root.parent))
  }
  const main = lines.filter(({ side, type }) => !side && type !== 'progress').map(({ uuid }) => byId.get(uuid)!)
  const boundary = nodes.findLastIndex(({ value }) => value.subtype === 'compact_boundary')
  const pointer = nodes.slice(boundary + 1).findLast(({ value }) => value.type === 'last-prompt' && value.leafUuid)
  const named = byId.get(asString(pointer?.value.leafUuid))
  // What a compaction that keeps some lines left out is not there any more.
  const cut = byId.get(asString(nodes[boundary]?.value.uuid))?.order ?? -1
  const isGone = named && kept.size > 0 && named.order < cut && !kept.has(named.uuid)
  if (named && !named.side && !isGone && !above(main.at(-1)).includes(named) && isEnd(named)) return named
  return main.findLast(isEnd) ?? main.at(-1)
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
