import type { PageData, PageFile, PageFinding } from '../shape.ts'
import type { makeCards } from './cards.ts'
import type { El } from './dom.ts'
import type { makeHead, View } from './head.ts'
import type { listen } from './keys.ts'
import type { Kit } from './kit.ts'
import type { Item, makeList } from './list.ts'
import type { makeParts } from './parts.ts'
import type { makeTimeline } from './timeline.ts'

/** A finding among all of the page. */
interface Entry {
  readonly file: number
  readonly index: number
}

/** What the app is made of; each is a function that stands beside it in the page. */
interface Makers {
  readonly makeHead: typeof makeHead
  readonly listen: typeof listen
  readonly makeParts: typeof makeParts
  readonly makeCards: typeof makeCards
  readonly makeTimeline: typeof makeTimeline
  readonly makeList: typeof makeList
}

/** The page: what is shown, filters, the way from one finding to the next. Put into the page as it stands. */
export function startApp(kit: Kit, data: PageData, make: Makers): void {
  const { document, window, el, button, number, count } = kit
  const head = make.makeHead(kit, data)
  const { byId } = head

  let passes: (finding: PageFinding, path: string) => boolean = () => true
  let file = 0
  let conversation = 0
  let view: View = 'turns'
  let entries: Entry[] = []
  let current = -1
  const opened = new Set<number>()
  const unfolded = new Set<number>()

  const parts = make.makeParts(kit, (turn, id) => jump(turn, id))
  const cards = make.makeCards(kit, data, {
    select: (index) => select(index),
    toggle: (index) => toggle(index),
    turn: (finding, turn) => toTurn(finding, turn),
  })
  const timeline = make.makeTimeline(kit, parts, cards, (from) => {
    unfolded.add(from)
    showTurns()
    ;(turnList.reach(`t${from}`) ?? byId('main')).focus({ preventScroll: true })
  })
  const sideList = make.makeList(kit, byId('entries'), byId('entries'))
  const turnList = make.makeList(kit, byId('turns'), null)

  const all: Entry[] = data.files.flatMap((each, i) => each.findings.map((_, index) => ({ file: i, index })))
  const findingAt = ({ file: at, index }: Entry): PageFinding => data.files[at]!.findings[index]!
  const here = (): PageFile | undefined => data.files[file]

  function filter(): void {
    const kept = entries[current]
    entries = all.filter((entry) => passes(findingAt(entry), data.files[entry.file]!.path))
    current = kept ? entries.findIndex((each) => each.file === kept.file && each.index === kept.index) : -1
    const [first] = entries
    if (first && !entries.some((each) => each.file === file)) openFile(first.file, findingAt(first).at?.[0])
    else showTurns()
    showEntries()
  }

  function showEntries(): void {
    const items: Item[] = []
    let last = -1
    for (const [i, entry] of entries.entries()) {
      if (data.files.length > 1 && entry.file !== last) items.push(heading(entry.file))
      last = entry.file
      items.push({ key: `f${i}`, height: 58, build: () => mark(cards.entry(findingAt(entry), i), i) })
    }
    if (data.files.length > 1) {
      for (const [i, each] of data.files.entries()) if (each.findings.length === 0) items.push(heading(i))
    }
    sideList.show(items)
    const total = all.length
    byId('shown').textContent =
      entries.length === total ? count(total, 'finding') : `${number(entries.length)} of ${count(total, 'finding')}`
    place()
  }

  function mark(row: El, i: number): El {
    if (i === current) row.classList.add('is-current')
    return row
  }

  function heading(at: number): Item {
    const of = data.files[at]!
    return {
      key: `h${at}`,
      height: 40,
      build: () => {
        const press = button('file', () => openFile(at), of.path.split(/[\\/]/).slice(-2).join('/'))
        press.title = of.path
        press.setAttribute('aria-current', String(at === file))
        const row = el('li', 'heading', press)
        row.dataset.key = `h${at}`
        return row
      },
    }
  }

  /** Which of how many findings is the present one. */
  function place(): void {
    byId('place').textContent =
      entries.length === 0 ? 'none' : `${current < 0 ? '–' : number(current + 1)} of ${number(entries.length)}`
  }

  function openFile(at: number, of = 0): void {
    if (at !== file || of !== conversation) {
      opened.clear()
      unfolded.clear()
    }
    file = at
    conversation = of
    if (view === 'changes' && !here()?.conversations[of]?.changes.length) view = 'turns'
    showFile()
    showTurns()
  }

  function showFile(): void {
    for (const row of byId('entries').querySelectorAll('.heading')) {
      for (const press of row.querySelectorAll('.file')) {
        press.setAttribute('aria-current', String(row.dataset.key === `h${file}`))
      }
    }
    const of = here()
    if (!of) return
    head.showFile(of, conversation, view, {
      conversation: (index) => openFile(file, index),
      view: (next) => {
        view = next
        showFile()
        showTurns()
        byId(`tab-${next}`).focus()
      },
    })
  }

  function showTurns(): void {
    const of = here()
    const host = byId('turns')
    host.className = view
    if (!of) return
    const findings = entries.filter((each) => each.file === file).map(({ index }) => index)
    const now = entries[current]
    const shown = { file: of, conversation, findings, unfolded, opened, current: now?.file === file ? now.index : -1 }
    const items: Item[] =
      view === 'turns'
        ? [...timeline.looseItems(shown), ...timeline.conversationItems(shown)]
        : timeline.changeItems(shown)
    byId('sides-head').hidden = view !== 'changes'
    byId('empty').hidden = items.length > 0
    turnList.show(items)
  }

  function toggle(index: number): void {
    if (!opened.delete(index)) opened.add(index)
    const before = entries[current]
    current = entries.findIndex((each) => each.file === file && each.index === index)
    if (before?.file === file && before.index !== index) redraw(before.index)
    redraw(index)
    showCurrent()
  }

  /** Marks the present finding in the list. */
  function showCurrent(): void {
    for (const row of byId('entries').querySelectorAll('.is-current')) row.classList.remove('is-current')
    const entry = sideList.reach(`f${current}`)
    entry?.classList.add('is-current')
    entry?.scrollIntoView({ block: 'nearest' })
    place()
  }

  function redraw(index: number): void {
    const old = turnList.reach(`c${index}`)
    const finding = here()?.findings[index]
    if (!old || !finding) return
    const now = entries[current]
    const held = old.contains(document.activeElement)
    const card = cards.card(finding, index, opened.has(index), now?.file === file && now.index === index)
    old.replaceWith(card)
    if (held) for (const head of card.querySelectorAll('.card-head')) head.focus({ preventScroll: true })
  }

  /** Goes to a finding of the list. */
  function select(at: number): void {
    const next = entries[at]
    if (!next) return
    const before = entries[current]
    current = at
    const finding = findingAt(next)
    const of = finding.at?.[0] ?? (next.file === file ? conversation : 0)
    const isElsewhere = next.file !== file || of !== conversation || view !== 'turns'
    view = 'turns'
    if (isElsewhere) openFile(next.file, of)
    else if (before?.file === file) redraw(before.index)
    redraw(next.index)
    byId('side').classList.remove('is-open')
    showCurrent()
    bring(turnList.reach(`c${next.index}`), false)
    const heads = turnList.reach(`c${next.index}`)?.querySelectorAll('.card-head')
    if (heads) for (const head of heads) head.focus({ preventScroll: true })
  }

  /** Brings an element into view; once more when what is above it has got its real height. */
  function bring(element: El | undefined, flash: boolean): void {
    if (!element) return
    element.scrollIntoView({ block: 'center' })
    window.requestAnimationFrame(() => window.requestAnimationFrame(() => element.scrollIntoView({ block: 'center' })))
    if (!flash) return
    element.classList.add('flash')
    window.setTimeout(() => element.classList.remove('flash'), 1600)
  }

  /** Follows a call to its result or back. */
  function jump(turn: number, id: string): void {
    reveal(turn)
    const row = turnList.reach(`t${turn}`)
    bring(row, true)
    if (!row) return
    for (const chip of row.querySelectorAll('[data-pair]')) {
      if (chip.dataset.pair !== id) continue
      for (const link of chip.querySelectorAll('.partner')) link.focus({ preventScroll: true })
    }
  }

  function toTurn(finding: PageFinding, turn: number): void {
    if (finding.at && finding.at[0] !== conversation) openFile(file, finding.at[0])
    reveal(turn)
    bring(turnList.reach(`t${turn}`), true)
  }

  /** Opens the stretch in which a turn is folded. */
  function reveal(turn: number): void {
    if (turnList.has(`t${turn}`)) return
    for (let from = turn; from >= 0; from--) {
      if (!turnList.has(`x${from}`)) continue
      unfolded.add(from)
      showTurns()
      return
    }
  }

  function step(by: number): void {
    if (entries.length === 0) return
    select(current < 0 ? (by > 0 ? 0 : entries.length - 1) : Math.max(0, Math.min(entries.length - 1, current + by)))
  }

  head.showRun()
  head.themes()
  make.listen(kit, head, {
    step,
    flip: () => byId(view === 'turns' ? 'tab-changes' : 'tab-turns').click(),
    open: () => {
      const now = entries[current]
      if (now?.file === file) toggle(now.index)
      return now?.file === file
    },
  })
  head.showFilters((next) => {
    passes = next
    filter()
  })
  filter()
  openFile(0)
}
