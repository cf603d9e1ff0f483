import { storedId } from '../dialects/unnamed.ts'
import { type Block, Flag } from '../model/blocks.ts'
import type { Conversation, Entry, Message } from '../model/document.ts'
import type { Finding, Place } from '../model/finding.ts'
import { helpUri } from '../model/help.ts'
import type { FrameLine, ReportedFinding } from '../model/report.ts'
import { masked } from '../model/secrets.ts'
import type { TurnPlace } from '../model/timeline.ts'
import { LineIndex, utf16LengthIn } from '../text/position.ts'
import { RowKind } from '../text/reader.ts'
import type { Source } from '../text/source.ts'
import { type JsonView, lookup, type Path, pointerOf } from '../text/view.ts'
import type { Transcript } from './transcript.ts'

const LF = 0x0a
/** Bytes read at once on the way back to the beginning of a physical line. */
const STEP = 1 << 12
/** Characters of a text that a frame shows. */
const EXCERPT = 48
/** Messages shown on each side of the faulty one. */
const AROUND = 1
/** Blocks of a message that are shown. */
const SHOWN = 6

interface Lines {
  readonly record: number
  readonly index: LineIndex
}

/** Turns findings into reports: positions in the file, places as the API counts them, and the turns around. */
export class Locator {
  readonly #transcript: Transcript
  readonly #source: Source | undefined
  /** The number of each record; counted when something is to be reported. */
  #numbers: ReadonlyMap<number, number> | undefined
  readonly #indexes = new Map<Conversation, Map<Message, number>>()
  readonly #holders = new Map<Conversation, Map<string, number>>()
  /** The lines of the record that was asked for last: findings come in the order of the file. */
  #lines: Lines | undefined
  /** How far the columns of a physical line that several records share were counted. */
  #counted = { lineStart: -1, at: 0, units: 0 }

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

  /** Where a finding stands in the conversations; undefined for one that is about no message. */
  turnOf({ conversation, where, at, related }: Finding): TurnPlace | undefined {
    if (!conversation) return undefined
    const turn = where ? this.#index(conversation).get(where.message) : this.#holderOf(conversation, at)
    if (turn === undefined) return undefined
    const block = where?.message.blocks.findIndex(
      (each) => each === where.block || each.content.some((inner) => inner === where.block),
    )
    return {
      conversation: this.#transcript.conversations.indexOf(conversation),
      turn,
      block: block === undefined || block < 0 ? undefined : block,
      related: related.map((other) => this.#holderOf(conversation, other.at)),
    }
  }

  #numberOf(record: number): number {
    this.#numbers ??= new Map(Array.from(this.#transcript.records.order(), (each, i) => [each, i + 1]))
    return this.#numbers.get(record) ?? record + 1
  }

