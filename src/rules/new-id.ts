import type { Conversation, Document } from '../model/document.ts'
import type { Target } from '../targets/target.ts'
import type { Id } from '../text/ids.ts'

/** Whether the provider takes an id. */
export function isValidId(id: string, rule: Target['ids']): boolean {
  return !rule || (id.length <= rule.maxLength && rule.pattern.test(id))
}

/** Gives out ids for tool calls: valid for the target, taken by nobody in the conversation, and the same at every run. */
export class NewIds {
  readonly #taken = new Set<string>()
  readonly #rule: Target['ids']

  private constructor(taken: Iterable<string>, rule: Target['ids']) {
    this.#rule = rule
    for (const id of taken) this.#taken.add(id)
  }

  /** Ids of calls. */
  static ofCalls({ ids }: Document, conversation: Conversation, target: Target): NewIds {
    const seen = new Set<Id>()
    for (const message of conversation.messages) for (const block of message.blocks) seen.add(block.id)
    return new NewIds(
      Array.from(seen, (id) => ids.text(id)),
      target.ids,
    )
  }

  /** Names of tools, which providers hold to a rule as they do ids. */
  static ofTools(taken: Iterable<string>, rule: Target['ids']): NewIds {
    return new NewIds(taken, rule)
  }

  /** An id in the place of one that is invalid: as like it as can be. */
  instead(id: string): string {
    const clean = id.replace(/[^a-zA-Z0-9_-]/g, '_')
    return this.#firstOf(clean, `${this.#cut(clean, 9)}_${hash(id).slice(0, 8)}`, id)
  }

  /** An id for the `count`-th call that has this one. */
  another(id: string, count: number): string {
    const clean = id.replace(/[^a-zA-Z0-9_-]/g, '_')
    return this.#firstOf(`${this.#cut(clean, `${count}`.length + 1)}_${count}`, '', `${id}\n${count}`)
  }

  #cut(id: string, room: number): string {
    return id.slice(0, Math.max(0, (this.#rule?.maxLength ?? 64) - room))
  }

  /** What is valid and free: one of the two, else a bare hash, which fits every pattern of letters and digits. */
  #firstOf(wish: string, second: string, seed: string): string {
    const isFree = (id: string): boolean => id !== '' && !this.#taken.has(id) && isValidId(id, this.#rule)
    let id = isFree(wish) ? wish : second
    for (let salt = 0; !isFree(id) && salt < 1000; salt++) {
      const text = hash(salt === 0 ? seed : `${seed}\n${salt}`)
      id = [24, this.#rule?.maxLength ?? 24].map((length) => text.slice(0, length)).find(isFree) ?? ''
    }
    this.#taken.add(id)
    return id
  }
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'

/** 24 letters and digits made from a text (cyrb53, with four seeds). It need not be secret, only the same everywhere. */
function hash(text: string): string {
  let out = ''
  for (let seed = 0; seed < 4; seed++) {
    let a = 0xdeadbeef ^ seed
    let b = 0x41c6ce57 ^ seed
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      a = Math.imul(a ^ code, 2654435761)
      b = Math.imul(b ^ code, 1597334677)
    }
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
    let value = 4294967296 * (2097151 & b) + (a >>> 0)
    for (let digit = 0; digit < 6; digit++) {
      out += DIGITS[value % 36]
      value = Math.floor(value / 36)
    }
  }
  return out
}
