import { JsonEdits, toText } from './edit.ts'
import { escapeRawControls } from './escape-controls.ts'
import { inspect } from './inspect.ts'
import type { Row } from './reader.ts'
import { RowFlag, RowKind } from './reader.ts'
import type { Original, RecordEdit, Records } from './records.ts'
import type { Source } from './source.ts'
import type { Steps } from './steps.ts'
import { parseView, type TextView } from './text-view.ts'
import { reorder } from './value-records.ts'

const LF = 0x0a

/** A record that was looked at last: the next question is mostly about the same one. */
interface Cached {
  readonly record: number
  readonly bytes: Uint8Array
  readonly view: TextView | undefined
}

/** Strings with control characters that should be escaped. */
const RAW = RowFlag.split | RowFlag.rawControls

/** What was written over an original record, or a record that is new. */
interface Overlay {
  bytes?: Uint8Array
  /** What follows it up to the next record: its line end. */
  gap?: Uint8Array
  kind: number
  flags: number
  line: number
}

/**
 * Records over a source of bytes. Of an original only its place is kept; what was edited lies over it. Writing copies every
 * byte that no edit touched, the gaps between records (line ends, blank lines) included.
 */
export class TextRecords implements Records {
  #starts = new Float64Array(64)
  #lengths = new Int32Array(64)
  #lines = new Int32Array(64)
  #kinds = new Uint8Array(64)
  #flags = new Uint16Array(64)
  #originals = 0
  #hasOddOriginal = false
  #count = 0
  #source: Source | undefined
  #order: ArrayLike<number> | undefined
  #reordered = false
  readonly #overlay = new Map<number, Overlay>()
  #first: Cached | undefined
  #cached: Cached | undefined

  /** Takes a row from the reader; all rows come before anything else is asked. */
  add(row: Row): number {
    const record = this.#originals++
    this.#count = this.#originals
    if (record === this.#kinds.length) this.#grow()
    this.#starts[record] = row.start
    this.#lengths[record] = row.length
    this.#lines[record] = row.line
    this.#kinds[record] = row.kind
    this.#flags[record] = row.flags
    if (row.kind !== RowKind.record || row.flags !== 0) this.#hasOddOriginal = true
    return record
  }

  /** Takes a record's value that is at hand, and whose bytes nobody writes over. */
  remember(record: number, bytes: Uint8Array, view: TextView): void {
    this.#cached = { record, bytes, view }
  }

  /** Names the source that the rows came from: content is read again from there. */
  over(source: Source): void {
    this.#source = source
  }

  #grow(): void {
    const size = this.#kinds.length * 2
    const copy = <T extends Float64Array | Int32Array | Uint8Array | Uint16Array>(from: T, to: T): T => {
      to.set(from)
      return to
    }
    this.#starts = copy(this.#starts, new Float64Array(size))
    this.#lengths = copy(this.#lengths, new Int32Array(size))
    this.#lines = copy(this.#lines, new Int32Array(size))
    this.#kinds = copy(this.#kinds, new Uint8Array(size))
    this.#flags = copy(this.#flags, new Uint16Array(size))
  }

  get count(): number {
    return this.#count
  }

  get changed(): boolean {
    return this.#overlay.size > 0 || this.#reordered
  }