  /** Byte range of a place inside its record. */
  #range({ record, path, bytes }: Place): readonly [number, number] {
    if (bytes) return bytes
    const { records } = this.#transcript
    const whole = records.kind(record) === RowKind.record ? records.view(record) : undefined
    const view = whole && nearest(whole, path ?? [])
    return view && view.start >= 0 ? [view.start, view.end] : [0, records.length(record)]
  }

  /** Line and column of a byte of a record. */
  #position(record: number, offset: number): { line: number; column: number } {
    const { records } = this.#transcript
    // A file without a single record has a beginning all the same.
    if (records.order().length === 0) return { line: 1, column: 1 }
    const first = records.line(record)
    const lines = this.#linesOf(record)
    if (!lines) return { line: first, column: 1 }
    const { line, column } = lines.index.at(offset)
    return { line: first + line - 1, column: line === 1 ? column + this.#unitsBefore(records.start(record)) : column }
  }

  #linesOf(record: number): Lines | undefined {
    if (this.#lines?.record === record) return this.#lines
    const { records } = this.#transcript
    // NUL bytes break no line, and there may be gigabytes of them.
    if (records.kind(record) === RowKind.nul) return (this.#lines = { record, index: new LineIndex(new Uint8Array(0)) })
    const bytes = records.bytes(record)
    if (!bytes) return undefined
    // The bytes are a window that is only valid until the next ones are read.
    return (this.#lines = { record, index: new LineIndex(Uint8Array.from(bytes)) })
  }

  /** UTF-16 units on the physical line before a record that does not begin its line. */
  #unitsBefore(start: number): number {
    const source = this.#source
    if (!source || start <= 0) return 0
    const from = this.#lineStart(source, start)
    if (from === start) return 0
    const counted = this.#counted
    const goesOn = counted.lineStart === from && counted.at <= start
    const units = (goesOn ? counted.units : 0) + utf16LengthIn(source, goesOn ? counted.at : from, start)
    this.#counted = { lineStart: from, at: start, units }
    return units
  }

  /** The byte at which the physical line begins that a byte stands on. */
  #lineStart(source: Source, start: number): number {
    const { lineStart, at } = this.#counted
    for (let end = start; end > 0; ) {
      // What was counted before is not read again.
      const known = lineStart >= 0 && at <= end ? at : -1
      const from = Math.max(end - STEP, known, 0)
      const lf = Buffer.from(source.read(from, end)).lastIndexOf(LF)
      if (lf >= 0) return from + lf + 1
      if (from === known) return lineStart
      end = from
    }
    return 0
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

  /** The message that holds a place. */
  #holderOf(conversation: Conversation, { record, path = [] }: Place): number | undefined {
    let holders = this.#holders.get(conversation)
    if (!holders) {
      this.#holders.set(conversation, (holders = new Map()))
      for (const [i, { entries }] of conversation.messages.entries())
        for (const entry of entries) holders.set(keyOf(entry.record, entry.path), i)
    }
    for (let length = path.length; length >= 0; length--) {
      const found = holders.get(keyOf(record, path.slice(0, length)))
      if (found !== undefined) return found
    }
    return undefined
  }

  #frame({ conversation, where, at, related }: Finding): FrameLine[] {
    const index = conversation && where ? this.#index(conversation).get(where.message) : undefined
    if (!conversation || index === undefined) return []
    const shown = new Map<number, FrameLine['mark']>()
    for (let i = index - AROUND; i <= index + AROUND; i++) if (conversation.messages[i]) shown.set(i, undefined)
    shown.set(index, 'fault')
    const notes = new Map<number, string>()
    for (const other of related) {
      const i = this.#holderOf(conversation, other.at)
      if (i === undefined) continue
      if (i !== index) shown.set(i, 'related')
      notes.set(i, other.message)
    }
    return [...shown]
      .sort(([a], [b]) => a - b)
      .map(([i, mark]) => {
        const message = conversation.messages[i]!
        const entry = (i === index && message.entries.find((each) => each.record === at.record)) || message.entries[0]!
        return {
          line: this.lineOf(entry),
          role: message.role,
          blocks: this.#blocks(message, i === index ? where?.block : undefined),
          mark,
          note: notes.get(i),
        }
      })
  }

  /** The physical line on which a stored message begins. */
  lineOf(entry: Entry): number {
    const first = this.#transcript.records.line(entry.record)
    if (!entry.path.some((step) => typeof step === 'number')) return first
    const [start] = this.#range({ record: entry.record, path: entry.path })
    return first + (this.#linesOf(entry.record)?.index.lineAt(start) ?? 1) - 1
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
    const id = storedId(ids.text(block.id)) ?? ''
    switch (block.kind) {
      case 'text': {
        const whole = records.view(block.entry.record)
        const view = whole && lookup(whole, block.path)
        const text = (view?.kind === 'string' ? view : view?.get('text'))?.peek(EXCERPT + 1) ?? ''
        // The size counts escapes as they are written: it only tells that there is something where nothing could be read.
        return quote(text, text === '' ? block.size > 0 : text.length > EXCERPT)
      }
      case 'tool-call':
        return `call ${ids.text(block.name)} ${id}`.trimEnd()
      case 'tool-result':
        return `result ${id}`.trimEnd() + (block.is(Flag.error) ? ' (error)' : '')
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
  const line = masked(text).replace(/\s+/g, ' ')
  const shown = line.slice(0, EXCERPT)
  return (cut || line.length > EXCERPT) && !shown.endsWith('…') ? `"${shown}…"` : `"${shown}"`
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

function keyOf(record: number, path: Path): string {
  return `${record}${pointerOf(path)}`
}
