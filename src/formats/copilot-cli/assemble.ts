import type { Assembly, ChainBreak, Conversation, Entry, Message } from '../../model/document.ts'
import { isTornBetween } from '../../model/rows.ts'
import { type Id, type Ids, NO_ID } from '../../text/ids.ts'
import type { Skeleton } from '../format.ts'
import { factsOf } from './records.ts'

/**
 * The conversations of a session, each in the order of the file: the links name the event that was written before and choose
 * nothing. Events of a subagent stand among the main agent's wherever they were written, and are a conversation of their own.
 */
export function assemble(document: Skeleton): Assembly {
  const { ids } = document
  const path: Entry[] = []
  const agents = new Map<Id, Entry[]>([[NO_ID, []]])
  for (const entry of document.entries()) {
    entry.onPath = entry.kind !== 'damaged'
    if (!entry.onPath) continue
    path.push(entry)
    const { agent } = factsOf(entry)
    const events = agents.get(agent)
    if (events) events.push(entry)
    else agents.set(agent, [entry])
  }
  const conversations = Array.from(agents, ([agent, events]) => converse(agent, events, ids))
  const [main] = conversations
  const chain = {
    leaf: path.at(-1),
    path,
    breaks: document.records.hasOdd ? breaksIn(path, document) : [],
    lost: [],
    shared: [],
    compactions: [],
    foreign: [],
  }
  return { conversations: conversations.filter(({ messages }) => messages.length > 0), chain, target: targetOf(main) }
}

/**
 * Events that hang on the torn one before them. Elsewhere a parent that is not there is no fault: events that are not kept may
 * have stood between.
 */
function breaksIn(path: readonly Entry[], document: Skeleton): ChainBreak[] {
  const known = new Set<Id>()
  for (const entry of document.entries()) known.add(entry.id)
  const breaks: ChainBreak[] = []
  for (let i = 1; i < path.length; i++) {
    const entry = path[i]!
    const next = path[i - 1]!
    if (entry.parent === NO_ID || known.has(entry.parent) || !isTornBetween(document, next.record, entry.record))
      continue
    breaks.push({ kind: 'missing-parent', entry, next })
  }
  return breaks
}

function converse(agent: Id, events: readonly Entry[], ids: Ids): Conversation {
  const newest = events.findLast((entry) => factsOf(entry).model !== NO_ID)
  return {
    label: agent === NO_ID ? 'session' : `subagent ${ids.text(agent)}`,
    role: agent === NO_ID ? 'main' : 'subagent',
    root: 'messages',
    messages: messagesOf(events),
    model: newest && ids.text(factsOf(newest).model),
  }
}

/**
 * What is sent: the newest summary, and what was said since its compaction was begun. A result whose call is among what was
 * summed up is no orphan: how the client parts the two is not established, so neither is accused (github/copilot-cli#1005).
 */
function messagesOf(events: readonly Entry[]): Message[] {
  const place = events.findLastIndex(({ kind }) => kind === 'checkpoint')
  if (place < 0) return events.filter(isMessage)
  const begun = events.findLastIndex((entry, i) => i < place && factsOf(entry).type === 'session.compaction_start')
  const from = begun < 0 ? place : begun
  const calls = new Set<Id>()
  for (const { blocks } of events.slice(0, from)) {
    for (const { kind, id } of blocks) if (kind === 'tool-call') calls.add(id)
  }
  const since = events.slice(from).filter(isMessage)
  return [
    events[place]!,
    ...since.filter(({ blocks }) => !blocks.some((b) => b.kind === 'tool-result' && calls.has(b.id))),
  ]
}

function isMessage({ kind, role }: Entry): boolean {
  return kind === 'message' && role !== 'unknown'
}

/** Copilot passes the messages on to the provider of the model; one that is not named is mostly one of Anthropic's. */
function targetOf(main: Conversation | undefined): string {
  return /^(?:gpt|o\d|gemini|grok)/i.test(main?.model ?? '') ? 'openai-chat' : 'anthropic'
}
