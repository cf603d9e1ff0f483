import type { BlockKind } from './blocks.ts'
import type { Conversation } from './document.ts'

/** What stands anywhere in a conversation: a rule that looks for what is not there need not look. */
export class Facts {
  /** The flags of all blocks, those inside results included, or-ed together. */
  flags = 0
  readonly kinds = new Set<BlockKind>()
  /** Whether a message is without blocks. */
  hasBareMessage = false
}

const known = new WeakMap<Conversation, Facts>()

/** The facts of a conversation; gathered once, asked by many rules. */
export function factsOf(conversation: Conversation): Facts {
  let facts = known.get(conversation)
  if (!facts) known.set(conversation, (facts = gather(conversation)))
  return facts
}

function gather({ messages }: Conversation): Facts {
  const facts = new Facts()
  for (const { blocks } of messages) {
    if (blocks.length === 0) facts.hasBareMessage = true
    for (const block of blocks) {
      facts.flags |= block.flags
      facts.kinds.add(block.kind)
      for (const inner of block.content) {
        facts.flags |= inner.flags
        facts.kinds.add(inner.kind)
      }
    }
  }
  return facts
}
