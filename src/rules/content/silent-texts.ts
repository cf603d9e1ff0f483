import { type Block, Flag } from '../../model/blocks.ts'
import type { Conversation } from '../../model/document.ts'
import { isEmpty } from '../roles/stacking.ts'
import type { Match } from '../rule.ts'

export interface SilentText extends Match {
  readonly at: Block
  readonly inResult: boolean
}

/** The text blocks with a flag that can go without leaving their message empty. An empty string as the whole content is none. */
export function* silentTexts(conversation: Conversation, flag: number): Generator<SilentText> {
  for (const message of conversation.messages) {
    if (isEmpty(message)) continue
    // Beside the content of other records the string of one becomes a text block.
    const isJoined = message.role === 'user' && message.entries.length > 1
    for (const block of message.blocks) {
      if (isSilent(block, flag) && (isJoined || !isWholeEmpty(block))) yield { at: block, message, inResult: false }
      if (block.content.length === 0) continue
      for (const inner of block.content) if (isSilent(inner, flag)) yield { at: inner, message, inResult: true }
    }
  }
}

function isSilent(block: Block, flag: number): boolean {
  return block.kind === 'text' && block.is(flag)
}

function isWholeEmpty(block: Block): boolean {
  return block.is(Flag.wholeContent) && block.is(Flag.empty)
}
