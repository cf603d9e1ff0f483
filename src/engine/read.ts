import { FileProblem, quote } from '../files/errors.ts'
import { bystander } from '../formats/bystanders.ts'
import type { Format } from '../formats/format.ts'
import { detectFormat, formatNamed, nothingKnown } from '../formats/index.ts'
import type { Container } from '../model/document.ts'
import { closeDocument } from '../text/close-document.ts'
import { inspect } from '../text/inspect.ts'
import { LONGEST_RECORD, RecordTooLong, type Row, RowFlag, RowKind } from '../text/reader.ts'
import type { Source } from '../text/source.ts'
import { TextRecords } from '../text/text-records.ts'
import { parseView } from '../text/text-view.ts'
import type { JsonView } from '../text/view.ts'
import type { CheckOptions } from './api.ts'
import { LineReader, SAMPLE } from './read-lines.ts'
import { Transcript } from './transcript.ts'

const LF = 0x0a
const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const COMMA = 0x2c
/** A bracket, a comma and a colon: a value has to follow. */
const OPENING: ReadonlySet<number | undefined> = new Set([OPEN_BRACKET, COMMA, 0x3a])
const BOM = Buffer.from([0xef, 0xbb, 0xbf])
/** Bytes looked at before the shape of a file is settled; more when no line ends within them. */
const HEAD = 1 << 18

/**
 * Reads a transcript as its bytes come in. JSONL is read forwards once and only its skeleton stays; a single JSON document
 * is held whole. Feed it with {@link push}, then {@link end} it with the source that content is read from again.
 */
export class TranscriptReader {
  readonly #options: CheckOptions
  readonly #size: number
  #memory: Uint8Array = new Uint8Array(0)
  #held = 0
  #lines: LineReader | undefined
  #isBlank = false
  #container: Container | undefined
  #layout: 'lines' | 'document' | 'nothing' | undefined

  /** @param size of what will come, in bytes, where that is known: a document is then held in one piece from the beginning */
  constructor(options: CheckOptions, size = 0) {
    this.#options = options
    this.#size = size
  }

