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
  let turn = new Turn()
  let isAnswering = false
  let count = 0
  const madeUp = (): Id => ids.add(`${MARK}${++count}`)
  for (const entry of entries) {
    if (entry.role !== 'assistant') isAnswering = true
    else if (isAnswering) {
      turn = new Turn()
      isAnswering = false
    }
    if (!entry.blocks.some((block) => block.kind === 'tool-call' || block.kind === 'tool-result')) continue
    // Results that name their call come first, so that no other takes it.
    for (const block of entry.blocks) if (block.kind === 'tool-result') turn.closeNamed(block)
    entry.blocks = entry.blocks.map((block) => {
      const isUnnamed = block.is(Flag.unnamed)
      if (block.kind === 'tool-call') {
        const call = isUnnamed ? withId(block, madeUp()) : block
        turn.open(call)
        return call
      }
      return block.kind === 'tool-result' && isUnnamed ? withId(block, turn.closeNext(block.name) ?? madeUp()) : block
    })
  }
}

/** The calls of a turn, and which of them are answered. */
class Turn {
  readonly #all: Queue = { calls: [], next: 0 }
  readonly #byName = new Map<Id, Queue>()
  readonly #byId = new Map<Id, Block>()
  readonly #closed = new Set<Block>()

  open(call: Block): void {
    this.#all.calls.push(call)
    this.#byId.set(call.id, call)
    const queue = this.#byName.get(call.name)
    if (queue) queue.calls.push(call)
    else this.#byName.set(call.name, { calls: [call], next: 0 })
  }

  closeNamed(result: Block): void {
    const call = result.is(Flag.unnamed) ? undefined : this.#byId.get(result.id)
    if (call) this.#closed.add(call)
  }

  /** The id of the first open call of a name (of any, where the result has no name), which is then answered. */
  closeNext(name: Id): Id | undefined {
    const queue = name === NO_ID ? this.#all : this.#byName.get(name)
    if (!queue) return undefined
    while (this.#closed.has(queue.calls[queue.next]!)) queue.next++
    const call = queue.calls[queue.next]
    if (call) this.#closed.add(call)
    return call?.id
  }
}

interface Queue {
  readonly calls: Block[]
  /** Those before it are answered. */
  next: number
}

function withId(block: Block, id: Id): Block {
  const { kind, entry, tail, name, size, flags, content, aliases } = block
  return new Block(kind, entry, tail, { id, name, size, flags, content, aliases })
}
