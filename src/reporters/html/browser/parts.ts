import type { PageBlock, PageConversation, PageTurn } from '../shape.ts'
import type { El } from './dom.ts'
import type { Kit } from './kit.ts'

/** Where a call and its result stand. */
export interface Pair {
  readonly turn: number
  readonly line: number
}

/** Turns and their blocks as elements. Put into the page as it stands. */
export function makeParts(kit: Kit, jump: (turn: number, id: string) => void) {
  const { el, button, number, bytes, shortId } = kit
  const ROLES = ['system', 'user', 'assistant', 'tool', 'unknown']
  const KINDS = ['text', 'tool-call', 'tool-result', 'media', 'thinking', 'server-call', 'server-result', 'opaque']

  /** The turns of a conversation by their index; those that were left out are not in it. */
  function turnsBy(conversation: PageConversation): Map<number, PageTurn> {
    const turns = new Map<number, PageTurn>()
    let at = 0
    for (const turn of conversation.turns) {
      if (typeof turn === 'number') at += turn
      else turns.set(at++, turn)
    }
    return turns
  }

  /** For each call the turn of its result and the other way round: of several the next one behind the call. */
  function pairsOf(turns: ReadonlyMap<number, PageTurn>): ReadonlyMap<string, Pair> {
    const pairs = new Map<string, Pair>()
    const open = new Map<string, Pair>()
    for (const [turn, row] of turns) {
      for (const [kind, , id = ''] of row[2]) {
        if (id === '') continue
        const here = { turn, line: row[0] }
        if (kind === 1 || kind === 5) open.set(id, here)
        else if (kind === 2 || kind === 6) {
          const call = open.get(id)
          if (!call) continue
          open.delete(id)
          pairs.set(`call ${call.turn} ${id}`, here)
          pairs.set(`result ${turn} ${id}`, call)
        }
      }
    }
    return pairs
  }

  function turnRow(
    turn: PageTurn,
    index: number,
    pairs: ReadonlyMap<string, Pair> | undefined,
    faults: readonly number[],
  ): El {
    const role = ROLES[turn[1]] ?? 'unknown'
    const blocks = el('div', 'blocks')
    const all = turn[2]
    for (const [i, block] of all.entries()) blocks.append(blockOf(block, index, pairs, faults.includes(i)))
    if (all.length === 0) blocks.append(el('span', 'nothing', 'no content'))
    // What only carries results is nobody speaking.
    const isSaid = all.some(([kind]) => kind === 0)
    const row = el('li', `turn role-${role}${isSaid ? ' is-said' : ''}`)
    const line = el('span', 'line', number(turn[0]))
    line.title = `line ${number(turn[0])}`
    row.append(line, el('span', 'role', role), blocks)
    return row
  }

  function blockOf(
    block: PageBlock,
    index: number,
    pairs: ReadonlyMap<string, Pair> | undefined,
    isFault: boolean,
  ): El {
    const [kind, name = '', id = '', size = 0, bits = 0, excerpt = '', inside = []] = block
    const mark = isFault ? ' is-fault' : ''
    const named = KINDS[kind] ?? 'opaque'
    if (named === 'text') {
      const isSaid = excerpt.trim() !== ''
      const said = isSaid ? excerpt : excerpt === '' ? textSize(size) : 'blank text'
      return el('span', `text${mark}${isSaid ? '' : ' nothing'}`, said, more(excerpt, size))
    }
    if (named === 'thinking') return el('span', `thinking${mark}`, el('b', 'what', 'thinking'), excerpt)
    if (named === 'media') return media(name, size, bits, mark)
    if (named === 'opaque') return el('span', `chip other${mark}`, name === '' ? 'block' : name)
    const isCall = named === 'tool-call' || named === 'server-call'
    const chip = el('span', `chip ${isCall ? 'call' : 'result'}${(bits & 1) !== 0 ? ' is-error' : ''}${mark}`)
    const what = isCall
      ? named === 'server-call'
        ? 'server call'
        : 'call'
      : (bits & 2) !== 0
        ? 'stand-in'
        : (bits & 1) !== 0
          ? 'error'
          : 'result'
    chip.append(el('b', 'what', what))
    if (name !== '') chip.append(el('span', 'tool', name))
    if (id !== '') {
      const code = el('code', 'id', shortId(id))
      code.title = id
      chip.append(code)
      chip.dataset.pair = id
    }
    if (excerpt !== '') chip.append(el('span', 'said', excerpt))
    for (const part of inside) chip.append(blockOf(part, index, pairs, false))
    if (!isCall && size > 100) chip.append(el('span', 'size', bytes(size)))
    if (id !== '' && pairs) chip.append(partner(isCall, index, id, pairs))
    return chip
  }

  /** The way from a call to its result and back. */
  function partner(isCall: boolean, index: number, id: string, pairs: ReadonlyMap<string, Pair>): El {
    const other = pairs.get(`${isCall ? 'call' : 'result'} ${index} ${id}`)
    if (!other) return el('span', 'lone', isCall ? 'no result' : 'no call')
    const arrow = other.turn > index ? '↓' : other.turn < index ? '↑' : '↔'
    const link = button('partner', () => jump(other.turn, id), `${arrow} ${number(other.line)}`)
    link.setAttribute('aria-label', `${isCall ? 'its result' : 'its call'}: line ${number(other.line)}`)
    link.title = `${isCall ? 'result' : 'call'} on line ${number(other.line)}`
    return link
  }

  function media(type: string, characters: number, bits: number, mark: string): El {
    const size = Math.round((characters * 3) / 4)
    const bar = el('i', 'bar')
    // Four steps a power of ten, from 1 kB to 10 MB.
    bar.style.width = `${Math.max(3, Math.min(44, Math.round((Math.log10(size + 1) - 3) * 11)))}px`
    bar.setAttribute('aria-hidden', 'true')
    const what = type === '' ? ((bits & 4) !== 0 ? 'document' : 'image') : type
    return el('span', `chip media${mark}`, bar, what, size > 0 ? el('span', 'size', bytes(size)) : null)
  }

  function textSize(size: number): string {
    return size === 0 ? 'empty text' : `text of ${bytes(size)}`
  }

  function more(excerpt: string, size: number): El | null {
    return excerpt.endsWith('…') && size > excerpt.length + 40 ? el('span', 'size', bytes(size)) : null
  }

  return { turnsBy, pairsOf, turnRow }
}

export type Parts = ReturnType<typeof makeParts>
