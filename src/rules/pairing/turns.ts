import { type Block, Flag } from '../../model/blocks.ts'
import type { Conversation, Message } from '../../model/document.ts'
import type { Target } from '../../targets/target.ts'

/** A tool call of an assistant turn, and what answers it. */
export interface Call {
  readonly block: Block
  readonly message: Message
  readonly turn: Turn
  answer: Result | undefined
  /** Further results for it. */
  readonly surplus: Result[]
}

/**
 * Where a result stands: where the provider looks for it; where it looks for the results of every turn before; behind other
 * parts of the very message in which it looks; anywhere else (a later message, past a later turn, before its call, in the
 * assistant's own message).
 */
export type ResultPlace = 'in-place' | 'anywhere' | 'behind-text' | 'elsewhere'

export interface Result {
  readonly block: Block
  readonly message: Message
  /** The turn before it; of a result in an assistant message the turn that it stands in. */
  readonly turn: Turn
  readonly place: ResultPlace
  call: Call | undefined
}

/** An assistant message, or several that the provider joins, and the results up to the next one. */
export interface Turn {
  /** Counts the turns; 0 is what stands before the first. */
  readonly index: number
  readonly messages: Message[]
  readonly calls: Call[]
  readonly results: Result[]
  /** Calls and results of tools that the provider runs itself, in order. */
  readonly server: { readonly block: Block; readonly message: Message }[]
  /** Whether anything but results stands behind it, before the next turn. */
  continued: boolean
}

/** Whether neighbouring messages of the assistant are one turn. */
export function joinsTurnsOf({ isItems, answersAtOnce }: Conversation, { results }: Target): boolean {
  return (results.joinsTurns && !answersAtOnce) || isItems === true
}

/** Cuts a conversation into turns and says of each result where it stands. */
export function turnsOf(conversation: Conversation, target: Target): Turn[] {
  const { answersAtOnce } = conversation
  const layout = answersAtOnce && target.results.layout === 'anywhere' ? 'next-messages' : target.results.layout
  const joinsTurns = joinsTurnsOf(conversation, target)
  let turn = newTurn(0)
  const turns = [turn]
  /** Whether the provider still looks for results of the turn. */
  let looking = false
  let afterAssistant = false
  let seen = 0

  for (const message of conversation.messages) {
    if (message.role === 'assistant') {
      if (!(afterAssistant && joinsTurns)) turns.push((turn = newTurn(turns.length)))
      turn.messages.push(message)
      readTurn(turn, message)
      afterAssistant = looking = true
      seen = 0
      continue
    }
    const reached = looking && (layout !== 'equal-count' || seen === 0)
    let inRun = reached
    for (const block of message.blocks) {
      if (block.kind === 'tool-result') {
        const place = layout === 'anywhere' ? layout : inRun ? 'in-place' : reached ? 'behind-text' : 'elsewhere'
        turn.results.push({ block, message, turn, place, call: undefined })
      } else inRun = false
    }
    if (!inRun || message.blocks.length === 0) turn.continued = true
    // Behind a message without blocks the provider still looks: it is removed, and then nothing stands between.
    if (!inRun) looking = false
    afterAssistant = false
    if (!isOwnResult(message)) seen++
  }
  return turns
}

/** Whether the stored message is a result and nothing else: whoever sends it to a provider that wants all of them in one turn joins them. */
export function isOwnResult({ blocks }: Message): boolean {
  return blocks.length === 1 && blocks[0]!.kind === 'tool-result' && blocks[0]!.is(Flag.wholeMessage)
}

export function newTurn(index: number): Turn {
  return { index, messages: [], calls: [], results: [], server: [], continued: false }
}

function readTurn(turn: Turn, message: Message): void {
  for (const block of message.blocks) {
    if (block.kind === 'tool-call') turn.calls.push({ block, message, turn, answer: undefined, surplus: [] })
    else if (block.kind === 'server-call' || block.kind === 'server-result') turn.server.push({ block, message })
    else if (block.kind === 'tool-result') {
      turn.results.push({ block, message, turn, place: 'elsewhere', call: undefined })
    }
  }
}

/** Whether the provider does not find the result where it looks for the results of its call. */
export function isAstray({ place, turn, call }: Result): boolean {
  if (place === 'anywhere') return call !== undefined && turn.index < call.turn.index
  return place === 'elsewhere' || turn !== call?.turn
}
