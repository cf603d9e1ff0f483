import { MOST_PAGES } from '../model/media.ts'

/** What tells the pages of a PDF: where an object begins and ends, what it is, and how many pages a node of the tree counts. */
const MARKS =
  /(\d{1,10})\s{1,8}\d{1,5}\s{1,8}obj\b|\bendobj\b|\/Type\s{0,8}\/(Pages?)(?![a-zA-Z])|\/Count\s{1,8}(\d{1,15})/g

/** More characters than a mark has, and what has to be seen behind it. */
const REACH = 64

/**
 * How many pages a PDF says it has: the largest count of a node of its page tree, else its page objects. A file that was saved with
 * changes behind its old end has an object more than once: the last one counts. A count that nobody can believe gives way to the page
 * objects, where there are any to be seen. In a file with packed objects neither can be seen: 0.
 */
export function pagesOf(pieces: Iterable<string>): number {
  const objects = new Objects()
  let rest = ''
  for (const piece of pieces) rest = objects.read(rest + piece, REACH)
  objects.read(rest, 0)
  return objects.pages()
}

class Objects {
  readonly #nodes = new Map<string, number>()
  readonly #pages = new Set<string>()
  #number = ''
  #type = ''
  #count = 0

  /** Reads up to so many characters before the end, and answers with what has to be read once more with what follows. */
  read(text: string, before: number): string {
    const end = text.length - before
    let at = 0
    // Most of a file is packed, where nothing is to be seen.
    if (text.includes('obj') || text.includes('/Type') || text.includes('/Count'))
      for (const mark of text.matchAll(MARKS)) {
        if (mark.index >= end) break
        this.#take(mark)
        at = mark.index + mark[0].length
      }
    return text.slice(Math.max(at, end))
  }

  pages(): number {
    this.#close()
    let most = 0
    for (const count of this.#nodes.values()) most = Math.max(most, count)
    const isBelieved = most <= MOST_PAGES || this.#pages.size === 0
    return (isBelieved && most) || this.#pages.size
  }

  #take([, number, type, count]: RegExpExecArray): void {
    if (type) this.#type ||= type
    else if (count) this.#count ||= Number(count)
    else {
      this.#close()
      this.#number = number ?? ''
    }
  }

  #close(): void {
    if (this.#number !== '') {
      this.#nodes.delete(this.#number)
      this.#pages.delete(this.#number)
      if (this.#type === 'Pages') this.#nodes.set(this.#number, this.#count)
      else if (this.#type === 'Page') this.#pages.add(this.#number)
    }
    this.#number = ''
    this.#type = ''
    this.#count = 0
  }
}
