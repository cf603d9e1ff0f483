import type { Turn, TurnBlock } from '../../model/timeline.ts'
import { BLOCK_BITS, KINDS, type PageBlock, type PageTurn, ROLES } from './shape.ts'
import { named, quoted } from './words.ts'

/** How much of the conversations still goes onto the page. */
export interface Carried {
  /** Turns that there is room for. */
  turns: number
  readonly excerpts: boolean
  /** Turns that were left out so far. */
  leftOut: number
}

/** Turns around a finding that are carried even where there is no room for all. */
const NEAR = 4
/** Blocks of a turn that are carried. */
const BLOCKS = 200
/** Characters of what is quoted. */
const TEXT = 160
const RESULT = 100
const NAME = 60
const ID = 80

/** The turns of a conversation: all of them while there is room, else those near the marked ones, with the number of those between. */
export function carried(turns: readonly Turn[], marked: readonly number[], room: Carried): (PageTurn | number)[] {
  if (turns.length <= room.turns) {
    room.turns -= turns.length
    return turns.map((turn) => pageTurn(turn, room.excerpts))
  }
  const near = new Uint8Array(turns.length)
  for (const at of marked) near.fill(1, Math.max(0, at - NEAR), Math.max(0, at + NEAR + 1))
  const out: (PageTurn | number)[] = []
  let missing = 0
  for (const [i, turn] of turns.entries()) {
    if (!near[i]) {
      missing++
      continue
    }
    if (missing > 0) out.push(missing)
    room.leftOut += missing
    missing = 0
    out.push(pageTurn(turn, room.excerpts))
  }
  if (missing > 0) out.push(missing)
  room.leftOut += missing
  return out
}

/** A turn as the page carries it; a text that was not read again is that of the turn that it was before, and so is its line. */
export function pageTurn({ line, role, blocks }: Turn, excerpts: boolean, was?: Turn, isRead = true): PageTurn {
  const shown: PageBlock[] = blocks.slice(0, BLOCKS).map((block) => pageBlock(block, excerpts, was))
  if (blocks.length > BLOCKS) shown.push([KINDS.indexOf('opaque'), `${blocks.length - BLOCKS} more blocks`])
  return [isRead ? line : (was?.line ?? line), ROLES.indexOf(role), shown]
}

function pageBlock(block: TurnBlock, excerpts: boolean, was: Turn | undefined): PageBlock {
  const { kind, id, name, size, content } = block
  const bits =
    (block.isError ? BLOCK_BITS.error : 0) |
    (block.isSynthetic ? BLOCK_BITS.synthetic : 0) |
    (block.isDocument ? BLOCK_BITS.document : 0)
  const whole = excerpts ? (block.excerpt ?? was?.blocks.find((other) => isSame(other, block))?.excerpt) : undefined
  const excerpt = whole === undefined ? '' : quoted(whole, kind === 'text' || kind === 'thinking' ? TEXT : RESULT)
  const inside = content
    .slice(0, BLOCKS)
    .filter((each) => each.kind !== 'text')
    .map((each) => pageBlock(each, false, undefined))
  if (inside.length > 0) return [KINDS.indexOf(kind), named(name, NAME), named(id, ID), size, bits, excerpt, inside]
  if (excerpt !== '') return [KINDS.indexOf(kind), named(name, NAME), named(id, ID), size, bits, excerpt]
  if (bits !== 0) return [KINDS.indexOf(kind), named(name, NAME), named(id, ID), size, bits]
  return [KINDS.indexOf(kind), named(name, NAME), named(id, ID), size]
}

function isSame(a: TurnBlock, b: TurnBlock): boolean {
  return a.kind === b.kind && a.id === b.id && a.size === b.size
}
