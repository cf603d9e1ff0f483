import { textOf } from '../../src/engine/diff.ts'
import { TranscriptReader } from '../../src/engine/read.ts'
import type { Transcript } from '../../src/engine/transcript.ts'
import type { Block, BlockKind } from '../../src/model/blocks.ts'
import type { Entry, Message } from '../../src/model/document.ts'
import type { Operation } from '../../src/model/finding.ts'
import { MemorySource } from '../../src/text/source.ts'
import { atOnce } from '../../src/text/steps.ts'

/** A transcript over a text, with short ways to look at it and to edit it. */
export class Opened {
  readonly transcript: Transcript
  readonly #source: MemorySource

  constructor(text: string, format?: string) {
    const bytes = Buffer.from(text)
    const reader = new TranscriptReader(format === undefined ? {} : { format })
    reader.push(bytes)
    this.#source = new MemorySource(bytes)
    this.transcript = reader.end(this.#source)
  }

  static lines(records: readonly unknown[], format?: string): Opened {
    return new Opened(records.map((record) => `${JSON.stringify(record)}\n`).join(''), format)
  }

  get text(): string {
    return Buffer.concat(Array.from(textOf(this.transcript.text!, this.#source))).toString()
  }

  get lines(): string[] {
    return this.text.split('\n').filter((line) => line !== '')
  }

  get messages(): readonly Message[] {
    return this.transcript.conversations[0]?.messages ?? []
  }

  /** The records as values, parsed from the text as it would be written. */
  get values(): Record<string, unknown>[] {
    return this.lines.map((line) => JSON.parse(line))
  }

  /** Each message as `role: block block`; a block as kind and the id of its call. */
  get shape(): string[] {
    return this.messages.map(({ role, blocks }) =>
      `${role}: ${blocks.map((block) => this.#name(block)).join(' ')}`.trim(),
    )
  }

  #name({ kind, id }: Block): string {
    const text = this.transcript.ids.text(id)
    return text === '' ? kind : `${kind}(${text.replace('\0', '#')})`
  }

  id(entry: Entry | undefined): string | undefined {
    return entry && this.transcript.ids.text(entry.id)
  }

  /** The entry of a record id. */
  entry(id: string): Entry {
    return [...this.transcript.entries()].find((entry) => this.id(entry) === id)!
  }

  block(kind: BlockKind, id: string, nth = 0): Block {
    return this.messages
      .flatMap(({ blocks }) => [...blocks])
      .filter((block) => block.kind === kind && this.transcript.ids.text(block.id) === id)[nth]!
  }

  /** Makes one repair, or several of one round, and reads what came of it. Whether each was taken. */
  edit(...repairs: readonly (readonly Operation[])[]): boolean[] {
    const editor = this.transcript.of.editor(this.transcript)
    const taken = repairs.map((operations) => editor.apply(operations))
    atOnce(this.transcript.retake(atOnce(this.transcript.records.commit(editor.edits()))))
    return taken
  }
}
