import { type Block, Flag, toolKind } from '../../model/blocks.ts'
import type { Conversation } from '../../model/document.ts'
import type { Target } from '../../targets/target.ts'
import type { Id } from '../../text/ids.ts'
import { NO_ID } from '../../text/ids.ts'
import type { Call, Result, Turn } from './turns.ts'
import { isAstray, isOwnResult, joinsTurnsOf, newTurn, turnsOf } from './turns.ts'

/** A call whose id was taken before it, by the call `earlier`. */
export interface Repeat {
  readonly call: Call
  readonly earlier: Call
}

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
  // Neighbours come first: a result that strayed never takes a call away from the result behind it.
  for (const turn of turns) answerInPlace(turn)
  const stray: Result[] = []
  for (const turn of turns) for (const result of turn.results) if (!result.call) stray.push(result)
  if (stray.length > 0) {
    answerFromAfar(turns, stray)
    answerFromOtherKinds(turns, stray)
    adoptLeftOvers(stray, repeats)
  }

  const copies = new Set(repeats.filter(inOneTurn).map((repeat) => repeat.call))
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

/** Whether the two calls are of one turn; the provider cannot tell their results apart. */
export const inOneTurn = (repeat: Repeat): boolean => repeat.call.turn === repeat.earlier.turn

/** More than there are kinds of tools. */
const KINDS = 16

/** What joins a call and its result: the id, within one kind of tools; without ids (Gemini) the name of the tool. */
function keyOf(block: Block): number {
  return block.id === NO_ID ? -1 - block.name : block.id * KINDS + toolKind(block)
}

/** The same for another id of the call. */
const aliasKey = (call: Block, alias: Id): number => alias * KINDS + toolKind(call)

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

function repeatsIn(turns: readonly Turn[]): Repeat[] {
  const repeats: Repeat[] = []
  const latest = new Map<number, Call>()
  for (const turn of turns) {
    for (const call of turn.calls) {
      if (call.block.id === NO_ID) continue
      const key = keyOf(call.block)
      const earlier = latest.get(key)
      if (earlier) repeats.push({ call, earlier })
      latest.set(key, call)
    }
  }
  return repeats
}

const isSynthetic = (result: Result): boolean => result.block.is(Flag.synthetic)

/** Whether the call would rather have this result than what it has. */
function wants(call: Call, result: Result): boolean {
  return !call.answer || (isSynthetic(call.answer) && !isSynthetic(result))
}

function give(call: Call, result: Result): void {
  result.call = call
  const isBetter = wants(call, result)
  const other = isBetter ? call.answer : result
  if (other) call.surplus.push(other)
  if (isBetter) call.answer = result
}

/** Calls of one key, in order. */
class Shelf {
  readonly calls: Call[] = []
  /** How many of the calls were passed. */
  passed = 0
  /** Passed calls that are not answered for good, newest last. */
  readonly waiting: Call[] = []
  /** No call before this one still waits; used when looking ahead. */
  ahead = 0

  static of(shelves: Map<number, Shelf>, key: number): Shelf {
    let shelf = shelves.get(key)
    if (!shelf) shelves.set(key, (shelf = new Shelf()))
    return shelf
  }

  /** The first call that has no result yet; else the last one. */
  first(): Call {
    while (this.passed < this.calls.length - 1 && this.calls[this.passed]!.answer) this.passed++
    return this.calls[this.passed]!
  }

  /** The call that a stray result belongs to: the nearest before it that still waits, else the nearest before it, else the next that waits. */
  near(result: Result): Call | undefined {
    for (; this.passed < this.calls.length; this.passed++) {
      const call = this.calls[this.passed]!
      if (call.turn.index > result.turn.index) break
      if (!call.answer || isSynthetic(call.answer)) this.waiting.push(call)
    }
    while (this.waiting.length > 0) {
      const call = this.waiting.at(-1)!
      if (wants(call, result)) return call
      if (isSynthetic(call.answer!)) break
      this.waiting.pop()
    }
    if (this.passed > 0) return this.calls[this.passed - 1]
    while (this.ahead < this.calls.length && !wants(this.calls[this.ahead]!, result)) this.ahead++
    return this.calls[this.ahead]
  }
}

