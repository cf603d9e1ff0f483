import type { Place } from '../model/finding.ts'
import type { JsonChange } from '../text/edit.ts'
import { LineIndex } from '../text/position.ts'
import type { RecordEdit, Records } from '../text/records.ts'
import { type JsonView, lookup, type Path } from '../text/view.ts'

/** Leads from records as they are after some rounds of repairs back to the file as it was read: that is what the backup holds. */
export class Origins {
  readonly #records: Records
  /** What was changed in each record, the latest last. */
  readonly #rounds = new Map<number, Round[]>()
  #lines: { readonly record: number; readonly index: LineIndex } | undefined

  constructor(records: Records) {
    this.#records = records
  }

  /** Takes the edits of a round. Those that write the bytes of a record anew leave its values where they are. */
  take(edits: readonly RecordEdit[]): void {
    for (const edit of edits) {
      if (edit.edit !== 'json') continue
      const rounds = this.#rounds.get(edit.record) ?? []
      rounds.push(new Round(edit.changes))
      this.#rounds.set(edit.record, rounds)
    }
  }

  /** Where a value stood at first; undefined for one that a repair wrote or put where it is now. */
  pathOf(record: number, path: Path): Path | undefined {
    let at: Path | undefined = path
    for (const round of this.#rounds.get(record)?.toReversed() ?? []) if (at) at = round.before(at)
    return at
  }

  /** The value at a place as it was read; undefined for one that was not there. */
  viewOf(record: number, path: Path): JsonView | undefined {
    const at = this.pathOf(record, path)
    const whole = at && this.#records.original(record)?.view
    return whole && lookup(whole, at)
  }

  /** 1-based physical line of a place in the file as it was read, or of what is nearest around it. */
  lineOf({ record, path = [], bytes }: Place): number {
    const first = this.#records.line(record)
    const original = this.#records.original(record)
    if (!original) return first
    if (this.#lines?.record !== record) this.#lines = { record, index: new LineIndex(original.bytes) }
    return first + this.#lines.index.lineAt(bytes?.[0] ?? this.#startOf(record, path)) - 1
  }

  #startOf(record: number, path: Path): number {
    for (let length = path.length; length > 0; length--) {
      const start = this.viewOf(record, path.slice(0, length))?.start ?? -1
      if (start >= 0) return start
    }
    return 0
  }
}

/** The changes of one round in one record; the paths of all of them are those from before it. */
class Round {
  readonly #set = new Set<string>()
  readonly #shifts = new Map<string, Shift>()

  constructor(changes: readonly JsonChange[]) {
    for (const { op, path, ...change } of changes) {
      if (op === 'set') this.#set.add(keyOf(path))
      const last = path.at(-1)
      if (op === 'insert' && 'index' in change) this.#shift(path).inserted.push(change.index)
      else if (op === 'remove' && typeof last === 'number') this.#shift(path.slice(0, -1)).removed.push(last)
    }
  }

  /** The path before this round of what stands at a path behind it. */
  before(path: Path): Path | undefined {
    let at: Path = []
    for (const step of path) {
      if (this.#set.has(keyOf(at))) return undefined
      const shift = typeof step === 'number' ? this.#shifts.get(keyOf(at)) : undefined
      const old = shift ? shift.before(step as number) : step
      if (old === undefined) return undefined
      at = [...at, old]
    }
    return at
  }

  #shift(list: Path): Shift {
    const key = keyOf(list)
    const shift = this.#shifts.get(key) ?? new Shift()
    this.#shifts.set(key, shift)
    return shift
  }
}

const keyOf = (path: Path): string => JSON.stringify(path)

/** What was taken out of a list and put into it, by the indices from before. */
class Shift {
  readonly removed: number[] = []
  readonly inserted: number[] = []
  /** Runs of items that stayed side by side: the index of the first behind the round and before it. */
  #runs: { readonly now: number; readonly old: number; readonly length: number }[] | undefined

  before(index: number): number | undefined {
    const runs = (this.#runs ??= this.#runsOf())
    let low = 0
    for (let high = runs.length; low < high; ) {
      const middle = (low + high) >> 1
      if (runs[middle]!.now <= index) low = middle + 1
      else high = middle
    }
    const run = runs[low - 1]
    return run && index - run.now < run.length ? run.old + (index - run.now) : undefined
  }

  #runsOf() {
    const gone = new Set(this.removed)
    const put = new Map<number, number>()
    for (const index of this.inserted) put.set(index, (put.get(index) ?? 0) + 1)
    const runs: { now: number; old: number; length: number }[] = []
    let now = 0
    let old = 0
    for (const place of [...new Set([...gone, ...put.keys()])].sort((a, b) => a - b)) {
      if (place > old) runs.push({ now, old, length: place - old })
      now += Math.max(0, place - old) + (put.get(place) ?? 0)
      old = Math.max(old, gone.has(place) ? place + 1 : place)
    }
    return [...runs, { now, old, length: Number.POSITIVE_INFINITY }]
  }
}
