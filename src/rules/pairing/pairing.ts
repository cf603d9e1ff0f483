import { Flag, toolKind } from '../../model/blocks.ts'
import type { Conversation } from '../../model/document.ts'
import type { Target } from '../../targets/target.ts'
import type { Id } from '../../text/ids.ts'
import { NO_ID } from '../../text/ids.ts'
import { answer, inOneTurn, type Repeat, repeatsIn } from './answers.ts'
import type { Call, Result, Turn } from './turns.ts'
import { isAstray, isOwnResult, joinsTurnsOf, newTurn, turnsOf } from './turns.ts'

/** A server tool's call without result, or its result without call. */
export interface Unpaired {
  readonly block: Turn['server'][number]['block']
  readonly message: Turn['server'][number]['message']
  readonly turn: Turn
}

/** What became of every call and every result of a conversation. Each fault stands in one list only. */
export interface Pairing {
  /** Calls that no result answers. */
  readonly open: readonly Call[]
  /** Results of the right id in the wrong place. */
  readonly displaced: readonly Result[]
  /** Results that answer their call under another id. */
  readonly misnamed: readonly Result[]
  /** Results behind other parts of the message in which the provider looks for them. */
  readonly behindText: readonly Result[]
  /** Further results for a call that is answered. */
  readonly surplus: readonly Result[]
  /** Results that no call explains. */
  readonly orphans: readonly Result[]
  /** Calls with an id that an earlier call has. */
  readonly repeats: readonly Repeat[]
  readonly openServer: readonly Unpaired[]
  readonly orphanServer: readonly Unpaired[]
  /** Calls that are stored without an id. */
  readonly nameless: readonly Call[]
  readonly lastTurn: Turn
}

const known = new WeakMap<Conversation, Map<Target, Pairing>>()

/** Pairs the calls and results of a conversation as the provider would; done once, read by all rules of the family. */
export function pairingOf(conversation: Conversation, target: Target): Pairing {
  let byTarget = known.get(conversation)
  if (!byTarget) known.set(conversation, (byTarget = new Map()))
  let pairing = byTarget.get(target)
  if (!pairing) byTarget.set(target, (pairing = pair(conversation, target)))
  return pairing
}

function pair(conversation: Conversation, target: Target): Pairing {
  if (isWhole(conversation, target)) return WHOLE
  const turns = turnsOf(conversation, target)
  const repeats = repeatsIn(turns)
  const copies = new Set(repeats.filter(inOneTurn).map((repeat) => repeat.call))
  answer(turns, copies)
  const open: Call[] = []
  const displaced: Result[] = []
  const misnamed: Result[] = []
  const behindText: Result[] = []
  const surplus: Result[] = []
  const orphans: Result[] = []
  const nameless: Call[] = []
  const openServer: Unpaired[] = []
  const orphanServer: Unpaired[] = []
  for (const turn of turns) {
    for (const call of turn.calls) {
      if (!call.answer && !copies.has(call)) open.push(call)
      if (call.block.id === NO_ID) nameless.push(call)
    }
    for (const result of turn.results) {
      const call = result.call
      if (!call) orphans.push(result)
      else if (call.answer !== result) surplus.push(result)
      else if (isMisnamed(result, call, target)) misnamed.push(result)
      else if (isAstray(result) || isOfOtherKind(result)) displaced.push(result)
      else if (result.place === 'behind-text') behindText.push(result)
    }
    if (turn.server.length > 0) pairServerTools(turn, openServer, orphanServer)
  }
  const lastTurn = turns.at(-1)!
  return {
    open,
    displaced,
    misnamed,
    behindText,
    surplus,
    orphans,
    repeats,
    openServer,
    orphanServer,
    nameless,
    lastTurn,
  }
}

/** A pairing in which every call is answered in its place. */
const WHOLE: Pairing = {
  open: [],
  displaced: [],
  misnamed: [],
  behindText: [],
  surplus: [],
  orphans: [],
  repeats: [],
  openServer: [],
  orphanServer: [],
  nameless: [],
  lastTurn: newTurn(0),
}

/**
 * Whether each call has an id of its own and exactly one result, of its kind and in its place: as in {@link turnsOf}, but
 * without keeping anything, since most conversations are like that. Whatever is out of the ordinary answers no.
 */
function isWhole(conversation: Conversation, target: Target): boolean {
  const joinsTurns = joinsTurnsOf(conversation, target)
  const unnamed = needsIds(target) ? Flag.unnamed : 0
  const seen = new Set<Id>()
  /** The calls of the turn that wait for their result, each with its kind. */
  const waiting = new Map<Id, number>()
  let afterAssistant = false
  let looking = false
  for (const message of conversation.messages) {
    const { role, blocks } = message
    if (role === 'assistant') {
      if (waiting.size > 0 && !(afterAssistant && joinsTurns)) return false
      for (const block of blocks) {
        if (block.kind === 'tool-call') {
          if (block.id === NO_ID || seen.has(block.id)) return false
          seen.add(block.id)
          waiting.set(block.id, toolKind(block))
        } else if (block.kind !== 'text' && block.kind !== 'thinking' && block.kind !== 'media') return false
      }
      afterAssistant = looking = true
      continue
    }
    for (const block of blocks) {
      if (block.kind !== 'tool-result') looking = false
      else if (!looking || waiting.get(block.id) !== toolKind(block) || block.is(unnamed)) return false
      else waiting.delete(block.id)
    }
    if (target.results.layout === 'equal-count' && !isOwnResult(message)) looking = false
    afterAssistant = false
  }
  return waiting.size === 0
}

/**
 * Whether a result answers its call under another id, or under none where the provider joins them by ids: what is sent without one
 * answers nothing (Qwen Code sends `tool_call_id: ''`, `converter.ts`).
 */
export function isMisnamed({ block }: Result, call: Call, target: Target): boolean {
  if (block.is(Flag.unnamed)) return needsIds(target) && call.block.id !== NO_ID && !call.block.is(Flag.unnamed)
  return block.id !== call.block.id
}

/** Chat Completions, whatever shape a session keeps; Gemini and Ollama join by names and order. */
const needsIds = ({ dialect }: Target): boolean => dialect === 'openai-chat'

/** Whether a result is of another kind of tools than its call: such a one does not answer it. */
export function isOfOtherKind({ block, call }: Result): boolean {
  return call !== undefined && toolKind(block) !== toolKind(call.block)
}

/** Results of server tools follow their call in the assistant's own turn. */
function pairServerTools(turn: Turn, open: Unpaired[], orphans: Unpaired[]): void {
  const waiting = new Map<Id, Unpaired>()
  for (const { block, message } of turn.server) {
    if (block.kind === 'server-call') waiting.set(block.id, { block, message, turn })
    else if (!waiting.delete(block.id)) orphans.push({ block, message, turn })
  }
  open.push(...waiting.values())
}