  push(chunk: Uint8Array): void {
    if (this.#lines) {
      this.#pushLines(this.#lines, chunk)
      return
    }
    if (this.#layout === 'nothing') return
    this.#hold(chunk)
    if (!this.#layout && this.#held >= HEAD && chunk.includes(LF)) this.#settle(false)
  }

  #pushLines(lines: LineReader, chunk: Uint8Array): void {
    try {
      lines.push(chunk)
    } catch (error) {
      throw error instanceof RecordTooLong ? tooLarge(this.#options.path) : error
    }
  }

  #hold(chunk: Uint8Array): void {
    const held = this.#held + chunk.length
    const isDocument = this.#layout === 'document'
    if (held > LONGEST_RECORD || (isDocument && this.#size > LONGEST_RECORD)) throw tooLarge(this.#options.path)
    if (held > this.#memory.length) {
      const grown = Buffer.allocUnsafe(Math.max(held, isDocument ? this.#size : 2 * this.#held))
      grown.set(this.#memory.subarray(0, this.#held))
      this.#memory = grown
    }
    this.#memory.set(chunk, this.#held)
    this.#held = held
  }

  /** What is held so far; it is let go of. */
  #release(): Buffer {
    const { buffer, byteOffset } = this.#memory
    const held = Buffer.from(buffer, byteOffset, this.#held)
    this.#memory = new Uint8Array(0)
    this.#held = 0
    return held
  }

  end(source: Source): Transcript {
    if (!this.#layout) this.#settle(true)
    return this.#lines ? this.#lines.end(source) : this.#readDocument(source)
  }

  /** Decides by the bytes held so far, which may be the whole file, how it is laid out. */
  #settle(isWhole: boolean): void {
    const { buffer, byteOffset } = this.#memory
    const head = Buffer.from(buffer, byteOffset, this.#held)
    this.#container = containerOf(head)
    const layout = this.#container ? 'nothing' : layoutOf(head)
    const format = named(this.#options)
    // Who names the format knows how the file is meant to be laid out.
    this.#layout = layout === 'nothing' ? layout : (format?.shape ?? layout)
    this.#isBlank = skipBlank(head, 0) === head.length
    if (this.#layout === 'nothing') this.#release()
    if (this.#layout !== 'lines') return
    this.#lines = new LineReader(this.#options, format)
    this.#pushLines(this.#lines, this.#release())
    // More records than these could be large ones, and all of them would wait.
    if (!isWhole) this.#lines.settle()
  }

  #readDocument(source: Source): Transcript {
    const bytes = this.#release()
    const records = new TextRecords()
    const start = skipBlank(bytes, bytes.subarray(0, 3).equals(BOM) ? BOM.length : 0)
    if (bytes.subarray(0, 3).equals(BOM)) records.add(rowOf(RowKind.bom, 0, BOM.length, 1, 0))
    const end = dataEnd(bytes, start)
    const text = bytes.subarray(start, end)
    const view = parseView(text)
    const asked = named(this.#options)
    const beside = asked || !view ? undefined : (bystander('document', [view]) ?? bystander('lines', [view]))
    const format = asked ?? ((beside === undefined && detectDocument(view, text)) || nothingKnown)
    const transcript = new Transcript(format, records, this.#options)
    transcript.isEmpty = this.#isBlank
    transcript.bystander = beside
    transcript.container = this.#container
    transcript.closable = !view && closeDocument(text) !== undefined
    if (end > start) {
      const { kind, flags } = inspect(text)
      // The only record of a JSONL file has to stand on one line like any other.
      const split = format.shape === 'lines' && view && text.includes(LF) ? RowFlag.split : 0
      const record = records.add(rowOf(kind, start, text.length, lineAt(bytes, start), flags | split))
      if (view && !split) records.remember(record, text, view)
      transcript.take(record, view, view ? undefined : text)
    }
    // A crash leaves blocks of NUL bytes behind a document as it does behind lines.
    const nul = bytes.indexOf(0, end)
    if (nul >= 0) {
      const length = bytes.lastIndexOf(0) + 1 - nul
      records.add(rowOf(RowKind.nul, nul, length, lineAt(bytes, nul), 0))
    }
    records.over(source)
    transcript.assemble()
    return transcript
  }
}

/**
 * The format that the records would be taken for if they were read now: texts alone fit several shapes, and the last block that showed
 * which one it was may have been taken out. Undefined where there is nothing to tell it by.
 */
export function detectAgain({ records, of }: Transcript): Format | undefined {
  const order = records.order()
  const sample: JsonView[] = []
  for (let i = 0; i < order.length && sample.length < SAMPLE; i++) {
    const view = records.kind(order[i]!) === RowKind.record ? records.view(order[i]!) : undefined
    if (view) sample.push(view)
  }
  const [only] = sample
  if (!only) return undefined
  if (of.shape === 'lines' && sample.length > 1) return detectFormat('lines', sample)
  return detectFormat('document', [only]) ?? detectFormat('lines', [only])
}

/** What is in one piece is held whole. */
function tooLarge(path = '-'): FileProblem {
  const what = 'is one document, or has a line, of more than 2 GB, which has to be held whole'
  return new FileProblem('TOO_LARGE', path, `${quote(path)} ${what}: it cannot be checked`)
}

function named(options: CheckOptions): Format | undefined {
  if (options.format === undefined) return undefined
  const format = formatNamed(options.format)
  if (!format) throw new RangeError(`there is no format ${options.format}`)
  return format
}

/** The format of one document; of a torn one by what is whole of it. */
function detectDocument(view: JsonView | undefined, text: Uint8Array): Format | undefined {
  if (view) return detectFormat('document', [view]) ?? detectFormat('lines', [view])
  const whole = closeDocument(text)
  const closed = whole && parseView(Buffer.concat([text.subarray(0, whole.keep), Buffer.from(whole.closing)]))
  return closed && detectFormat('document', [closed])
}

/**
 * How a file is laid out, by its head. An array is one document. An object that is complete on its first line and is followed
 * by more is a record; so is a first line that does not parse when a later line begins with a brace in its first column, unless
 * that line is an item of one document that is written with a message a line. What begins with anything else is no
 * transcript, unless such lines follow.
 */
function layoutOf(head: Buffer): 'lines' | 'document' | 'nothing' {
  const start = skipBlank(head, head.subarray(0, 3).equals(BOM) ? BOM.length : 0)
  if (head[start] === OPEN_BRACKET) return 'document'
  const lineEnd = head.indexOf(LF, start)
  const hasMore = lineEnd >= 0 && skipBlank(head, lineEnd) < dataEnd(head, 0)
  if (hasMore) {
    if (parseView(Uint8Array.from(head.subarray(start, lineEnd)))?.kind === 'object') return 'lines'
    for (let at = lineEnd; at >= 0; at = head.indexOf(LF, at + 1)) {
      if (head[at + 1] !== OPEN_BRACE) continue
      const isDocument = isItem(head, at + 1) || parseView(Uint8Array.from(head.subarray(start))) !== undefined
      return isDocument ? 'document' : 'lines'
    }
  }
  return head[start] === OPEN_BRACE ? 'document' : 'nothing'
}

/** Whether the line goes on with what the one before left open, and does not end a value as a record does. */
function isItem(head: Buffer, start: number): boolean {
  const lineEnd = head.indexOf(LF, start)
  return OPENING.has(lastByte(head, start)) && (lineEnd < 0 || lastByte(head, lineEnd) === COMMA)
}

/** The last byte before a place that is no white space. */
function lastByte(bytes: Uint8Array, end: number): number | undefined {
  let at = end - 1
  while (at >= 0 && isSpace(bytes[at]!)) at--
  return bytes[at]
}

function skipBlank(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && isSpace(bytes[at]!)) at++
  return at
}

/** How files begin that are no text (RFC 8878, RFC 1952, https://www.sqlite.org/fileformat.html), or none in UTF-8, by its byte order mark. */
const MAGIC: readonly (readonly [Container, Uint8Array])[] = [
  ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
  ['gzip', Buffer.from([0x1f, 0x8b])],
  ['sqlite', Buffer.from('SQLite format 3\0')],
  ['utf-16', Buffer.from([0xff, 0xfe])],
  ['utf-16', Buffer.from([0xfe, 0xff])],
]

function containerOf(head: Buffer): Container | undefined {
  const found = MAGIC.find(([, magic]) => head.subarray(0, magic.length).equals(magic))?.[0]
  // JSON begins with a character of ASCII, whose other half is NUL; without one these are stray bytes before text.
  return found === 'utf-16' && head[2] !== 0 && head[3] !== 0 ? undefined : found
}

/** Where a document ends: before white space and NUL bytes. */
function dataEnd(bytes: Uint8Array, start: number): number {
  let end = bytes.length
  while (end > start && (isSpace(bytes[end - 1]!) || bytes[end - 1] === 0)) end--
  return end
}

const isSpace = (byte: number): boolean => byte === 0x20 || byte === LF || byte === 0x0d || byte === 0x09

function lineAt(bytes: Uint8Array, offset: number): number {
  let line = 1
  for (let at = bytes.indexOf(LF); at >= 0 && at < offset; at = bytes.indexOf(LF, at + 1)) line++
  return line
}

function rowOf(kind: Row['kind'], start: number, length: number, line: number, flags: number): Row {
  return { kind, start, length, line, flags, lineStart: start }
}
