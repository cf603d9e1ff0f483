import { type Block, Flag } from '../model/blocks.ts'
import type { Conversation, Entry, Message } from '../model/document.ts'
import type { Finding, Place } from '../model/finding.ts'
import type { FrameLine, ReportedFinding } from '../model/report.ts'
import type { Source } from '../text/source.ts'
import { type JsonView, lookup, type Path, pointerOf } from '../text/view.ts'
import type { Transcript } from './transcript.ts'

const LF = 0x0a
/** Characters of a text that a frame shows. */
const EXCERPT = 48
/** Messages shown on each side of the faulty one. */
const AROUND = 1
/** Blocks of a message that are shown. */
const SHOWN = 6

/** Where the documentation of a rule stands. */
export const helpUri = (rule: string): string => `https://github.com/convfix/convfix/blob/main/docs/rules/${rule}.md`

/** Turns findings into reports: positions in the file, places as the API counts them, and the turns around. */
export class Locator {
  readonly #transcript: Transcript
  readonly #source: Source | undefined
  /** The number of each record; counted when something is to be reported. */
  #numbers: ReadonlyMap<number, number> | undefined
  readonly #indexes = new Map<Conversation, Map<Message, number>>()

  constructor(transcript: Transcript, source: Source | undefined) {
    this.#transcript = transcript
    this.#source = source
  }

  report(finding: Finding): ReportedFinding {
    const { at } = finding
    if (this.#transcript.records.count === 0) return this.#ofNothing(finding)
    const [start, end] = this.#range(at)
    const from = this.#position(at.record, start)
    const to = this.#position(at.record, end)
    return {
      rule: finding.rule,
      family: finding.family,
      severity: finding.severity,
      message: finding.message,
      line: from.line,
      column: from.column,
      endLine: to.line,
      endColumn: to.column,
      offset: Math.max(this.#transcript.records.start(at.record), 0) + start,
      record: this.#numberOf(at.record),
      pointer: pointerOf(at.path ?? []),
      conversation: finding.conversation?.label ?? null,
      api: this.#apiPlace(finding),
      ids: finding.ids,
      related: finding.related.map(({ at, message }) => {
        const position = this.#position(at.record, this.#range(at)[0])
        return { ...position, pointer: pointerOf(at.path ?? []), message }
      }),
      providerError: finding.providerError ?? null,
      heals: this.#transcript.of.heals?.[finding.rule] ?? null,
      fix: finding.repair
        ? { safety: finding.repair.safety, title: finding.repair.title, loses: finding.repair.loses }
        : null,
      suppressed: false,
      helpUri: helpUri(finding.rule),
      frame: this.#frame(finding),
    }
  }

  /** A finding about a file without a single record. */
  #ofNothing(finding: Finding): ReportedFinding {
    const { rule, family, severity, message, ids } = finding
    const nowhere = { line: 1, column: 1, endLine: 1, endColumn: 1, offset: 0, record: 1, pointer: '' }
    const nothing = {
      conversation: null,
      api: null,
      related: [],
      providerError: null,
      heals: null,
      fix: null,
      frame: [],
    }
    return { rule, family, severity, message, ids, ...nowhere, ...nothing, suppressed: false, helpUri: helpUri(rule) }
  }

  #numberOf(record: number): number {
    this.#numbers ??= new Map(Array.from(this.#transcript.records.order(), (each, i) => [each, i + 1]))
    return this.#numbers.get(record) ?? record + 1
  }

  /** Byte range of a place inside its record. */
  #range({ record, path, bytes }: Place): readonly [number, number] {
    if (bytes) return bytes
    const whole = this.#transcript.records.view(record)
    const view = whole && nearest(whole, path ?? [])
    if (view && view.start >= 0) return [view.start, view.end]
    return [0, this.#transcript.records.bytes(record)?.length ?? 0]
  }

