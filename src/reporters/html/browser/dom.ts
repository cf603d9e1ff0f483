/**
 * What the page's script uses of a browser, and no more. Written down here, since the library of DOM types would put every global
 * of a browser (`name`, `event`, `status` …) in reach of the whole program.
 */
export interface El {
  className: string
  textContent: string | null
  hidden: boolean
  value: string
  title: string
  id: string
  href: string
  tabIndex: number
  open: boolean
  scrollTop: number
  readonly tagName: string
  readonly isConnected: boolean
  readonly offsetHeight: number
  readonly dataset: Record<string, string | undefined>
  readonly style: { minHeight: string; width: string }
  readonly classList: {
    add(name: string): void
    remove(name: string): void
    toggle(name: string, on?: boolean): boolean
  }
  append(...children: (El | string)[]): void
  replaceWith(other: El): void
  click(): void
  removeAttribute(name: string): void
  replaceChildren(...children: (El | string)[]): void
  setAttribute(name: string, value: string): void
  getAttribute(name: string): string | null
  addEventListener(type: string, listener: (event: PageEvent) => void): void
  closest(selector: string): El | null
  contains(other: El | null): boolean
  querySelectorAll(selector: string): ArrayLike<El> & Iterable<El>
  getBoundingClientRect(): { readonly top: number; readonly bottom: number; readonly height: number }
  scrollIntoView(options: { block: 'center' | 'nearest' | 'start' }): void
  focus(options?: { preventScroll?: boolean }): void
  blur(): void
  showModal(): void
  close(): void
}

export interface PageEvent {
  readonly key: string
  readonly target: El
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  preventDefault(): void
}

export interface Doc {
  title: string
  readonly documentElement: El
  readonly activeElement: El | null
  createElement(tag: string): El
  getElementById(id: string): El | null
  addEventListener(type: string, listener: (event: PageEvent) => void): void
}

export interface Watcher {
  observe(element: El): void
  disconnect(): void
}

export interface Win {
  readonly document: Doc
  readonly localStorage: { getItem(key: string): string | null; setItem(key: string, value: string): void }
  readonly navigator: { readonly clipboard?: { writeText(text: string): Promise<void> } }
  readonly IntersectionObserver: new (
    seen: (entries: readonly { readonly target: El; readonly isIntersecting: boolean }[]) => void,
    options: { root: El | null; rootMargin: string },
  ) => Watcher
  matchMedia(query: string): { readonly matches: boolean }
  setTimeout(run: () => void, milliseconds: number): number
  clearTimeout(timer: number): void
  requestAnimationFrame(run: () => void): number
}
