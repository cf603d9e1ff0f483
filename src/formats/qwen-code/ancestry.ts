import type { Entry } from '../../model/document.ts'
import { type Id, NO_ID } from '../../text/ids.ts'

/** Says of two records whether one stands above the other, each time at once however deep the tree. Records in rings stand nowhere. */
export class Ancestry {
  /** When a record was entered and left in a walk over the whole tree. */
  readonly #spans = new Map<Id, { readonly from: number; to: number }>()

  /** `nodes`: one record for each id. */
  constructor(nodes: readonly Entry[]) {
    const known = new Set(nodes.map(({ id }) => id))
    const children = new Map<Id, Id[]>()
    const open: Id[] = []
    for (const { id, parent } of nodes) {
      const siblings = children.get(parent)
      if (parent === NO_ID || !known.has(parent)) open.push(id)
      else if (siblings) siblings.push(id)
      else children.set(parent, [id])
    }
    let clock = 0
    while (open.length > 0) {
      const id = open.at(-1)!
      const span = this.#spans.get(id)
      if (span) {
        if (span.to < 0) span.to = clock
        open.pop()
        continue
      }
      this.#spans.set(id, { from: clock++, to: -1 })
      for (const child of children.get(id) ?? []) open.push(child)
    }
  }

  /** Whether `above` is `below` or an ancestor of it. */
  isAbove(above: Id, below: Id): boolean {
    const outer = this.#spans.get(above)
    const inner = this.#spans.get(below)
    return outer !== undefined && inner !== undefined && outer.from <= inner.from && inner.from < outer.to
  }
}
