import type { Block } from '../../model/blocks.ts'
import type { Conversation } from '../../model/document.ts'
import type { Repair } from '../../model/finding.ts'
import { NO_ID } from '../../text/ids.ts'
import type { Context, Match } from '../rule.ts'
import { idsOf } from '../words.ts'
import { pairingOf } from './pairing.ts'
import type { Call } from './turns.ts'

export interface OpenCall extends Match {
  readonly call: Block
}

/** The calls that nothing answers. One without an id is told of as that: it is given an id first. Gemini pairs by name. */
export function openCalls(conversation: Conversation, { target }: Context): readonly Call[] {
  const { open, lastTurn } = pairingOf(conversation, target)
  const named = target.dialect === 'gemini' ? open : open.filter(({ block }) => block.id !== NO_ID)
  // The calls of an answer wait for whoever gets it.
  return conversation.isAnswer && !lastTurn.continued ? named.filter(({ turn }) => turn !== lastTurn) : named
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
export function answer(call: Block, text: string): Repair {
  return {
    title: 'add an error result behind the call',
    safety: 'safe',
    loses: [],
    operations: [{ do: 'answer', call, text }],
  }
}