function answerInPlace(turn: Turn): void {
  const { calls, results } = turn
  if (calls.length === 0 || results.length === 0) return
  const [call, result] = [calls[0]!, results[0]!]
  if (calls.length === 1 && results.length === 1 && keyOf(call.block) === keyOf(result.block)) {
    // What nearly every turn is.
    if (result.place !== 'elsewhere') give(call, result)
    return
  }
  const byKey = new Map<number, Shelf>()
  const byAlias = new Map<number, Shelf>()
  for (const call of calls) {
    Shelf.of(byKey, keyOf(call.block)).calls.push(call)
    for (const alias of call.block.aliases) Shelf.of(byAlias, aliasKey(call.block, alias)).calls.push(call)
  }
  for (const result of results) {
    if (result.place === 'elsewhere') continue
    const key = keyOf(result.block)
    const shelf = byKey.get(key) ?? byAlias.get(key)
    if (shelf) give(shelf.first(), result)
  }
}

/** Finds the calls of results that do not stand where the provider looks. Ids count per turn, so the nearest call is meant. */
function answerFromAfar(turns: readonly Turn[], stray: readonly Result[]): void {
  const keys = new Set(stray.map((result) => keyOf(result.block)).filter((key) => key > 0))
  if (keys.size === 0) return
  const byKey = new Map<number, Shelf>()
  const byAlias = new Map<number, Shelf>()
  for (const turn of turns) {
    for (const call of turn.calls) {
      const own = keyOf(call.block)
      if (keys.has(own)) Shelf.of(byKey, own).calls.push(call)
      for (const alias of call.block.aliases) {
        const key = aliasKey(call.block, alias)
        if (keys.has(key)) Shelf.of(byAlias, key).calls.push(call)
      }
    }
  }
  for (const result of stray) {
    const key = keyOf(result.block)
    const call = (byKey.get(key) ?? byAlias.get(key))?.near(result)
    if (call) give(call, result)
  }
}

/** An output that bears the id of an open call but is of another kind of tools: a proxy wrote the wrong type. */
function answerFromOtherKinds(turns: readonly Turn[], stray: readonly Result[]): void {
  const left = stray.filter((result) => !result.call && result.block.id !== NO_ID)
  if (left.length === 0) return
  const open = new Map<Id, Call>()
  for (const turn of turns) for (const call of turn.calls) if (!call.answer) open.set(call.block.id, call)
  for (const result of left) {
    const call = open.get(result.block.id)
    if (call && !call.answer) give(call, result)
  }
}

/** A turn with one open call and one result that nothing explains: the result lost its name on the way. */
function adoptLeftOvers(stray: readonly Result[], repeats: readonly Repeat[]): void {
  const copies = new Set(repeats.filter(inOneTurn).map((repeat) => repeat.call))
  const byTurn = new Map<Turn, Result[]>()
  for (const result of stray) {
    if (result.call) continue
    const others = byTurn.get(result.turn)
    if (others) others.push(result)
    else byTurn.set(result.turn, [result])
  }
  for (const [turn, results] of byTurn) {
    const open = turn.calls.filter((each) => !each.answer && !copies.has(each))
    // What has no id at all belongs to its like, whatever else was left over.
    adoptOnly(open.filter(isNameless), results.filter(isNameless))
    adoptOnly(
      open.filter((call) => !call.answer),
      results.filter((result) => !result.call),
    )
  }
}

const isNameless = ({ block }: Call | Result): boolean => block.id === NO_ID

function adoptOnly([call, ...calls]: readonly Call[], [result, ...results]: readonly Result[]): void {
  if (!call || !result || calls.length > 0 || results.length > 0) return
  const contradict = result.block.name !== NO_ID && call.block.name !== NO_ID && result.block.name !== call.block.name
  if (!contradict) give(call, result)
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
