import type { Format } from '../formats/format.ts'
import type { Block } from '../model/blocks.ts'
import type { Assembly, Chain, Conversation, Document, Entry } from '../model/document.ts'
import { targetNamed } from '../targets/index.ts'
import { Ids } from '../text/ids.ts'
import { RowKind } from '../text/reader.ts'
import type { Records } from '../text/records.ts'
import { salvage } from '../text/salvage.ts'
import type { Steps } from '../text/steps.ts'
import { TextRecords } from '../text/text-records.ts'
import { ValueRecords } from '../text/value-records.ts'
import { type JsonView, lookup } from '../text/view.ts'
import type { CheckOptions } from './api.ts'

/** A transcript in memory: the records and, kept in step with them, their entries and what they amount to. */
export class Transcript implements Document {
  readonly path: string | undefined
  of: Format
  readonly records: Records
  readonly ids = new Ids()
  target: string
  readonly #asked: string | undefined
  readonly #model: string | undefined
  /** One entry, several (a document with many messages), or none for each record. */
  readonly #entries: (Entry | readonly Entry[] | undefined)[] = []
  /** Records before this one hold nothing that a snapshot has taken the place of. */
  #forgotten = 0
  conversations: readonly Conversation[] = []
  isEmpty = false
  closable = false
  bystander: string | undefined
  container: Document['container']
  chain: Chain | undefined
  numbering: Assembly['numbering']
  header: Assembly['header']

  constructor(format: Format, records: Records, options: CheckOptions) {
    this.of = format
    this.records = records
    this.path = options.path
    this.#asked = options.target
    this.target = options.target ?? format.target
    this.#model = options.model
  }

  /** Over plain messages in memory; each is a record. */
  static ofMessages(messages: readonly unknown[], format: Format, options: CheckOptions): Transcript {
    const records = new ValueRecords(messages)
    const transcript = new Transcript(format, records, options)
    for (let record = 0; record < messages.length; record++) transcript.take(record, records.view(record))
    transcript.assemble()
    return transcript
  }

  get format(): string {
    return this.of.name
  }

  get dialect(): string {
    return this.of.dialect.name
  }

  get joinsTurns(): boolean {
    return targetNamed(this.target)?.results.joinsTurns ?? true
  }

  get folds(): boolean {
    return this.of.folds
  }

  get imageSizes(): Document['imageSizes'] {
    return this.of.imageSizes
  }

  get harms(): Document['harms'] {
    return this.of.harms
  }

  get sendsAsStored(): boolean | undefined {
    return this.of.sendsAsStored
  }

  get use(): Document['use'] {
    return this.of.use
  }

  get model(): string | undefined {
    return this.#model ?? this.conversations.find((each) => each.model !== undefined)?.model
  }

  entriesOf(record: number): readonly Entry[] {
    const entries = this.#entries[record]
    if (entries === undefined) return NONE
    return Array.isArray(entries) ? entries : [entries as Entry]
  }

  *entries(): Generator<Entry> {
    const order = this.records.order()
    for (let i = 0; i < order.length; i++) {
      const entries = this.#entries[order[i]!]
      if (entries === undefined) continue
      if (Array.isArray(entries)) yield* entries
      else yield entries as Entry
    }
  }

  inputOf(call: Block): JsonView | undefined {
    const message = this.#messageOf(call)
    return message && lookup(message, this.of.dialect.inputPath(call))
  }

  textOfResult(result: Block): string {
    const message = this.#messageOf(result)
    const loaded = message && this.of.dialect.load(message, result)
    if (loaded?.kind !== 'tool-result') return ''
    return loaded.content.flatMap((each) => (each.kind === 'text' ? [each.text] : [])).join('\n')
  }

  #messageOf({ entry }: Block): JsonView | undefined {
    const record = this.records.view(entry.record)
    return record && lookup(record, entry.path)
  }

  /** Takes the skeleton of a record while its value can be looked at; of a torn one what its bytes still say. */
  take(record: number, view: JsonView | undefined, torn?: Uint8Array): void {
    if (view) this.#entries[record] = this.of.read(view, record, this.ids)
    else if (torn && this.of.readTorn) this.#entries[record] = this.of.readTorn(salvage(torn).fields, record, this.ids)
    else this.#entries[record] = undefined
    if (this.of.snapshot && record > this.#forgotten) this.#forget(record, this.of.snapshot)
  }

  /** What a list in this record takes the place of is no longer kept. */
  #forget(record: number, { is, outlives }: NonNullable<Format['snapshot']>): void {
    if (!this.entriesOf(record).some(is)) return
    for (; this.#forgotten < record; this.#forgotten++) {
      const left = this.entriesOf(this.#forgotten).filter(outlives)
      this.#entries[this.#forgotten] = left.length > 0 ? left : undefined
    }
  }

  /** Reads all records anew, as those of another format. */
  *become(format: Format): Steps<void> {
    this.of = format
    yield* this.retake(Array.from(this.records.order()))
  }

  /** Reads records again that were edited, and puts everything together anew. */
  *retake(records: readonly number[]): Steps<void> {
    for (const record of records) {
      const kind = this.records.kind(record)
      if (kind === RowKind.record) this.take(record, this.records.view(record))
      else this.take(record, undefined, kind === RowKind.torn ? this.records.bytes(record) : undefined)
      yield
    }
    this.assemble()
  }

  assemble(): void {
    const { conversations, chain, numbering, header, target } = this.of.assemble(this)
    this.conversations = conversations
    this.chain = chain
    this.numbering = numbering
    this.header = header
    // An API without rules here leaves those of the format.
    this.target = this.#asked ?? (target && targetNamed(target) ? target : this.of.target)
  }

  /** The records as text, where they came from text. */
  get text(): TextRecords | undefined {
    return this.records instanceof TextRecords ? this.records : undefined
  }
}

const NONE: readonly Entry[] = Object.freeze([])
