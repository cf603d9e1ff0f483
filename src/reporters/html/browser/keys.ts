import type { PageEvent } from './dom.ts'
import type { Head } from './head.ts'
import type { Kit } from './kit.ts'

/** What keys and buttons do; `open` says whether there was anything to open. */
interface Go {
  readonly step: (by: number) => void
  readonly flip: () => void
  readonly open: () => boolean
}

/** Keys, the buttons that are always there, and what the pointer shows in passing. Put into the page as it stands. */
export function listen(kit: Kit, head: Head, go: Go): void {
  const { document } = kit
  const { byId } = head

  /** Shows which call and which result belong together. */
  function joinPairs(event: PageEvent): void {
    const id = event.target.closest('[data-pair]')?.dataset.pair
    for (const chip of byId('turns').querySelectorAll('[data-pair]')) {
      chip.classList.toggle('is-joined', id !== undefined && chip.dataset.pair === id)
    }
  }

  const keys: Record<string, () => void> = {
    j: () => go.step(1),
    k: () => go.step(-1),
    '/': () => byId('search').focus(),
    '?': () => byId('help').showModal(),
    d: () => go.flip(),
    t: () => byId('theme').click(),
  }

  for (const type of ['mouseover', 'focusin']) byId('turns').addEventListener(type, joinPairs)
  byId('open-help').addEventListener('click', () => byId('help').showModal())
  byId('close-help').addEventListener('click', () => byId('help').close())
  byId('previous').addEventListener('click', () => go.step(-1))
  byId('next').addEventListener('click', () => go.step(1))
  byId('open-side').addEventListener('click', () => {
    byId('side').classList.toggle('is-open')
  })
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId('help').open) return
    const { tagName } = event.target
    if (tagName === 'INPUT' || tagName === 'SELECT') {
      if (event.key === 'Escape') event.target.blur()
      return
    }
    // A button in focus does what it says; elsewhere Enter opens the present finding.
    const isFree = tagName !== 'BUTTON' && tagName !== 'A' && tagName !== 'SUMMARY'
    const run = event.key === 'Enter' ? undefined : keys[event.key]
    if (event.key === 'Enter' && isFree) {
      if (!go.open()) return
    } else if (run) run()
    else return
    event.preventDefault()
  })
}
