import type { Block } from '../../model/blocks.ts'
import type { Conversation } from '../../model/document.ts'
import type { Repair } from '../../model/finding.ts'
import type { Target } from '../../targets/target.ts'
import { NO_ID } from '../../text/ids.ts'
import type { Context, Match } from '../rule.ts'
import { idsOf } from '../words.ts'
import { pairingOf } from './pairing.ts'
import type { Call } from './turns.ts'

export interface OpenCall extends Match {
  readonly call: Block
}

export function openCalls(conversation: Conversation, { target }: Context): readonly Call[] {
  return pairingOf(conversation, target).open
}

/** A call without result. As the last thing in the file it may still be running, so it is no error. */
export function matchOpen(
  { block, message, turn }: Call,
  { conversation, document, target, options }: Context,
): OpenCall {
  const isLast = turn === pairingOf(conversation, target).lastTurn && !turn.continued
  const match = { at: block, message, call: block, ids: idsOf(document, block) }
  return isLast ? { ...match, severity: options.live ? 'info' : 'warning' } : match
}

/** Puts an error result where the result of a call belongs. */
export function answer(call: Block, text: string, target: Target): Repair | undefined {
  // A call without an id is given one first: nothing can answer it before. Gemini pairs by name.
  if (call.id === NO_ID && target.dialect !== 'gemini') return undefined
  return {
    title: 'add an error result behind the call',
    safety: 'safe',
    loses: [],
    operations: [{ do: 'answer', call, text }],
  }
}
