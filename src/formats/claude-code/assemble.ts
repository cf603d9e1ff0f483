import { inherit, lostBranches, parentsOf, sharedIds } from '../../model/chain.ts'
import type { Assembly, Chain, ChainBreak, Conversation, Entry } from '../../model/document.ts'
import { Links, NOWHERE } from '../../model/links.ts'
import { type Walk, walk } from '../../model/walk.ts'
import { type Id, type Ids, NO_ID } from '../../text/ids.ts'
import type { Skeleton } from '../format.ts'
import { type Compaction, compactionFaults, readCompaction } from './compaction.ts'
import { foldMessages, type SideRecords } from './fold.ts'
import { chooseLeaf, isMain } from './leaf.ts'
import { has, nature, Trait } from './nature.ts'
import { isPrompt, isResults, isSent } from './sent.ts'

/** What the records of a session amount to when Claude Code loads it. */
export function assemble(document: Skeleton): Assembly {
  const { ids } = document
  const entries: Entry[] = []
  const pointers: Entry[] = []
  let isLinked = false
  for (const entry of document.entries()) {
    entry.onPath = false
    if (entry.kind === 'bookkeeping') pointers.push(entry)
    else {
      // What stood before a compaction steers nothing any more.
      if (entry.kind === 'checkpoint') pointers.length = 0
      entries.push(entry)
      isLinked ||= entry.id !== NO_ID && has(entry, Trait.linked)
    }
  }
  if (!isLinked) return { conversations: inFileOrder(entries, ids) }
  const links = new Links(entries, ids.size, document.records.count)
  const compaction = readCompaction(links, ids)
  const leaf = chooseLeaf(links, pointers, compaction)
  const subagents = sidechains(links, ids, leaf === undefined)
  if (!leaf) return subagents
  const { chain, conversation } = mainChain(links, ids, leaf, compaction)
  return { chain, conversations: [conversation, ...subagents.conversations] }
}

/** A file whose records name no parents: excerpts and exports by other tools. */
function inFileOrder(entries: readonly Entry[], ids: Ids): Conversation[] {
  const sent = entries.filter(isSent)
  for (const entry of sent) entry.onPath = true
  if (sent.length === 0) return []
  const messages = foldMessages(sent, NO_SIDES, ids.size, () => 0)
  const role = sent.every((entry) => has(entry, Trait.sidechain)) ? 'subagent' : 'main'
  return [{ label: 'session', role, root: 'messages', messages, model: modelOf(sent, ids) }]
}

const NO_SIDES: SideRecords = { parts: new Map(), results: new Map() }

function mainChain(
  links: Links,
  ids: Ids,
  leaf: Entry,
  compaction: Compaction,
): { chain: Chain; conversation: Conversation } {
  // Nothing was written behind the summary yet: what is kept follows it all the same.
  const start =
    compaction.kept.length > 0 && compaction.parent(compaction.kept[0]!) === leaf ? compaction.kept.at(-1)! : leaf
  const walked = walk(links, start, { parent: compaction.parent, bridge: isMain })
  const sides = sideRecords(links, ids, walked)
  const conversation = converse(links, ids, walked.path, sides, 'session', 'main')
  const shared = sharedIds(links, walked.path, walked.shared)
  const breaks = [...walked.breaks, ...lostResults(links, conversation)]
  const isBroken = breaks.length > 0 || shared.some(({ effect }) => effect === 'harmful')
  const loaded = new Set([...sides.parts.values(), ...sides.results.values()].flat())
  const chain: Chain = {
    leaf: start,
    path: walked.path,
    breaks,
    // While the chain itself is broken nobody can tell which side of a fork was meant.
    lost: isBroken
      ? []
      : lostBranches(links, walked.path, {
          isLoaded: (entry) => loaded.has(entry),
          isPrompt,
          isForeign: (entry) => has(entry, Trait.sidechain),
        }),
    shared,
    compactions: compactionFaults(links, walked.path, compaction),
    foreign: [],
  }
  return { chain, conversation }
}

function converse(
  links: Links,
  ids: Ids,
  path: readonly Entry[],
  sides: SideRecords,
  label: string,
  role: Conversation['role'],
): Conversation {
  for (const entry of path) entry.onPath = true
  for (const list of [...sides.parts.values(), ...sides.results.values()]) for (const entry of list) entry.onPath = true
  const messages = foldMessages(path, sides, ids.size, (entry) => links.placeOf(entry))
  return { label, role, root: 'messages', messages, model: modelOf(path, ids) }
}

