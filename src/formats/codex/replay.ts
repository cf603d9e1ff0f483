import type { Entry } from '../../model/document.ts'
import type { Skeleton } from '../format.ts'
import { factsOf } from './facts.ts'

/** Bytes of the user's own texts that a compaction without a history of its own keeps: 20,000 tokens of four bytes (`compact.rs`). */
const KEPT_BYTES = 80_000

/**
 * The history that Codex rebuilds when it resumes a rollout (`rollout_reconstruction.rs`, `compact.rs`, read 2025-12 to 2026): items
 * in the order of the file; a compaction takes the place of all before it; turns that were taken back are gone.
 */
export function replay(document: Skeleton): Entry[] {
  const history = new History()
  for (const entry of document.entries()) {
    entry.onPath = false
    const { line, turns, isUnsent } = factsOf(entry)
    if (line === 'replaced') history.clear()
    else if (line === 'summary') history.summarize(entry)
    else if (line === 'rolled-back') history.rollBack(turns ?? 0)
    else if ((line === 'item' || line === 'kept') && !isUnsent) history.add(entry)
  }
  for (const entry of history.entries) entry.onPath = true
  return history.entries
}

class History {
  entries: Entry[] = []
  /** Where the prompts of the user and of other agents stand. */
  #prompts: number[] = []

  add(entry: Entry): void {
    if (factsOf(entry).isPrompt) this.#prompts.push(this.entries.length)
    this.entries.push(entry)
  }

  clear(): void {
    this.entries = []
    this.#prompts = []
  }

  /** Takes the newest turns back; where there are fewer, all but what stands before the first prompt. */
  rollBack(turns: number): void {
    const at = Math.max(this.#prompts.length - Math.trunc(turns), 0)
    const cut = this.#prompts[at]
    if (turns <= 0 || cut === undefined) return
    this.entries.length = cut
    this.#prompts.length = at
  }

  /** Keeps the newest prompts of the user, as many as there is room for, and puts the summary behind them. */
  summarize(summary: Entry): void {
    const prompts: Entry[] = []
    let room = KEPT_BYTES
    for (let i = this.#prompts.length - 1; i >= 0 && room > 0; i--) {
      const prompt = this.entries[this.#prompts[i]!]!
      // What other agents said is not kept (measured with 0.171.0).
      if (prompt.role !== 'user') continue
      for (const block of prompt.blocks) if (block.kind === 'text') room -= block.size
      prompts.push(prompt)
    }
    this.clear()
    for (const prompt of prompts.reverse()) this.add(prompt)
    this.entries.push(summary)
  }
}
