import type { Turn, TurnBlock } from '../../model/timeline.ts'
import { align } from './align.ts'

/** A turn that the repair changed, added, took out or moved, by the places of both sides. */
export interface Change {
  readonly kind: 'changed' | 'added' | 'removed' | 'moved'
  /** -1: it was not there. */
  readonly before: number
  /** Place before the repair of the turn that it stands behind or replaces; -1: before the first. */
  readonly behind: number
  /** -1: it is not there any more. */
  readonly after: number
}

/** What a repair made of the turns of a conversation. Turns are the same when their roles and blocks are, wherever they stand. */
export function changesOf(before: readonly Turn[], after: readonly Turn[]): Change[] {
  const old = before.map(signature)
  const now = after.map(signature)
  const changes: Change[] = []
  let from = 0
  let start = 0
  for (const [to, end] of [...align(old, now), [before.length, after.length] as const]) {
    if (to > from || end > start) changes.push(...gap(before, from, to, after, start, end))
    from = to + 1
    start = end + 1
  }
  return moved(changes, old, now)
}

/** Turns that lie between two that stayed: those that share a block are one turn that was changed. */
function gap(
  before: readonly Turn[],
  from: number,
  to: number,
  after: readonly Turn[],
  start: number,
  end: number,
): Change[] {
  const changes: Change[] = []
  let at = from
  for (let i = start; i < end; i++) {
    const turn = after[i]!
    const same = nearest(before, at, to, turn)
    for (const last = same < 0 ? at : same; at < last; at++)
      changes.push({ kind: 'removed', before: at, behind: at, after: -1 })
    if (same < 0) changes.push({ kind: 'added', before: -1, behind: at - 1, after: i })
    else changes.push({ kind: 'changed', before: at, behind: at++, after: i })
  }
  for (; at < to; at++) changes.push({ kind: 'removed', before: at, behind: at, after: -1 })
  return changes
}

/** How far ahead a changed turn is looked for. */
const AHEAD = 32

/** The next turn that shares a block with a changed one; else, where an id or a text was changed, one of the same make. */
function nearest(before: readonly Turn[], from: number, to: number, turn: Turn): number {
  const parts = new Set(turn.blocks.map(partOf))
  const end = Math.min(to, from + AHEAD)
  for (let i = from; i < end; i++) {
    const other = before[i]!
    if (other.role === turn.role && other.blocks.some((block) => parts.has(partOf(block)))) return i
  }
  const first = before[from]
  return from < end && first && makeOf(first) === makeOf(turn) ? from : -1
}

function makeOf({ role, blocks }: Turn): string {
  return JSON.stringify([role, ...blocks.map(({ kind, name }) => [kind, name])])
}

/** What was taken out here and put in there is one turn that moved. */
function moved(changes: readonly Change[], old: readonly string[], now: readonly string[]): Change[] {
  const gone = new Map<string, number>()
  for (const { kind, before } of changes)
    if (kind === 'removed') gone.set(old[before]!, (gone.get(old[before]!) ?? 0) + 1)
  const come = new Map<string, number>()
  const seen = changes.map((change) => {
    if (change.kind !== 'added') return change
    const sign = now[change.after]!
    if ((come.get(sign) ?? 0) >= (gone.get(sign) ?? 0)) return change
    come.set(sign, (come.get(sign) ?? 0) + 1)
    return { ...change, kind: 'moved' as const }
  })
  return seen.map((change) => {
    const sign = change.kind === 'removed' ? old[change.before]! : ''
    const left = come.get(sign) ?? 0
    if (change.kind !== 'removed' || left === 0) return change
    come.set(sign, left - 1)
    return { ...change, kind: 'moved' as const }
  })
}

function signature({ role, blocks }: Turn): string {
  return `${role} ${blocks.map(whole).join(' ')}`
}

function whole(block: TurnBlock): string {
  return `${partOf(block)}${block.isError ? '!' : ''}[${block.content.map(whole).join(' ')}]`
}

/** What makes a block the same one. */
function partOf({ kind, id, name, size }: TurnBlock): string {
  return `${kind} ${kind === 'tool-call' ? 0 : size} ${id}\n${name}`
}
