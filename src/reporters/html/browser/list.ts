import type { El } from './dom.ts'
import type { Kit } from './kit.ts'

/** Something that a long list shows: made when it comes near the window. */
export interface Item {
  readonly key: string
  /** Pixels that it is likely to take. */
  readonly height: number
  build(): El
}

/**
 * A list of any length: its items lie in chunks, and only the chunks near the window hold elements. `root` is the element that
 * scrolls; null for the page itself. Put into the page as it stands.
 */
export function makeList(kit: Kit, host: El, root: El | null) {
  const SIZE = 50
  const { window, el } = kit
  let items: readonly Item[] = []
  let chunks: El[] = []
  let places = new Map<string, number>()
  const watcher = new window.IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) fill(target)
        else if (chunks.length > 12) empty(target)
      }
    },
    { root, rootMargin: '1500px 0px' },
  )

  function fill(chunk: El): void {
    if (chunk.dataset.full === 'yes') return
    chunk.dataset.full = 'yes'
    const at = Number(chunk.dataset.chunk) * SIZE
    chunk.replaceChildren(...items.slice(at, at + SIZE).map((item) => item.build()))
    chunk.style.minHeight = ''
  }

  function empty(chunk: El): void {
    if (chunk.dataset.full !== 'yes' || chunk.contains(kit.document.activeElement)) return
    chunk.style.minHeight = `${chunk.offsetHeight}px`
    chunk.dataset.full = 'no'
    chunk.replaceChildren()
  }

  function show(next: readonly Item[]): void {
    watcher.disconnect()
    items = next
    places = new Map(next.map(({ key }, i) => [key, i]))
    chunks = []
    for (let at = 0; at < next.length; at += SIZE) {
      const chunk = el('ol', 'chunk')
      chunk.dataset.chunk = String(at / SIZE)
      let height = 0
      for (const item of next.slice(at, at + SIZE)) height += item.height
      chunk.style.minHeight = `${height}px`
      chunks.push(chunk)
    }
    host.replaceChildren(...chunks)
    if (chunks[0]) fill(chunks[0])
    for (const chunk of chunks) watcher.observe(chunk)
  }

  /** The element of an item, made now if it was not there. */
  function reach(key: string): El | undefined {
    const place = places.get(key)
    if (place === undefined) return undefined
    const chunk = chunks[Math.floor(place / SIZE)]
    if (!chunk) return undefined
    fill(chunk)
    for (const element of chunk.querySelectorAll('[data-key]')) if (element.dataset.key === key) return element
    return undefined
  }

  return { show, reach, has: (key: string) => places.has(key) }
}

export type List = ReturnType<typeof makeList>
