import { deep, Flag } from '../../model/blocks.ts'
import type { Conversation, Document, Message } from '../../model/document.ts'
import type { Repair } from '../../model/finding.ts'
import { MediaBlock } from '../../model/media.ts'
import type { Target } from '../../targets/target.ts'

/** An image, a document or a recording, and the message that it is sent in. */
export interface Placed {
  readonly block: MediaBlock
  readonly message: Message
}

/** The images, documents and recordings of a conversation, oldest first, those inside tool results included. */
export function* allMediaOf({ messages }: Conversation): Generator<Placed> {
  for (const message of messages)
    for (const block of deep(message.blocks)) if (block instanceof MediaBlock) yield { block, message }
}

/** The images and documents of a conversation. */
export function* mediaOf(conversation: Conversation): Generator<Placed> {
  for (const placed of allMediaOf(conversation)) if (!placed.block.is(Flag.recording)) yield placed
}

/** The images of a conversation. */
export function* imagesOf(conversation: Conversation): Generator<Placed> {
  for (const placed of mediaOf(conversation)) if (!placed.block.is(Flag.document)) yield placed
}

/** What it is, in a word. */
export function nounOf(block: MediaBlock): string {
  return block.is(Flag.recording) ? 'recording' : block.is(Flag.document) ? 'document' : 'image'
}

/** What stands in the place of a medium that was taken out. */
export function removedText(block: MediaBlock, why?: string): string {
  const noun = nounOf(block)
  return `[${noun[0]!.toUpperCase()}${noun.slice(1)} removed to save context${why === undefined ? '' : `: ${why}`}]`
}

/** Texts in the place of media. */
export function replaceBy(blocks: readonly MediaBlock[], title: string, why?: (block: MediaBlock) => string): Repair {
  return {
    title,
    safety: 'safe',
    loses: ['media'],
    operations: blocks.map((block) => ({ do: 'replace-block', block, text: removedText(block, why?.(block)) })),
  }
}

/** How much a medium weighs against the limit on images: one, or as many as it has pages where the provider counts those. */
export function weightOf(block: MediaBlock, target: Target): number {
  return target.countsPages ? Math.max(1, block.medium.pages) : 1
}

/** The model that decides about limits. */
export function modelOf(document: Document, conversation: Conversation): string | undefined {
  return document.model ?? conversation.model
}

/** Digits in groups of three, the same in every language. */
export function group(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
