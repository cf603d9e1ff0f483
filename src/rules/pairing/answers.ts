import { type Block, Flag, toolKind } from '../../model/blocks.ts'
import type { Id } from '../../text/ids.ts'
import { NO_ID } from '../../text/ids.ts'
import type { Call, Result, Turn } from './turns.ts'

/** A call whose id was taken before it, by the call `earlier`. */
export interface Repeat {
  readonly call: Call
  readonly earlier: Call
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

/** Calls whose id an earlier call of the conversation has. */
export function repeatsIn(turns: readonly Turn[]): Repeat[] {
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

/**
 * Finds the call that each result answers, and the answer of each call. Neighbours come first: a result that strayed never takes a
 * call away from the result behind it.
 *
 * @param copies calls that stand twice in one turn: what is left over is not theirs
 */
export function answer(turns: readonly Turn[], copies: ReadonlySet<Call>): void {
  for (const turn of turns) answerInPlace(turn)
  const stray: Result[] = []
  for (const turn of turns) for (const result of turn.results) if (!result.call) stray.push(result)
  if (stray.length === 0) return
  answerFromAfar(turns, stray)
  answerFromOtherKinds(turns, stray)
  adoptLeftOvers(stray, copies)
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
function adoptLeftOvers(stray: readonly Result[], copies: ReadonlySet<Call>): void {
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
