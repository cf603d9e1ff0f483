import { Block, Flag } from '../model/blocks.ts'
import type { Entry } from '../model/document.ts'
import { type Id, type Ids, NO_ID } from '../text/ids.ts'

/** Begins the ids that calls and results have only in memory. NUL stands in no id that a provider or a client makes. */
const MARK = '\0'

/** The id as it may be written: none, where the call has one only in memory. */
export function storedId(id: string): string | undefined {
  return id === '' || id.startsWith(MARK) ? undefined : id
}

/**
 * Gives ids to the calls and results that are stored without one ({@link Flag.unnamed}), so that they pair like all others: a
 * result answers the first open call of its name in the turn right before it. That is how Gemini CLI 0.61.0 reads them
 * (`ensureStableToolIds`). The ids are made anew from the order of the messages each time and are never written.
 */
export function nameUnnamed(entries: readonly Entry[], ids: Ids): void {
  if (!entries.some((entry) => entry.blocks.some((block) => block.is(Flag.unnamed)))) return
  let open: Block[] = []
  let isAnswering = false
  let count = 0
  for (const entry of entries) {
    if (entry.role === 'assistant') {
      if (isAnswering) open = []
      isAnswering = false
    } else isAnswering = true
    if (!entry.blocks.some((block) => block.kind === 'tool-call' || block.kind === 'tool-result')) continue
    entry.blocks = entry.blocks.map((block) => {
      if (block.kind === 'tool-call') {
        const call = block.is(Flag.unnamed) ? withId(block, ids.add(`${MARK}${++count}`)) : block
        open.push(call)
        return call
      }
      if (block.kind !== 'tool-result') return block
      const isUnnamed = block.is(Flag.unnamed)
      const at = open.findIndex((call) =>
        isUnnamed ? call.name === block.name || block.name === NO_ID : call.id === block.id,
      )
      const [call] = at < 0 ? [] : open.splice(at, 1)
      return isUnnamed ? withId(block, call?.id ?? ids.add(`${MARK}${++count}`)) : block
    })
  }
}

function withId(block: Block, id: Id): Block {
  const { kind, entry, tail, name, size, flags, content, aliases } = block
  return new Block(kind, entry, tail, { id, name, size, flags, content, aliases })
}
