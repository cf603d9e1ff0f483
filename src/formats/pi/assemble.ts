import { type Block, Flag, flagged } from '../../model/blocks.ts'
import { lostBranches, sharedIds } from '../../model/chain.ts'
import type { Assembly, Chain, CompactionFault, Conversation, Entry, LostBranch } from '../../model/document.ts'
import { Links } from '../../model/links.ts'
import { RowKind } from '../../model/rows.ts'
import { walk } from '../../model/walk.ts'
import { type Ids, NO_ID } from '../../text/ids.ts'
import type { Skeleton } from '../format.ts'
import { contextOf } from './context.ts'
import { factsOf, has, Trait } from './records.ts'

/** What the records of a session amount to when pi 1.6.0 loads it. */
export function assemble(document: Skeleton): Assembly {
  const { ids } = document
  const entries: Entry[] = []
  let header: Entry | undefined
  let torn: Entry | undefined
  for (const entry of document.entries()) {
    entry.onPath = false
    if (has(entry, Trait.header)) header ??= entry
    else if (has(entry, Trait.tornHeader)) torn ??= entry
    else entries.push(entry)
  }
  // Without one pi refuses the file, and nothing else in it says which session it is.
  const unsaid = 'the id of the session (pi ends the name of the file with it)'
  const fault = header ? undefined : { value: torn && factsOf(torn).names?.header, unsaid }
  if (isLinear(header, entries)) {
    const path = entries.filter(({ kind }) => kind !== 'damaged')
    const rows = parsedRows(document)
    return {
      header: fault,
      ...converse(path, path, ids, (compaction) => {
        const first = rows[factsOf(compaction).names?.keptIndex ?? -1]
        const place = path.findIndex(({ record }) => record === first)
        return place < 0 ? path.length : place
      }),
    }
  }
  return { ...assembleTree(document, entries), header: fault }
}

/** Whether pi links the records by their order: version 1, whatever ids may stand there. */
function isLinear(header: Entry | undefined, entries: readonly Entry[]): boolean {
  if (!header) return entries.every(({ id }) => id === NO_ID)
  return (factsOf(header).names?.version ?? 1) < 2
}

/** The records in the order in which version 1 counts them. */
export function parsedRows({ records }: Pick<Skeleton, 'records'>): number[] {
  const rows: number[] = []
  const order = records.order()
  for (let i = 0; i < order.length; i++) if (records.kind(order[i]!) === RowKind.record) rows.push(order[i]!)
  return rows
}

/** The leaf is the last record of the file, of whatever type; a parent that is not there ends the path without a word. */
function assembleTree(document: Skeleton, entries: readonly Entry[]): Assembly {
  const { ids } = document
  const links = new Links(entries, ids.size, document.records.count)
  const leaf = links.list.findLast(({ kind }) => kind !== 'damaged')
  if (!leaf) return { conversations: [] }
  const whole = walk(links, leaf, { bridge: ({ kind }) => kind !== 'damaged' })
  const broken = new Set(whole.breaks.map(({ entry }) => entry))
  let start = whole.path.length - 1
  while (start > 0 && !broken.has(whole.path[start]!) && whole.path[start - 1]!.kind !== 'damaged') start--
  const path = whole.path.slice(start)

  const { faults, ...assembly } = converse(path, whole.path, ids, (compaction, place) => {
    const id = factsOf(compaction).names?.kept ?? NO_ID
    const first = id === NO_ID ? -1 : path.findIndex((entry, i) => i < place && entry.id === id)
    return first < 0 ? path.length : first
  })
  const chain: Chain = {
    leaf,
    path,
    breaks: whole.breaks,
    lost: lostIn(links, whole.path),
    shared: sharedIds(links, path, whole.shared),
    compactions: [...faults, ...brokenIn(path, start === 0 ? whole.path : undefined)],
    foreign: [],
  }
  return { ...assembly, chain }
}

