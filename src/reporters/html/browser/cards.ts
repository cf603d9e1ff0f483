import type { PageData, PageFinding } from '../shape.ts'
import type { El } from './dom.ts'
import type { Kit } from './kit.ts'

/** Findings as elements: an entry of the list, and the card below its turn. Put into the page as it stands. */
export function makeCards(
  kit: Kit,
  data: PageData,
  go: {
    readonly select: (finding: number) => void
    readonly toggle: (finding: number) => void
    readonly turn: (finding: PageFinding, turn: number) => void
  },
) {
  const { el, button, number } = kit
  const SIGNS = { error: '✖', warning: '▲', info: 'i' }
  const STATES = {
    open: 'no automatic repair',
    fixable: '--fix repairs it',
    unsafe: '--unsafe-fixes repairs it',
    asked: '--fix repairs it when its rule is selected by name',
    fixed: data.mode === 'dry-run' ? 'would be repaired' : 'repaired',
    known: 'known (baseline)',
  }

  function sign(finding: PageFinding): El {
    const done = finding.state === 'fixed' && data.mode === 'fix'
    const mark = el('span', `sign ${done ? 'done' : finding.severity}`, done ? '✔' : SIGNS[finding.severity])
    mark.setAttribute('aria-hidden', 'true')
    return mark
  }

  /** What eyes see by colours and signs, for those who hear the page. */
  function heard(text: string): El {
    return el('span', 'heard', text)
  }

  /** In the list of findings. */
  function entry(finding: PageFinding, index: number): El {
    const rule = data.rules[finding.rule]
    const words = el('span', 'words', el('span', 'message', heard(`${finding.severity}: `), finding.message))
    words.append(
      el('span', 'where', `line ${number(finding.line)} · ${rule?.rule ?? ''}`),
      heard(STATES[finding.state]),
    )
    const press = button('entry', () => go.select(index), sign(finding), words)
    const row = el('li', `found ${finding.severity} ${finding.state}`, press)
    row.dataset.key = `f${index}`
    return row
  }

  /** Below the turn that it is about. */
  function card(finding: PageFinding, index: number, isOpen: boolean, isCurrent: boolean): El {
    const rule = data.rules[finding.rule]
    const link = el('a', 'rule', rule?.rule ?? '')
    if (rule) {
      link.href = rule.help
      link.setAttribute('rel', 'noreferrer')
      link.title = 'documentation of the rule (needs a network)'
    }
    const head = button(
      'card-head',
      () => go.toggle(index),
      sign(finding),
      el('span', 'message', heard(`${finding.severity}: `), finding.message),
    )
    head.setAttribute('aria-expanded', String(isOpen))
    head.append(el('span', 'chevron', isOpen ? '−' : '+'))
    const box = el('li', `card ${finding.severity} ${finding.state}${isCurrent ? ' is-current' : ''}`)
    box.dataset.key = `c${index}`
    const meta = el('p', 'meta', link, el('span', `state ${finding.state}`, STATES[finding.state]))
    meta.append(el('span', 'quiet', `${number(finding.line)}:${number(finding.column)}`))
    if (finding.api !== '') meta.append(el('code', '', finding.api))
    box.append(head, meta)
    if (rule?.providerError) box.append(line('The API says', rule.providerError, 'says'))
    if (finding.fix !== '') box.append(line('Repair', finding.fix, 'repair'))
    if (isOpen) box.append(details(finding))
    return box
  }

  function details(finding: PageFinding): El {
    const list = el('dl', 'details')
    const add = (name: string, ...values: (El | string)[]) => list.append(el('dt', '', name), el('dd', '', ...values))
    const rule = data.rules[finding.rule]
    add('Severity', `${finding.severity} (${rule?.family ?? ''})`)
    if (finding.pointer !== '') add('Pointer', el('code', '', finding.pointer))
    if (finding.ids.length > 0) add('Ids', ...finding.ids.map((id) => el('code', 'id', id)))
    for (const { line: at, message, turn } of finding.related) {
      const place = `line ${number(at)}`
      add('See also', turn < 0 ? place : button('link', () => go.turn(finding, turn), place), ` ${message}`)
    }
    if (rule?.heals) add('If left as it is', rule.heals)
    return list
  }

  function line(name: string, text: string, kind: string): El {
    return el('p', `told ${kind}`, el('b', '', name), ` ${text}`)
  }

  return { entry, card, sign }
}

export type Cards = ReturnType<typeof makeCards>
