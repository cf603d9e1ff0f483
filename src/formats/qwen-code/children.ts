import type { Id } from '../../text/ids.ts'
import type { Node } from './links.ts'

/** What hangs on each id. Nearly always that is one node, which then needs no set. */
export class Children {
  readonly #of = new Map<Id, Node | Set<Node>>()

  of(id: Id): Iterable<Node> {
    const known = this.#of.get(id)
    return known instanceof Set ? known : known ? [known] : []
  }

  add(id: Id, node: Node): void {
    const known = this.#of.get(id)
    if (known instanceof Set) known.add(node)
    else this.#of.set(id, known && known !== node ? new Set([known, node]) : node)
  }

  delete(id: Id, node: Node): void {
    const known = this.#of.get(id)
    if (known instanceof Set) known.delete(node)
    else if (known === node) this.#of.delete(id)
  }
}