function converse(
  path: readonly Entry[],
  whole: readonly Entry[],
  ids: Ids,
  keptAt: (compaction: Entry, place: number) => number,
): Assembly & { readonly faults: readonly CompactionFault[] } {
  for (const entry of path) entry.onPath = true
  const { messages, faults } = contextOf(path, keptAt)
  const newest = whole.findLast((entry) => factsOf(entry).model !== NO_ID)
  const answer = whole.findLast((entry) => entry.role === 'assistant')
  if (newest) for (const entry of path) if (isOfAnother(entry, newest)) markForeign(entry)
  const conversation: Conversation = {
    label: 'session',
    role: 'main',
    root: 'messages',
    messages,
    answersAtOnce: true,
    model: newest && ids.text(factsOf(newest).model),
  }
  const target = answer && targetOf(ids.text(factsOf(answer).api), ids.text(factsOf(answer).provider))
  return { conversations: [conversation], target, faults }
}

/** Whether another model gave an answer than the one that is asked next: pi then gives its calls ids that the API takes. */
function isOfAnother(entry: Entry, newest: Entry): boolean {
  if (entry.role !== 'assistant' || entry.kind !== 'message') return false
  const { api, provider, model } = factsOf(entry)
  const next = factsOf(newest)
  return model !== next.model || provider !== next.provider || (next.api !== NO_ID && api !== next.api)
}

/**
 * Marks the calls of such an answer (those of the Responses API bear two ids in one and are always taken apart), its texts, whose
 * items get new ids, too, and its thinking, which pi leaves out or sends as a text.
 */
function markForeign(entry: Entry): void {
  const markOf = ({ kind }: Block): number =>
    kind === 'tool-call' || kind === 'text' ? Flag.renamedBySender : kind === 'thinking' ? Flag.foreign : 0
  if (entry.blocks.some((block) => markOf(block) !== 0 && !block.is(markOf(block))))
    entry.blocks = entry.blocks.map((block) => (markOf(block) === 0 ? block : flagged(block, markOf(block))))
}

/** Provider rules by the API that pi names in each answer (pi 1.6.0, `packages/ai/src/api`); older versions name the provider only. */
const TARGETS: Readonly<Record<string, string>> = {
  'anthropic-messages': 'anthropic',
  'openai-completions': 'openai-chat',
  'openai-responses': 'openai-responses',
  'azure-openai-responses': 'openai-responses',
  'openai-codex-responses': 'openai-responses',
  'google-generative-ai': 'gemini',
  'google-vertex': 'gemini',
  'mistral-conversations': 'mistral',
  'bedrock-converse-stream': 'bedrock-converse',
}

function targetOf(api: string, provider: string): string | undefined {
  if (Object.hasOwn(TARGETS, api)) return TARGETS[api]
  return api === '' && provider === 'anthropic' ? 'anthropic' : undefined
}

/**
 * Sides that a late note or result cut off. Going back to another place of the tree is part of using pi, and a change of the model
 * or an extension's state may then come first: only a note that is written beside the conversation shows that nobody went back.
 */
function lostIn(links: Links, path: readonly Entry[]): LostBranch[] {
  const sides = {
    isLoaded: (entry: Entry) => has(entry, Trait.failed),
    isPrompt: (entry: Entry) => has(entry, Trait.prompt),
    isForeign: () => false,
  }
  return lostBranches(links, path, sides).filter(({ live }) => live.kind === 'message' || has(live, Trait.stray))
}

/** A newest compaction whose first kept entry is not before it: pi loads nothing from before it. */
function brokenIn(path: readonly Entry[], whole: readonly Entry[] | undefined): CompactionFault[] {
  const place = path.findLastIndex(({ kind }) => kind === 'checkpoint')
  const entry = path[place]
  const kept = entry && factsOf(entry).names?.kept
  // Where the path itself is broken, that is told of, and mending it may bring the entry back.
  if (!entry || !whole || !kept || kept === entry.id) return []
  if (path.some(({ id }, i) => i < place && id === kept)) return []
  const message = 'the first entry that this compaction keeps is not before it: nothing of what it keeps is loaded'
  return [{ kind: 'broken-compaction', entry, message }]
}
