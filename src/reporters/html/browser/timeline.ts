import type { PageConversation, PageFile, PageTurn } from '../shape.ts'
import type { Cards } from './cards.ts'
import type { El } from './dom.ts'
import type { Kit } from './kit.ts'
import type { Item } from './list.ts'
import type { Parts } from './parts.ts'

/** What of a file is shown. */
export interface Shown {
  readonly file: PageFile
  readonly conversation: number
  /** Indices into the file's findings that passed the filters. */
  readonly findings: readonly number[]
  readonly unfolded: ReadonlySet<number>
  readonly opened: ReadonlySet<number>
  readonly current: number
}

/** The items of a conversation: turns, the findings below them, and the healthy stretches between. Put into the page as it stands. */
export function makeTimeline(kit: Kit, parts: Parts, cards: Cards, unfold: (from: number) => void) {
  const AROUND = 1
  /** Conversations up to this length are shown whole, and so are shorter stretches. */
  const WHOLE = 40
  const SHORTEST = 3
  const { el, button, number, count } = kit
  type Turns = ReturnType<Parts['turnsBy']>

  /** The conversation before the repair, with what was found. */
  function conversationItems(shown: Shown): Item[] {
    const { file, conversation, unfolded } = shown
    const of = file.conversations[conversation]
    if (!of) return []
    const turns = parts.turnsBy(of)
    const pairs = parts.pairsOf(turns)
    const below = new Map<number, number[]>()
    const near = new Set<number>()
    for (const index of shown.findings) {
      const finding = file.findings[index]
      if (!finding || (finding.at && finding.at[0] !== conversation)) continue
      const turn = finding.at ? finding.at[1] : placeOf(finding.line, turns, file)
      if (turn === undefined) continue
      below.set(turn, [...(below.get(turn) ?? []), index])
      for (const at of [turn, ...finding.related.map((each) => each.turn)]) {
        if (at >= 0) for (let i = at - AROUND; i <= at + AROUND; i++) near.add(i)
      }
    }
    if (of.count <= WHOLE) for (let i = 0; i < of.count; i++) near.add(i)
    const items: Item[] = []
    stretches(of, turns, near, unfolded, items, (i) => {
      const turn = turns.get(i)
      if (!turn) return
      const here = below.get(i) ?? []
      const found = here.map((index) => file.findings[index]!)
      const mine = found.filter(({ at }) => at !== undefined)
      const worst = (['error', 'warning', 'info'] as const).find((level) =>
        mine.some(({ severity }) => severity === level),
      )
      const faults = mine.map(({ at }) => at?.[2] ?? -1)
      items.push({
        key: `t${i}`,
        height: 40,
        build: () => {
          const row = parts.turnRow(turn, i, pairs, faults)
          row.dataset.key = `t${i}`
          if (worst) row.classList.add(`has-${worst}`)
          return row
        },
      })
      for (const index of here) items.push(cardItem(shown, index))
    })
    return items
  }

  /** The last turn above a fault that belongs to none; undefined where it stands above them all, or there are several conversations. */
  function placeOf(line: number, turns: Turns, file: PageFile): number | undefined {
    if (file.conversations.length > 1) return undefined
    let place: number | undefined
    for (const [turn, row] of turns) if (row[0] <= line) place = turn
    return place
  }

  /** The findings that no turn shows. */
  function looseItems(shown: Shown): Item[] {
    const of = shown.file.conversations[shown.conversation]
    const turns = of ? parts.turnsBy(of) : new Map<number, PageTurn>()
    const isLoose = (index: number): boolean => {
      const finding = shown.file.findings[index]
      return finding !== undefined && !finding.at && placeOf(finding.line, turns, shown.file) === undefined
    }
    return shown.findings.filter(isLoose).map((index) => cardItem(shown, index))
  }

  function cardItem(shown: Shown, index: number): Item {
    return {
      key: `c${index}`,
      height: 120,
      build: () => cards.card(shown.file.findings[index]!, index, shown.opened.has(index), shown.current === index),
    }
  }

  /** What the repair changes: both sides of each turn that is not what it was, and the turns around. */
  function changeItems(shown: Shown): Item[] {
    const of = shown.file.conversations[shown.conversation]
    if (!of) return []
    const turns = parts.turnsBy(of)
    const near = new Set<number>()
    const behind = new Map<number, PageConversation['changes'][number][]>()
    for (const change of of.changes) {
      behind.set(change.behind, [...(behind.get(change.behind) ?? []), change])
      for (let i = change.behind - AROUND; i <= change.behind + AROUND; i++) near.add(i)
    }
    const items: Item[] = []
    const sides = (list: readonly PageConversation['changes'][number][], at: number) => {
      for (const [i, change] of list.entries()) {
        items.push({
          key: `d${at}.${i}`,
          height: 60,
          build: () => {
            const old = turns.get(change.before)
            const left = old ? parts.turnRow(old, change.before, undefined, []) : null
            const right = change.after ? parts.turnRow(change.after, -1, undefined, []) : null
            const row = both(left, right, change.kind)
            row.dataset.key = `d${at}.${i}`
            return row
          },
        })
      }
    }
    sides(behind.get(-1) ?? [], -1)
    stretches(of, turns, near, shown.unfolded, items, (i) => {
      const turn = turns.get(i)
      const here = behind.get(i) ?? []
      if (turn && !here.some(({ before }) => before === i)) {
        items.push({
          key: `t${i}`,
          height: 40,
          build: () => {
            const row = both(parts.turnRow(turn, i, undefined, []), parts.turnRow(turn, i, undefined, []), 'same')
            row.dataset.key = `t${i}`
            return row
          },
        })
      }
      sides(here, i)
    })
    return items
  }

  function both(left: El | null, right: El | null, kind: string): El {
    const words = kind === 'moved' ? (left ? 'moved from here' : 'moved here') : kind
    const tag = kind === 'same' ? null : el('span', `tag ${kind}`, words)
    const row = el('li', `sides ${kind}${left ? '' : ' no-left'}${right ? '' : ' no-right'}`)
    row.append(el('div', 'side left', left ? inner(left) : null), el('div', 'side right', right ? inner(right) : null))
    if (tag) row.append(tag)
    return row
  }

  /** A row inside of another one is no item of the list. */
  function inner(row: El): El {
    const box = el('div', row.className)
    for (const part of [...row.querySelectorAll(':scope > *')]) box.append(part)
    return box
  }

  /** Goes through the turns: those that are near one by one, the others folded unless somebody opened them. */
  function stretches(
    of: PageConversation,
    turns: Turns,
    near: ReadonlySet<number>,
    unfolded: ReadonlySet<number>,
    items: Item[],
    row: (i: number) => void,
  ): void {
    for (let i = 0; i < of.count; ) {
      if (near.has(i)) {
        row(i++)
        continue
      }
      const from = i
      while (i < of.count && !near.has(i)) i++
      let missing = 0
      for (let at = from; at < i; at++) if (!turns.has(at)) missing++
      if (unfolded.has(from) || (i - from < SHORTEST && missing === 0)) for (let at = from; at < i; at++) row(at)
      if (missing < i - from && !unfolded.has(from) && i - from >= SHORTEST) items.push(fold(turns, from, i, missing))
      else if (missing > 0) items.push(gone(from, missing))
    }
  }

  function fold(turns: Turns, from: number, to: number, missing: number): Item {
    const key = `x${from}`
    return {
      key,
      height: 36,
      build: () => {
        const first = turns.get(from)?.[0]
        const last = turns.get(to - 1)?.[0]
        const lines = first === undefined || last === undefined ? '' : `lines ${number(first)} to ${number(last)}`
        const press = button(
          'fold',
          () => unfold(from),
          `${count(to - from, 'turn')} without a mark`,
          el('span', 'quiet', lines),
        )
        press.setAttribute('aria-expanded', 'false')
        if (missing > 0) press.append(el('span', 'quiet', `${number(missing)} of them left out of this page`))
        const item = el('li', 'folded', press)
        item.dataset.key = key
        return item
      },
    }
  }

  function gone(from: number, missing: number): Item {
    const key = `g${from}`
    return {
      key,
      height: 36,
      build: () => {
        const item = el('li', 'folded', el('span', 'fold gone', `${count(missing, 'turn')} left out of this page`))
        item.dataset.key = key
        return item
      },
    }
  }

  return { looseItems, conversationItems, changeItems }
}

export type Timelines = ReturnType<typeof makeTimeline>