/**
 * Parallel calls form a tree: each result hangs on the record of its own call, so the path passes by some of them. The client
 * loads them all the same: records with the `message.id` of a message on the path, and results that hang on such records.
 */
function sideRecords(links: Links, ids: Ids, { path }: Walk): SideRecords {
  if (path.length === links.count) return NO_SIDES
  const parts = new Map<Id, Entry[]>()
  const results = new Map<Id, Entry[]>()
  const groups = new Uint8Array(ids.size)
  const walked = new Uint8Array(links.count)
  for (const entry of path) {
    walked[links.placeOf(entry)] = 1
    if (entry.role === 'assistant' && entry.group !== NO_ID) groups[entry.group] = 1
  }
  for (let place = 0; place < links.count; place++) {
    const entry = links.list[place]!
    if (walked[place] || entry.kind !== 'message' || !links.isRepresentative(place)) continue
    if (entry.role === 'assistant') {
      if (groups[entry.group]) add(parts, entry.group, entry)
      continue
    }
    const holder = links.entry(entry.parent)
    if (holder?.role !== 'assistant' || !groups[holder.group]) continue
    if (entry.blocks.some((block) => block.kind === 'tool-result')) add(results, holder.group, entry)
  }
  return { parts, results }
}

/**
 * Results beside the path whose parent is not there, while the call that they answer is loaded and has no result: their
 * place is behind the record of that call.
 */
function lostResults(links: Links, { messages }: Conversation): ChainBreak[] {
  const open = new Map<Id, Entry>()
  for (const { blocks } of messages) {
    for (const { kind, id, entry } of blocks) {
      if (kind === 'tool-call') open.set(id, entry)
      else if (kind === 'tool-result') open.delete(id)
    }
  }
  if (open.size === 0) return []
  const breaks: ChainBreak[] = []
  for (const entry of links.list) {
    if (entry.onPath || !isResults(entry) || !isMain(entry) || links.entry(entry.parent)) continue
    const call = open.get(entry.blocks[0]!.id)
    if (!call || !entry.blocks.every(({ id }) => open.has(id))) continue
    for (const { id } of entry.blocks) open.delete(id)
    breaks.push({ kind: 'missing-parent', entry, next: call })
  }
  return breaks
}

function add(map: Map<Id, Entry[]>, key: Id, entry: Entry): void {
  const list = map.get(key)
  if (list) list.push(entry)
  else map.set(key, [entry])
}

/** The conversations of subagents: records of one `agentId` where they say so, else those of one root. */
function sidechains(links: Links, ids: Ids, alone: boolean): Assembly {
  if (!links.list.some((entry) => has(entry, Trait.sidechain))) return { conversations: [] }
  const parents = parentsOf(links)
  const isSide = (place: number): boolean => has(links.list[place]!, Trait.sidechain)
  const roots = inherit(
    parents,
    (place) => (parents[place] === NOWHERE || !isSide(parents[place]!) ? place : undefined),
    NOWHERE,
  )
  const leaves = new Map<string, Entry>()
  for (let place = 0; place < links.count; place++) {
    const entry = links.list[place]!
    if (!isSide(place) || entry.kind === 'damaged' || !has(entry, Trait.leaf)) continue
    const { agent } = nature(entry)
    leaves.set(agent === NO_ID ? `root ${roots[place]}` : `agent ${agent}`, entry)
  }
  const conversations: Conversation[] = []
  let chain: Chain | undefined
  for (const leaf of leaves.values()) {
    const { agent } = nature(leaf)
    const inAgent = (entry: Entry): boolean =>
      has(entry, Trait.sidechain) && has(entry, Trait.leaf) && nature(entry).agent === agent
    const isOnly = alone && leaves.size === 1
    const walked = walk(links, leaf, isOnly ? { bridge: inAgent } : {})
    const label = agent === NO_ID ? `subagent ${conversations.length + 1}` : `subagent ${ids.text(agent)}`
    const sides = isOnly ? sideRecords(links, ids, walked) : NO_SIDES
    conversations.push(converse(links, ids, walked.path, sides, label, 'subagent'))
    if (isOnly) {
      const { path, breaks } = walked
      const shared = sharedIds(links, path, walked.shared)
      chain = { leaf, path, breaks, shared, lost: [], compactions: [], foreign: [] }
    }
  }
  return { conversations, chain }
}

/** The newest model that answered; the client's own messages name none. */
function modelOf(path: readonly Entry[], ids: Ids): string | undefined {
  for (let i = path.length - 1; i >= 0; i--) {
    const { model } = nature(path[i]!)
    if (model === NO_ID) continue
    const name = ids.text(model)
    if (name !== '<synthetic>') return name
  }
  return undefined
}