  order(): ArrayLike<number> {
    return (this.#order ??= Int32Array.from({ length: this.#originals }, (_, i) => i))
  }

  get hasOdd(): boolean {
    return this.#hasOddOriginal || this.#overlay.size > 0
  }

  kind(record: number): number {
    return this.#overlay.get(record)?.kind ?? this.#kinds[record]!
  }

  flags(record: number): number {
    return this.#overlay.get(record)?.flags ?? this.#flags[record]!
  }

  line(record: number): number {
    return record < this.#originals ? this.#lines[record]! : (this.#overlay.get(record)?.line ?? 1)
  }

  start(record: number): number {
    return record < this.#originals ? this.#starts[record]! : -1
  }

  length(record: number): number {
    return this.#overlay.get(record)?.bytes?.length ?? this.#lengths[record]!
  }

  bytes(record: number): Uint8Array {
    const written = this.#overlay.get(record)?.bytes
    if (written) return written
    const start = this.#starts[record]!
    return this.#source!.read(start, start + this.#lengths[record]!)
  }

  view(record: number): TextView | undefined {
    return this.#read(record).view
  }

  #read(record: number): Cached {
    if (this.#cached?.record === record) return this.#cached
    const bytes = this.#readable(record)
    return (this.#cached = { record, bytes, view: parseView(bytes) })
  }

  original(record: number): Original | undefined {
    if (record >= this.#originals) return undefined
    if (this.#first?.record !== record) {
      // Of what was never edited the value is at hand, or soon will be.
      if (!this.#overlay.get(record)?.bytes && !(this.flags(record) & RAW)) return this.#read(record)
      const start = this.#starts[record]!
      const bytes = Uint8Array.from(this.#source!.read(start, start + this.#lengths[record]!))
      this.#first = { record, bytes, view: parseView(this.#flags[record]! & RAW ? escapeRawControls(bytes) : bytes) }
    }
    return this.#first
  }

  /** The bytes of a record with what it was read despite of: raw control characters in its strings. */
  #readable(record: number): Uint8Array {
    const bytes = Uint8Array.from(this.bytes(record))
    return this.flags(record) & RAW ? escapeRawControls(bytes) : bytes
  }

  endsLine(record: number): boolean {
    return this.#gap(record).includes(LF)
  }

  *commit(edits: readonly RecordEdit[]): Steps<number[]> {
    const touched: number[] = []
    const removed = new Set<number>()
    const inserted = new Map<number, number[]>()
    this.#cached = undefined
    for (const edit of edits) {
      yield
      switch (edit.edit) {
        case 'json':
          this.#write(edit.record, this.#edited(edit.record, edit.changes))
          touched.push(edit.record)
          break
        case 'bytes':
          this.#write(edit.record, edit.bytes)
          touched.push(edit.record)
          break
        case 'end-line':
          this.#setGap(edit.record, Buffer.concat([this.#lineEnd(), this.#gap(edit.record)]))
          break
        case 'remove':
          removed.add(edit.record)
          break
        case 'insert': {
          const record = this.#count++
          const line = edit.after < 0 ? 1 : this.line(edit.after)
          const bytes = toText(edit.value)
          this.#overlay.set(record, { bytes, gap: this.#lineEnd(), ...inspect(bytes), line })
          inserted.set(edit.after, [...(inserted.get(edit.after) ?? []), record])
          touched.push(record)
          // A last line without a line break gets one before something is put behind it.
          if (edit.after >= 0 && !this.endsLine(edit.after)) this.#setGap(edit.after, this.#lineEnd())
        }
      }
    }
    if (removed.size > 0 || inserted.size > 0) this.#reorder(removed, inserted)
    return touched
  }

  #edited(record: number, changes: Extract<RecordEdit, { edit: 'json' }>['changes']): Uint8Array {
    const batch = new JsonEdits()
    for (const change of changes) batch.add(change)
    const bytes = this.#readable(record)
    const view = parseView(bytes)
    return view ? batch.toText(view, bytes) : bytes
  }

  #write(record: number, bytes: Uint8Array): void {
    const { kind, flags } = inspect(bytes)
    this.#overlay.set(record, {
      ...this.#overlay.get(record),
      bytes,
      kind,
      flags: flags | (this.flags(record) & RowFlag.glued),
      line: this.line(record),
    })
  }

  #setGap(record: number, gap: Uint8Array): void {
    const known = this.#overlay.get(record)
    this.#overlay.set(record, {
      ...known,
      gap,
      kind: this.kind(record),
      flags: this.flags(record),
      line: this.line(record),
    })
  }

  #gap(record: number): Uint8Array {
    const written = this.#overlay.get(record)?.gap
    if (written) return written
    const from = this.#starts[record]! + this.#lengths[record]!
    const to = record + 1 < this.#originals ? this.#starts[record + 1]! : this.#source!.size
    return Uint8Array.from(this.#source!.read(from, to))
  }

  /** The line end that the file uses: what stands behind its first record, else LF. */
  #lineEnd(): Uint8Array {
    if (this.#originals === 0) return Buffer.from('\n')
    const gap = Buffer.from(this.#gap(0)).toString('latin1')
    return Buffer.from(gap.startsWith('\r\n') ? '\r\n' : '\n')
  }

  #reorder(removed: ReadonlySet<number>, inserted: ReadonlyMap<number, readonly number[]>): void {
    const order = this.order()
    let kept = -1
    for (let i = 0; i < order.length; i++) {
      const record = order[i]!
      if (!removed.has(record)) kept = record
      // What shared its line with the record before it leaves its line end to that one.
      else if (kept >= 0 && !this.endsLine(kept)) this.#setGap(kept, this.#gap(record))
    }
    this.#order = reorder(order, removed, inserted)
    this.#reordered = true
  }

  /** The whole text as it would be written now, as ranges of the source and new bytes. */
  *pieces(): Generator<Uint8Array | { readonly start: number; readonly end: number }> {
    const order = this.order()
    let from = 0
    let to = this.#originals > 0 ? this.#starts[0]! : this.#source!.size
    const flush = function* () {
      if (to > from) yield { start: from, end: to }
    }
    for (let i = 0; i < order.length; i++) {
      const record = order[i]!
      const overlay = this.#overlay.get(record)
      const start = record < this.#originals ? this.#starts[record]! : -1
      const next = record + 1 < this.#originals ? this.#starts[record + 1]! : this.#source!.size
      if (!overlay) {
        if (start !== to) {
          yield* flush()
          from = start
        }
        to = next
        continue
      }
      if (!overlay.bytes && start === to) to = start + this.#lengths[record]!
      else {
        yield* flush()
        from = to = 0
        yield overlay.bytes ?? { start, end: start + this.#lengths[record]! }
      }
      yield* flush()
      from = to = record < this.#originals ? next : 0
      yield overlay.gap ?? this.#gap(record)
    }
    yield* flush()
  }
}
