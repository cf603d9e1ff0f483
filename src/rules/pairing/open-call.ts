import type { Block } from '../../model/blocks.ts'
import type { Conversation } from '../../model/document.ts'
import type { Context, Match } from '../rule.ts'
import { idsOf } from '../words.ts'
import { pairingOf } from './pairing.ts'
import type { Call } from './turns.ts'

export interface OpenCall extends Match {
  readonly call: Block
}

export function openCalls(conversation: Conversation, { target }: Context): readonly Call[] {
  const { open, lastTurn } = pairingOf(conversation, target)
  // The calls of an answer wait for whoever gets it.
  return conversation.isAnswer && !lastTurn.continued ? open.filter(({ turn }) => turn !== lastTurn) : open
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
