import type { BlockKind } from './blocks.ts'
import type { Conversation, Role } from './document.ts'
import type { ReportedFinding } from './report.ts'

/** A block of a turn in a few words. Its content stays in the file: of a medium, say, there is its type and its size only. */
export interface TurnBlock {
  readonly kind: BlockKind
  /** Tool calls and results: the call's id; else empty. */
  readonly id: string
  /** The tool's name, the type of a medium, the type of a block that is carried along; else empty. */
  readonly name: string
  /** As {@link Block.size}: characters of a text or a result; of a medium characters of base64. */
  readonly size: number
  readonly isError: boolean
  /** Written in the place of a result that was lost. */
  readonly isSynthetic: boolean
  readonly isDocument: boolean
  /** The first characters, in one string; undefined where none were taken. Never of a medium. */
  readonly excerpt: string | undefined
  /** What stands inside a tool result. */
  readonly content: readonly TurnBlock[]
}

/** A message of a conversation as it is shown to people. */
export interface Turn {
  /** Physical line, 1-based; of an inserted record the line of the one it was put behind, until the file is read again. */
  readonly line: number
  readonly role: Role
  readonly blocks: readonly TurnBlock[]
}

/** A conversation as it is shown to people. */
export interface Turns {
  readonly label: string
  readonly role: Conversation['role']
  readonly turns: readonly Turn[]
}

/** Where a finding stands in the conversations of a timeline. */
export interface TurnPlace {
  readonly conversation: number
  readonly turn: number
  /** Index of the block in the turn; undefined for the turn as a whole. */
  readonly block: number | undefined
  /** The turns of the finding's related places, in their order; undefined for a place outside. */
  readonly related: readonly (number | undefined)[]
}

/** The conversations of a file, and what a repair made (or, where nothing was repaired, would make) of them. */
export interface Timeline {
  readonly before: readonly Turns[]
  /** Everything that was found before the repair. */
  readonly found: readonly ReportedFinding[]
  /** Undefined where nothing would change. */
  readonly after: readonly Turns[] | undefined
  /** What is found behind the repair that was made or tried; of one that nobody asked for it may not be known. */
  readonly left: readonly ReportedFinding[]
}
