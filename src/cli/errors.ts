import { plain } from '../reporters/plain.ts'

/** Something that the user can put right: its message is one plain sentence without a full stop. */
export class UsageError extends Error {
  /** What to do about it; a second line. */
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.name = 'UsageError'
    this.hint = hint
  }
}

/** Names of the error classes below the command line whose messages are plain sentences. */
const PLAIN_SENTENCES: ReadonlySet<string> = new Set(['UsageError', 'FileProblem'])

/** Whether an error says all there is to say, so that its stack would only be in the way. */
export function isKnown(error: unknown): error is Error {
  return error instanceof Error && (PLAIN_SENTENCES.has(error.name) || 'syscall' in error)
}

/** What is said of a thrown value in one sentence. */
export function sentence(error: unknown): string {
  if (isKnown(error)) return error.message
  return `internal error: ${error instanceof Error ? error.message || error.name : String(error)} (--debug shows where)`
}

/** `convfix: error: …` and what to do about it, as printed on standard error. */
export function explainError(error: unknown, debug = false): string {
  const hint = error instanceof UsageError && error.hint !== undefined ? `  ${error.hint}\n` : ''
  return `convfix: error: ${plain(sentence(error))}\n${hint}${debug ? stackOf(error) : ''}`
}

/** Where an error was thrown, for whoever looks for its cause. */
export function stackOf(error: unknown): string {
  return error instanceof Error && error.stack ? `${error.stack}\n` : ''
}
