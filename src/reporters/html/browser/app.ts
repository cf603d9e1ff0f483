import type { PageData, PageFile, PageFinding } from '../shape.ts'
import type { makeCards } from './cards.ts'
import type { El, PageEvent } from './dom.ts'
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
  readonly makeParts: typeof makeParts
  readonly makeCards: typeof makeCards
  readonly makeTimeline: typeof makeTimeline
  readonly makeList: typeof makeList
}

/** The page: what is shown, filters, the way from one finding to the next. Put into the page as it stands. */
export function startApp(kit: Kit, data: PageData, make: Makers): void {
  const { document, window, el, button, number, count } = kit
  const byId = (id: string): El => document.getElementById(id) ?? el('div', '')

  const off = new Set<string>()
  let rule = ''
  let query = ''
  let file = 0
  let conversation = 0
  let view: 'turns' | 'changes' = 'turns'
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

  const severities = ['error', 'warning', 'info'] as const
  const all: Entry[] = data.files.flatMap((each, i) => each.findings.map((_, index) => ({ file: i, index })))
  const findingAt = ({ file: at, index }: Entry): PageFinding => data.files[at]!.findings[index]!
  const here = (): PageFile | undefined => data.files[file]

  function passes(entry: Entry): boolean {
    const finding = findingAt(entry)
    if (off.has(finding.severity)) return false
    const of = data.rules[finding.rule]
    if (rule !== '' && of?.rule !== rule && of?.family !== rule) return false
    if (query === '') return true
    const said = [finding.message, of?.rule ?? '', data.files[entry.file]!.path, `line ${finding.line}`, ...finding.ids]
    return said.join('\n').toLowerCase().includes(query)
  }

  function filter(): void {
    const kept = entries[current]
    entries = all.filter(passes)
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
        if (at === file) press.setAttribute('aria-current', 'true')
        const row = el('li', 'heading', press)
        row.dataset.key = `h${at}`
        return row
      },
    }
  }

  /** Which of how many findings is the present one. */
  function place(): void {
    byId('place').textContent =
      entries.length === 0
        ? 'none'
        : current < 0
          ? number(entries.length)
          : `${number(current + 1)} of ${number(entries.length)}`
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
    const of = here()
    const head = byId('file')
    head.replaceChildren()
    if (!of) return
    head.append(el('h2', '', of.path), el('p', 'facts', of.facts.join(' · ')))
    for (const { kind, text } of of.remarks) head.append(el('p', `remark ${kind}`, text))
    if (of.removed.length > 0) {
      const list = el(
        'details',
        'removed',
        el('summary', '', `${count(of.removed.length, 'thing')} taken out, kept in the backup`),
      )
      list.append(el('ul', '', ...of.removed.map((text) => el('li', '', text))))
      head.append(list)
    }
    if (of.resume !== null) head.append(command('Resume', of.resume))
    const bar = el('div', 'bar-row')
    if (of.conversations.length > 1) {
      const choice = el('select', 'choice')
      choice.setAttribute('aria-label', 'Conversation')
      for (const [i, each] of of.conversations.entries()) {
        const option = el(
          'option',
          '',
          `${each.label === '' ? `conversation ${i + 1}` : each.label} (${count(each.count, 'turn')})`,
        )
        option.setAttribute('value', String(i))
        choice.append(option)
      }
      choice.value = String(conversation)
      choice.addEventListener('change', () => openFile(file, Number(choice.value)))
      bar.append(choice)
    }
    const changes = of.conversations[conversation]?.changes.length ?? 0
    if (of.conversations.length > 0) {
      const turns = of.conversations[conversation]?.count ?? 0
      bar.append(
        tab('turns', `Conversation (${count(turns, 'turn')})`),
        tab('changes', `Before and after (${changes === 0 ? 'no change' : count(changes, 'change')})`, changes === 0),
      )
    }
    head.append(bar)
  }

  function tab(name: typeof view, text: string, disabled = false): El {
    const press = button(
      'tab',
      () => {
        view = name
        showFile()
        showTurns()
        byId(`tab-${name}`).focus()
      },
      text,
    )
    press.id = `tab-${name}`
    press.setAttribute('aria-pressed', String(view === name))
    if (disabled) press.setAttribute('disabled', '')
    return press
  }

  function showTurns(): void {
    const of = here()
    const host = byId('turns')
    host.className = view
    if (!of) return
    const findings = entries.filter((each) => each.file === file).map(({ index }) => index)
    const now = entries[current]
    const shown = { file: of, conversation, findings, unfolded, opened, current: now?.file === file ? now.index : -1 }
    const loose = findings.filter((index) => of.findings[index]!.at === undefined)
    const items: Item[] = []
    if (view === 'turns') {
      for (const index of loose) {
        items.push({
          key: `c${index}`,
          height: 120,
          build: () => cards.card(of.findings[index]!, index, opened.has(index), shown.current === index),
        })
      }
      items.push(...timeline.conversationItems(shown))
    } else items.push(...timeline.changeItems(shown))
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

  function command(name: string, text: string): El {
    const copy = button(
      'copy',
      () => {
        window.navigator.clipboard?.writeText(text).then(
          () => (copy.textContent = 'copied'),
          () => (copy.textContent = 'could not copy'),
        )
      },
      'copy',
    )
    copy.setAttribute('aria-label', `copy: ${text}`)
    return el('p', 'command', el('span', 'quiet', name), el('code', '', text), window.navigator.clipboard ? copy : null)
  }

  function showHead(): void {
    const open = { error: 0, warning: 0, info: 0 }
    const total = { error: 0, warning: 0, info: 0 }
    let fixed = 0
    let fixable = 0
    for (const entry of all) {
      const { severity, state } = findingAt(entry)
      total[severity]++
      if (state === 'fixed') fixed++
      else open[severity]++
      if (state === 'fixable') fixable++
    }
    const told = [
      all.length === 0
        ? 'nothing was found'
        : `${count(all.length, 'finding')} in ${number(data.files.length)} of ${count(data.files.length + data.healthy.length, 'file')}`,
      fixed > 0 ? `${number(fixed)} ${data.mode === 'fix' ? 'repaired' : 'would be repaired'}` : '',
      fixable > 0 ? `${number(fixable)} can be repaired` : '',
      data.seconds,
    ]
    byId('summary').textContent = told.filter((part) => part !== '').join(' · ')
    if (fixable > 0) byId('commands').append(command('Repair', data.command))
    for (const note of data.notes) byId('notes').append(el('p', 'remark note', note))
    for (const severity of severities) {
      const chip = button(
        `severity ${severity}`,
        () => {
          if (!off.delete(severity)) off.add(severity)
          chip.setAttribute('aria-pressed', String(!off.has(severity)))
          filter()
        },
        el('span', `sign ${severity}`, severity === 'error' ? '✖' : severity === 'warning' ? '▲' : 'i'),
        count(total[severity], severity),
      )
      chip.setAttribute('aria-pressed', 'true')
      if (total[severity] === 0) chip.setAttribute('disabled', '')
      byId('severities').append(chip)
    }
    const rules = new Map<string, number>()
    for (const entry of all) {
      const name = data.rules[findingAt(entry).rule]!.rule
      rules.set(name, (rules.get(name) ?? 0) + 1)
    }
    const choice = byId('rules')
    for (const [name, times] of [...rules].sort((a, b) => b[1] - a[1])) {
      const option = el('option', '', `${name} (${number(times)})`)
      option.setAttribute('value', name)
      choice.append(option)
    }
    choice.addEventListener('change', () => {
      rule = choice.value
      filter()
    })
    if (data.healthy.length > 0) {
      const list = byId('healthy')
      list.hidden = false
      list.append(el('summary', '', `${count(data.healthy.length, 'file')} without a finding`))
      list.append(el('ul', '', ...data.healthy.map((path) => el('li', '', path))))
    }
  }

  function setTheme(theme: string): void {
    if (theme === 'auto') document.documentElement.removeAttribute('data-theme')
    else document.documentElement.setAttribute('data-theme', theme)
    byId('theme').textContent = `Theme: ${theme}`
  }

  /** A page that was opened from a disk may have no storage. */
  function stored(theme?: string): string {
    try {
      if (theme !== undefined) window.localStorage.setItem('convfix-theme', theme)
      return window.localStorage.getItem('convfix-theme') ?? 'auto'
    } catch {
      return theme ?? 'auto'
    }
  }

  /** Shows which call and which result belong together. */
  function joinPairs(event: PageEvent): void {
    const id = event.target.closest('[data-pair]')?.dataset.pair
    for (const chip of byId('turns').querySelectorAll('[data-pair]')) {
      chip.classList.toggle('is-joined', id !== undefined && chip.dataset.pair === id)
    }
  }

  function listen(): void {
    for (const type of ['mouseover', 'focusin']) byId('turns').addEventListener(type, joinPairs)
    const search = byId('search')
    let waiting = 0
    search.addEventListener('input', () => {
      window.clearTimeout(waiting)
      waiting = window.setTimeout(() => {
        query = search.value.trim().toLowerCase()
        filter()
      }, 120)
    })
    let theme = stored()
    setTheme(theme)
    byId('theme').addEventListener('click', () => {
      theme = { auto: 'dark', dark: 'light', light: 'auto' }[theme] ?? 'auto'
      stored(theme)
      setTheme(theme)
    })
    byId('open-help').addEventListener('click', () => byId('help').showModal())
    byId('close-help').addEventListener('click', () => byId('help').close())
    byId('previous').addEventListener('click', () => step(-1))
    byId('next').addEventListener('click', () => step(1))
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
      const keys: Record<string, () => void> = {
        j: () => step(1),
        k: () => step(-1),
        '/': () => search.focus(),
        '?': () => byId('help').showModal(),
        d: () => byId(view === 'turns' ? 'tab-changes' : 'tab-turns').click(),
        t: () => byId('theme').click(),
      }
      const run = keys[event.key]
      const now = entries[current]
      // A button in focus does what it says; elsewhere Enter opens the present finding.
      const isFree = tagName !== 'BUTTON' && tagName !== 'A' && tagName !== 'SUMMARY'
      if (event.key === 'Enter' && isFree && now?.file === file) toggle(now.index)
      else if (run) run()
      else return
      event.preventDefault()
    })
  }

  showHead()
  listen()
  filter()
  openFile(0)
}
