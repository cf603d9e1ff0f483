import type { ColorChoice } from './color.ts'
import type { Engine } from './engine.ts'
import type { Io } from './io.ts'

/** What every command is given. */
export interface Context {
  readonly io: Io
  engine(): Promise<Engine>
  /** Aborted when the user stops the program. */
  readonly signal: AbortSignal
}

/** Options that every command takes. */
export interface GlobalFlags {
  readonly color: ColorChoice
  readonly progress: boolean
  readonly debug?: boolean
}

/** Thrown to leave a command that was stopped by a signal; nothing is said about it. */
export class Interrupted extends Error {}
