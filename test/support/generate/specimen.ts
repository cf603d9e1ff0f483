import { Dice } from '../dice.ts'
import { copy, type Fields, type Value, write } from './json.ts'

export type Shape = 'anthropic' | 'openai' | 'gemini'
export type Layout = 'array' | 'body' | 'lines' | 'rows'

/** A transcript before it is written: its records, and how they become bytes. */
export interface Specimen {
  /** Name of the format as convfix has it. */
  readonly format: string
  /** Wire shape of the messages in it. */
  readonly shape: Shape
  readonly layout: Layout
  /** Messages of an array or body; lines of anything else. */
  readonly records: Fields[]
  /** What stands around the messages of a body or of a row. */
  readonly around: Fields
  readonly seed: number
}

export function copyOf(specimen: Specimen): Specimen {
  return { ...specimen, records: specimen.records.map((record) => copy(record)) }
}

/** The records as pieces of text: one for each line, or one for the document. */
export function linesOf(specimen: Specimen): string[] {
  const dice = new Dice(specimen.seed)
  const { layout, records, around } = specimen
  if (layout === 'lines' || layout === 'rows') return records.map((record) => write(record, dice, undefined))
  const indent = dice.pick([undefined, 2, 4, 1])
  return [write(layout === 'array' ? (records as Value) : { ...around, messages: records }, dice, indent)]
}

/** How lines become a file: line ends, blank lines, an end without newline. */
export function fileOf(specimen: Specimen, lines: readonly string[]): Buffer {
  const dice = new Dice(specimen.seed ^ 0x5bd1)
  const isLines = specimen.layout === 'lines' || specimen.layout === 'rows'
  const lineEnd = dice.pick(['\n', '\n', '\n', '\r\n'])
  const last = dice.pick([lineEnd, lineEnd, lineEnd, ''])
  let text = ''
  lines.forEach((line, i) => {
    text += line + (i < lines.length - 1 ? lineEnd : last)
    if (isLines && dice.once(12) && i < lines.length - 1) text += lineEnd
  })
  return Buffer.from(text)
}

export function bytesOf(specimen: Specimen): Buffer {
  return fileOf(specimen, linesOf(specimen))
}
