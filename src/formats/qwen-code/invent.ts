import type { Document } from '../../model/document.ts'
import type { Json, JsonView } from '../../text/view.ts'
import { inventedUuid, laterStamp } from '../invented.ts'
import type { LinkEdits, Node } from './links.ts'
import type { RecordType } from './records.ts'

const PROVENANCE: Readonly<Record<RecordType, string>> = {
  user: 'real_user',
  assistant: 'assistant_output',
  tool_result: 'tool_result',
  system: 'system',
}

/** What a new record is to hold. */
export interface Invention {
  readonly type: RecordType
  readonly message: Json
  /** The display copy of a result. */
  readonly toolCallResult?: Json | undefined
  /** What tells it from other records that might be invented at the same place. */
  readonly salt: string
}

/** Writes records as Qwen Code 0.24.4 does (`createBaseRecord`), with the envelope of a neighbour. */
export class Inventor {
  readonly #document: Document
  readonly #links: LinkEdits
  readonly #stamps = new Map<Node, string>()

  constructor(document: Document, links: LinkEdits) {
    this.#document = document
    this.#links = links
  }

  /** Puts a new record behind `after` or, at the beginning of the chain, before `before`. */
  put(invention: Invention, after: Node | undefined, before?: Node): Node | undefined {
    const neighbour = this.#viewOf(after) ?? this.#viewOf(before)
    if (!neighbour) return undefined
    const next = before ?? (after && this.#links.next(after))
    const limit = this.#stampOf(next)
    const stamp = after ? laterStamp(this.#stampOf(after) ?? '', limit) : (limit ?? '')
    const session = neighbour.get('sessionId')?.string() ?? ''
    const place = after ? this.#document.ids.text(after.id) : 'root'
    const uuid = inventedUuid([session, place, invention.salt], (each) => this.#links.isTaken(each))
    const copied = (key: string): Json | undefined => neighbour.get(key)?.verbatim()
    const envelope = {
      sessionId: copied('sessionId'),
      timestamp: stamp === '' ? undefined : stamp,
      type: invention.type,
      provenance: neighbour.get('provenance') ? PROVENANCE[invention.type] : undefined,
      cwd: copied('cwd'),
      version: copied('version'),
      gitBranch: copied('gitBranch'),
      message: invention.message,
      toolCallResult: invention.toolCallResult,
    }
    const node = this.#links.insert(uuid, after, before, (parentUuid) => ({ uuid, parentUuid, ...envelope }))
    this.#stamps.set(node, stamp)
    return node
  }

  /** The record of a node, or of the nearest one before it that is not invented. */
  #viewOf(node: Node | undefined): JsonView | undefined {
    for (let at = node; at; at = this.#links.node(at.parent)) {
      const entry = at.entries[0]
      if (entry) return this.#document.records.view(entry.record)
      if (!at.write) return undefined
    }
    return undefined
  }

  #stampOf(node: Node | undefined): string | undefined {
    const entry = node?.entries.at(-1)
    if (!node || !entry) return node && this.#stamps.get(node)
    return this.#document.records.view(entry.record)?.get('timestamp')?.string()
  }
}
