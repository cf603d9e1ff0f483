import type { El, Win } from './dom.ts'

/**
 * Small helpers of the page. Like its sisters this function is put into the page as it stands: it may use its parameters and
 * itself, nothing else of its module.
 */
export function makeKit(window: Win) {
  const { document } = window
  type Child = El | string | null | undefined

  /** An element. Text becomes text, never markup. */
  function el(tag: string, name: string, ...children: Child[]): El {
    const element = document.createElement(tag)
    if (name !== '') element.className = name
    for (const child of children) if (child !== null && child !== undefined && child !== '') element.append(child)
    return element
  }

  function button(name: string, press: () => void, ...children: Child[]): El {
    const element = el('button', name, ...children)
    element.setAttribute('type', 'button')
    element.addEventListener('click', (event) => {
      event.preventDefault()
      press()
    })
    return element
  }

  function number(value: number): string {
    return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
  }

  function count(value: number, one: string, many?: string): string {
    return `${number(value)} ${value === 1 ? one : (many ?? `${one}s`)}`
  }

  /** `812 B`, `1.2 MB`. */
  function bytes(value: number): string {
    if (value < 1000) return `${value} B`
    const units = ['kB', 'MB', 'GB']
    let size = value / 1000
    let unit = 0
    while (size >= 1000 && unit < units.length - 1) {
      size /= 1000
      unit++
    }
    return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`
  }

  /** The end of an id, which tells it from others; the whole stands in the title. */
  function shortId(id: string): string {
    return id.length <= 16 ? id : `…${id.slice(-10)}`
  }

  return { window, document, el, button, number, count, bytes, shortId }
}

export type Kit = ReturnType<typeof makeKit>
