import type { PageData, PageFile, PageFinding } from '../shape.ts'
import type { El } from './dom.ts'
import type { Kit } from './kit.ts'

export type View = 'turns' | 'changes'

/** The upper part of the page, the filters, and what is said of a file as a whole. Put into the page as it stands. */
export function makeHead(kit: Kit, data: PageData) {
  const { document, window, el, button, number, count } = kit
  const byId = (id: string): El => document.getElementById(id) ?? el('div', '')
  const severities = ['error', 'warning', 'info'] as const
  const findings: readonly PageFinding[] = data.files.flatMap((file) => file.findings)

  /** The run in a line, how to repair it, what was left out, and the files that are healthy. */
  function showRun(): void {
    const { findings: found, fixed, fixable } = data.totals
    const files = data.files.filter((file) => file.findings.length > 0).length
    const all = count(data.files.length + data.healthy.length, 'file')
    const told = [
      found === 0 ? `nothing was found in ${all}` : `${count(found, 'finding')} in ${number(files)} of ${all}`,
      fixed > 0 ? `${number(fixed)} ${data.mode === 'fix' ? 'repaired' : 'would be repaired'}` : '',
      fixable > 0 ? `${number(fixable)} can be repaired` : '',
      data.seconds,
    ]
    byId('summary').textContent = told.filter((part) => part !== '').join(' · ')
    if (fixable > 0) byId('commands').append(command('Repair', data.command))
    for (const note of data.notes) byId('notes').append(el('p', 'remark note', note))
    if (data.healthy.length === 0) return
    const list = byId('healthy')
    list.hidden = false
    list.append(el('summary', '', `${count(data.healthy.length, 'file')} without a finding`))
    list.append(el('ul', '', ...data.healthy.map((path) => el('li', '', path))))
  }

  /** The filters; `change` is told what they let pass. */
  function showFilters(change: (passes: (finding: PageFinding, path: string) => boolean) => void): void {
    const off = new Set<string>()
    const choice = byId('rules')
    const search = byId('search')
    const tell = () => {
      const rule = choice.value
      const query = search.value.trim().toLowerCase()
      change((finding, path) => {
        const name = data.rules[finding.rule]?.rule ?? ''
        if (off.has(finding.severity) || (rule !== '' && name !== rule)) return false
        const said = [finding.message, name, path, `line ${finding.line}`, ...finding.ids]
        return query === '' || said.join('\n').toLowerCase().includes(query)
      })
    }
    for (const severity of severities) {
      const times = findings.filter((finding) => finding.severity === severity).length
      const press = () => {
        if (!off.delete(severity)) off.add(severity)
        chip.setAttribute('aria-pressed', String(!off.has(severity)))
        tell()
      }
      const sign = el('span', `sign ${severity}`, { error: '✖', warning: '▲', info: 'i' }[severity])
      const chip = button(`severity ${severity}`, press, sign, count(times, severity))
      chip.setAttribute('aria-pressed', 'true')
      if (times === 0) chip.setAttribute('disabled', '')
      byId('severities').append(chip)
    }
    const rules = new Map<string, number>()
    for (const finding of findings) {
      const name = data.rules[finding.rule]?.rule ?? ''
      rules.set(name, (rules.get(name) ?? 0) + 1)
    }
    for (const [name, times] of [...rules].sort((a, b) => b[1] - a[1])) {
      choice.append(option(name, `${name} (${number(times)})`))
    }
    choice.addEventListener('change', tell)
    let waiting = 0
    search.addEventListener('input', () => {
      window.clearTimeout(waiting)
      waiting = window.setTimeout(tell, 120)
    })
  }

  /** What is said of a file, which of its conversations is shown, and how. */
  function showFile(
    file: PageFile,
    conversation: number,
    view: View,
    go: { readonly conversation: (index: number) => void; readonly view: (view: View) => void },
  ): void {
    const head = byId('file')
    head.replaceChildren(el('h2', '', file.path), el('p', 'facts', file.facts.join(' · ')))
    for (const { kind, text } of file.remarks) head.append(el('p', `remark ${kind}`, text))
    if (file.removed.length > 0) {
      const list = el(
        'details',
        'taken',
        el('summary', '', `What the repair takes out (${number(file.removed.length)})`),
      )
      list.append(el('ul', '', ...file.removed.map((text) => el('li', '', text))))
      head.append(list)
    }
    if (file.resume !== null) head.append(command(data.mode === 'fix' ? 'Resume' : 'Then resume', file.resume))
    const bar = el('div', 'bar-row')
    if (file.conversations.length > 1) {
      const choice = el('select', 'choice')
      choice.setAttribute('aria-label', 'Conversation')
      for (const [i, { label, count: turns }] of file.conversations.entries()) {
        choice.append(option(String(i), `${label === '' ? `conversation ${i + 1}` : label} (${count(turns, 'turn')})`))
      }
      choice.value = String(conversation)
      choice.addEventListener('change', () => go.conversation(Number(choice.value)))
      bar.append(choice)
    }
    const shown = file.conversations[conversation]
    if (shown) {
      const changes = shown.changes.length
      const stood = data.mode === 'fix' && changes > 0 ? 'Before the repair' : 'Conversation'
      const sides = changes === 0 ? 'same turns' : count(changes, 'change')
      bar.append(
        tab('turns', `${stood} (${count(shown.count, 'turn')})`),
        tab('changes', `Before and after (${sides})`),
      )
      if (changes === 0) byTab(bar, 'changes').setAttribute('disabled', '')
      byTab(bar, view).setAttribute('aria-pressed', 'true')
    }
    head.append(bar)

    function tab(name: View, text: string): El {
      const press = button('tab', () => go.view(name), text)
      press.id = `tab-${name}`
      press.setAttribute('aria-pressed', 'false')
      return press
    }
  }

  function byTab(bar: El, name: View): El {
    for (const press of bar.querySelectorAll('.tab')) if (press.id === `tab-${name}`) return press
    return bar
  }

  function option(value: string, text: string): El {
    const element = el('option', '', text)
    element.setAttribute('value', value)
    return element
  }

  function command(name: string, text: string): El {
    const copied = (said: string) => () => {
      copy.textContent = said
    }
    const press = () => window.navigator.clipboard?.writeText(text).then(copied('copied'), copied('could not copy'))
    const copy = button('copy', press, 'copy')
    copy.setAttribute('aria-label', `copy: ${text}`)
    return el('p', 'command', el('span', 'quiet', name), el('code', '', text), window.navigator.clipboard ? copy : null)
  }

  /** Light, dark, or as the system has it; kept where the browser keeps anything for a page from a disk. */
  function themes(): void {
    const next: Record<string, string> = { auto: 'dark', dark: 'light', light: 'auto' }
    let theme = 'auto'
    try {
      theme = window.localStorage.getItem('convfix-theme') ?? 'auto'
    } catch {}
    const show = () => {
      if (theme === 'auto') document.documentElement.removeAttribute('data-theme')
      else document.documentElement.setAttribute('data-theme', theme)
      byId('theme').replaceChildren(el('span', 'wide', 'Theme: '), theme)
      byId('theme').setAttribute('aria-label', `Theme: ${theme}`)
    }
    show()
    byId('theme').addEventListener('click', () => {
      theme = next[theme] ?? 'auto'
      show()
      try {
        window.localStorage.setItem('convfix-theme', theme)
      } catch {}
    })
  }

  return { byId, showRun, showFilters, showFile, themes }
}

export type Head = ReturnType<typeof makeHead>