  /** Line and column of a byte of a record. */
  #position(record: number, offset: number): { line: number; column: number } {
    const { records } = this.#transcript
    // A file without a single record has a beginning all the same.
    if (records.order().length === 0) return { line: 1, column: 1 }
    const bytes = records.bytes(record)
    let line = records.line(record)
    if (!bytes) return { line, column: 1 }
    const before = Buffer.from(bytes.subarray(0, offset))
    let lineStart = -1
    for (let at = before.indexOf(LF); at >= 0; at = before.indexOf(LF, at + 1)) {
      line++
      lineStart = at
    }
    const own = before.toString('utf8', lineStart + 1).length
    return { line, column: 1 + own + (lineStart < 0 ? this.#unitsBefore(records.start(record)) : 0) }
  }

  /** UTF-16 units on the physical line before a record that does not begin its line. */
  #unitsBefore(start: number): number {
    if (!this.#source || start <= 0) return 0
    let from = start
    while (from > 0 && this.#source.read(from - 1, from)[0] !== LF) from--
    return from === start ? 0 : Buffer.from(this.#source.read(from, start)).toString('utf8').length
  }

  #apiPlace({ conversation, where }: Finding): ReportedFinding['api'] {
    if (!conversation || !where) return null
    const index = this.#index(conversation).get(where.message)
    if (index === undefined) return null
    const message = `${conversation.root}[${index}]`
    const path = where.block ? `${message}${blockPath(where.message, where.block)}` : message
    return { path, exact: this.#transcript.use !== 'session' }
  }

  #index(conversation: Conversation): Map<Message, number> {
    let index = this.#indexes.get(conversation)
    if (!index) {
      index = new Map(conversation.messages.map((message, i) => [message, i]))
      this.#indexes.set(conversation, index)
    }
    return index
  }

  #frame({ conversation, where, at, related }: Finding): FrameLine[] {
    const index = conversation && where ? this.#index(conversation).get(where.message) : undefined
    if (!conversation || index === undefined) return []
    const shown = new Map<number, FrameLine['mark']>()
    for (let i = index - AROUND; i <= index + AROUND; i++) if (conversation.messages[i]) shown.set(i, undefined)
    shown.set(index, 'fault')
    const notes = new Map<number, string>()
    for (const other of related) {
      const i = conversation.messages.findIndex((message) => holds(message, other.at))
      if (i < 0) continue
      if (i !== index) shown.set(i, 'related')
      notes.set(i, other.message)
    }
    return [...shown]
      .sort(([a], [b]) => a - b)
      .map(([i, mark]) => {
        const message = conversation.messages[i]!
        const entry = (i === index && message.entries.find((each) => each.record === at.record)) || message.entries[0]!
        return {
          line: this.#lineOf(entry),
          role: message.role,
          blocks: this.#blocks(message, i === index ? where?.block : undefined),
          mark,
          note: notes.get(i),
        }
      })
  }

  #lineOf(entry: Entry): number {
    if (entry.path.some((step) => typeof step === 'number'))
      return this.#position(entry.record, this.#range({ record: entry.record, path: entry.path })[0]).line
    return this.#transcript.records.line(entry.record)
  }

  /** Some blocks of a message in a few words each: the first ones, or those around the one that is faulty. */
  #blocks(message: Message, fault: Block | undefined): string[] {
    const { blocks } = message
    const at = blocks.findIndex((block) => block === fault || (fault && block.content.includes(fault)))
    const start = Math.max(0, Math.min(at - 2, blocks.length - SHOWN))
    const words = blocks.slice(start, start + SHOWN).map((block) => this.#describe(block))
    return [...(start > 0 ? ['…'] : []), ...words, ...(start + SHOWN < blocks.length ? ['…'] : [])]
  }

  /** A block in a few words. */
  #describe(block: Block): string {
    const { ids, records } = this.#transcript
    const id = ids.text(block.id)
    switch (block.kind) {
      case 'text': {
        const whole = records.view(block.entry.record)
        const view = whole && lookup(whole, block.path)
        const text = (view?.kind === 'string' ? view : view?.get('text'))?.peek(EXCERPT + 1) ?? ''
        return quote(text, block.size > text.length)
      }
      case 'tool-call':
        return `call ${ids.text(block.name)} ${id}`.trimEnd()
      case 'tool-result':
        return `result ${id}${block.is(Flag.error) ? ' (error)' : ''}`
      case 'media':
        return ids.text(block.name) || (block.is(Flag.document) ? 'document' : 'image')
      case 'thinking':
        return 'thinking'
      default:
        return ids.text(block.name) || 'block'
    }
  }
}

function quote(text: string, cut: boolean): string {
  const line = text.replace(/\s+/g, ' ')
  return cut || line.length > EXCERPT ? `"${line.slice(0, EXCERPT)}…"` : `"${line}"`
}

/** The value at a path, or what is nearest to it of what is there (a missing member is reported at its object). */
function nearest(view: JsonView, path: Path): JsonView {
  for (let length = path.length; length > 0; length--) {
    const found = lookup(view, path.slice(0, length))
    if (found) return found
  }
  return view
}

/** The block as it stands in the API's message: by its own path, or counted through where several stored messages make one. */
function blockPath(message: Message, block: Block): string {
  if (message.entries.length === 1)
    return block.tail.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  const outer = message.blocks.findIndex((each) => each === block || each.content.includes(block))
  return outer < 0 ? '' : `.content[${outer}]`
}

function holds(message: Message, { record, path }: Place): boolean {
  return message.entries.some((entry) => entry.record === record && entry.path.every((step, i) => path?.[i] === step))
}
