import { bystander } from '../formats/bystanders.ts'
import type { Format } from '../formats/format.ts'
import { detectFormat, nothingKnown } from '../formats/index.ts'
import { RecordReader, type Row, RowKind } from '../text/reader.ts'
import type { Source } from '../text/source.ts'
import { TextRecords } from '../text/text-records.ts'
import type { TextView } from '../text/text-view.ts'
import type { CheckOptions } from './api.ts'
import { Transcript } from './transcript.ts'

/** Parseable records that a format is judged by. */
export const SAMPLE = 50

/** A row that came before the format was known. */
interface Waiting {
  readonly row: Row
  readonly torn: Uint8Array | undefined
  readonly view: TextView | undefined
}

/** Reads JSONL forwards once: what comes before the format is known waits, and is taken in when it is. */
export class LineReader {
  readonly #options: CheckOptions
  readonly #records = new TextRecords()
  readonly #reader = new RecordReader((row, bytes, at, view) => {
    const torn = row.kind === RowKind.torn ? bytes.subarray(at, at + row.length) : undefined
    if (this.#transcript) this.#take(this.#transcript, row, torn, view)
    else this.#wait(row, torn, view)
  })
  readonly #waiting: Waiting[] = []
  #sampled = 0
  #transcript: Transcript | undefined

  /** @param format of the file, where somebody named it */
  constructor(options: CheckOptions, format: Format | undefined) {
    this.#options = options
    if (format) this.#transcript = new Transcript(format, this.#records, options)
  }

  push(bytes: Uint8Array): void {
    this.#reader.push(bytes)
  }

  /** Takes the file for what its records so far say. */
  settle(): Transcript {
    if (this.#transcript) return this.#transcript
    const sample = this.#waiting.flatMap(({ view }) => view ?? [])
    const beside = bystander('lines', sample)
    const format = (beside === undefined && detectFormat('lines', sample)) || nothingKnown
    const transcript = new Transcript(format, this.#records, this.#options)
    transcript.bystander = beside
    for (const { row, torn, view } of this.#waiting.splice(0)) this.#take(transcript, row, torn, view)
    return (this.#transcript = transcript)
  }

  end(source: Source): Transcript {
    this.#reader.end()
    const transcript = this.settle()
    this.#records.over(source)
    transcript.assemble()
    return transcript
  }

  #take(transcript: Transcript, row: Row, torn: Uint8Array | undefined, view: TextView | undefined): void {
    transcript.take(this.#records.add(row), view, torn)
  }

  /** The reader uses row, bytes and view again: copies wait. */
  #wait(row: Row, torn: Uint8Array | undefined, view: TextView | undefined): void {
    this.#waiting.push({ row: { ...row }, torn: torn && Uint8Array.from(torn), view: view?.copy() })
    if (view && ++this.#sampled === SAMPLE) this.settle()
  }
}
