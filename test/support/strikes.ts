import { check } from '../../src/index.ts'
import { Dice } from './dice.ts'
import { SEEDS } from './fuzz.ts'
import { type Span, spansOf } from './judge/spans.ts'

/** A transcript as text: its records, and what stands around and between them. */
interface Cut {
  readonly name: string
  readonly head: string
  records: string[]
  readonly between: string
  readonly tail: string
}

/** The fixtures of every format in which nothing is wrong. */
export const HEALTHY: readonly Cut[] = SEEDS.flatMap(({ name, bytes }) => {
  const isHealthy = check(bytes).findings.every(({ severity }) => severity === 'info')
  const text = bytes.toString('utf8')
  const cut = isHealthy && Buffer.from(text).equals(bytes) ? (document(name, text) ?? lines(name, text)) : undefined
  return cut && cut.records.length > 0 ? [cut] : []
})

function lines(name: string, text: string): Cut | undefined {
  const records = text.split('\n').filter((line) => line.trim() !== '')
  return records.every((record) => parsed(record) !== undefined)
    ? { name, head: '', records, between: '\n', tail: '\n' }
    : undefined
}

/** A single document: its records are the items of the longest list of objects in it. */
function document(name: string, text: string): Cut | undefined {
  if (parsed(text) === undefined) return undefined
  const list = longestList(spansOf(text), text)
  const [first] = list
  if (!first) return undefined
  return {
    name,
    head: text.slice(0, first.start),
    records: list.map(({ start, end }) => text.slice(start, end)),
    between: ',\n  ',
    tail: text.slice(list.at(-1)!.end),
  }
}

function longestList(span: Span, text: string): readonly Span[] {
  const lists = [...span.members.values(), ...span.items].map((each) => longestList(each, text))
  const own = span.items.length > 0 && span.items.every(({ start }) => text[start] === '{') ? span.items : []
  return lists.reduce((longest, each) => (each.length > longest.length ? each : longest), own)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A value somewhere in a record, with its key. */
interface Slot {
  readonly key: string
  readonly span: Span
  readonly text: string
}

function slotsOf(record: string): Slot[] {
  if (parsed(record) === undefined) return []
  const slots: Slot[] = []
  const visit = (span: Span, key: string): void => {
    slots.push({ key, span, text: record.slice(span.start, span.end) })
    for (const [name, member] of span.members) visit(member, name)
    for (const item of span.items) visit(item, key)
  }
  visit(spansOf(record), '')
  return slots.slice(1)
}

const isString = ({ text }: Slot): boolean => text.startsWith('"')
const isId = (slot: Slot): boolean => isString(slot) && /id$/i.test(slot.key)
const isWord = (slot: Slot): boolean => isString(slot) && /^(role|type|kind|status|name)$/.test(slot.key)
const isText = (slot: Slot): boolean => isString(slot) && / /.test(slot.text)
const isList = ({ text }: Slot): boolean => text.startsWith('[')

type ToRecords = (records: string[], dice: Dice) => string[]

/** Changes one value of one record that answers the question. */
function value(
  asked: (slot: Slot) => boolean,
  change: (slot: Slot, dice: Dice, all: readonly Slot[]) => string,
): ToRecords {
  return (records, dice) => {
    const all = records.map((record) => slotsOf(record))
    const holding = all.flatMap((slots, at) => (slots.some(asked) ? [at] : []))
    if (holding.length === 0) return records
    const at = dice.pick(holding)
    const slot = dice.pick(all[at]!.filter(asked))
    return records.with(at, replaced(records[at]!, slot.span, change(slot, dice, all.flat())))
  }
}

const replaced = (text: string, { start, end }: Pick<Span, 'start' | 'end'>, by: string): string =>
  text.slice(0, start) + by + text.slice(end)

/** Puts something into the middle of a string. */
const into = (piece: string): ToRecords =>
  value(isString, ({ text }, dice) => {
    const at = 1 + dice.roll(text.length - 1)
    // Not between a backslash and what it escapes.
    return /\\[^\\]*$/.test(text.slice(0, at)) ? text : text.slice(0, at) + piece + text.slice(at)
  })

const TO_RECORDS: Readonly<Record<string, ToRecords>> = {
  drop: (records, dice) => records.toSpliced(dice.roll(records.length), 1),
  loseRun: (records, dice) => records.toSpliced(dice.roll(records.length), 1 + dice.roll(3)),
  loseEnd: (records, dice) => records.slice(0, 1 + dice.roll(records.length)),
  double(records, dice) {
    const at = dice.roll(records.length)
    return records.toSpliced(at, 0, records[at]!)
  },
  again: (records, dice) => [...records, dice.pick(records)],
  repeatEnd: (records, dice) => [...records, ...records.slice(dice.roll(records.length))],
  swap(records, dice) {
    const at = dice.roll(records.length - 1)
    return records.length < 2 ? records : records.with(at, records[at + 1]!).with(at + 1, records[at]!)
  },
  move(records, dice) {
    const from = dice.roll(records.length)
    return records.toSpliced(from, 1).toSpliced(dice.roll(records.length), 0, records[from]!)
  },
  interleave(records, dice) {
    const middle = dice.roll(records.length)
    const [one, two] = [records.slice(0, middle), records.slice(middle)]
    return Array.from({ length: Math.max(one.length, two.length) }, (_, i) => [one[i], two[i]])
      .flat()
      .filter((record) => record !== undefined)
  },
  emptyText: value(isText, () => '""'),
  blankText: value(isText, () => '" \\n "'),
  trailingSpace: value(isText, ({ text }) => `${text.slice(0, -1)} "`),
  noValue: value(
    () => true,
    () => 'null',
  ),
  number: value(isString, () => '17'),
  listed: value(
    () => true,
    ({ text }) => `[${text}]`,
  ),
  spelled: value(
    ({ text }) => text.startsWith('{'),
    ({ text }) => JSON.stringify(text),
  ),
  noItems: value(isList, () => '[]'),
  otherId: value(isId, ({ text }) => `${text.slice(0, -1)}x"`),
  longId: value(isId, ({ text }) => `${text.slice(0, -1)}${'0'.repeat(70)}"`),
  oddId: value(isId, ({ text }) => `${text.slice(0, -1)}:0.ä"`),
  noId: value(isId, () => '""'),
  sameId: value(isId, ({ key }, dice, all) => dice.pick(all.filter((each) => isId(each) && each.key === key)).text),
  otherWord: value(
    isWord,
    ({ key }, dice, all) => dice.pick(all.filter((each) => isWord(each) && each.key === key)).text,
  ),
  unknownWord: value(isWord, () => '"unheard-of"'),
  halfPair: into('\\ud83d'),
  rawTab: into('\t'),
  rawBreak: into('\n'),
  nulInside: into('\0'),
  tear: (records, dice) => cut(records, dice, (record, at) => record.slice(0, at)),
  tearHead: (records, dice) => cut(records, dice, (record, at) => record.slice(at)),
  noise: (records, dice) => cut(records, dice, (record, at) => `${record.slice(0, at)}#?${record.slice(at)}`),
}

function cut(records: readonly string[], dice: Dice, change: (record: string, at: number) => string): string[] {
  const at = dice.roll(records.length)
  return records.with(at, change(records[at] ?? '', 1 + dice.roll(records[at]?.length ?? 1)))
}

type ToText = (text: string, dice: Dice) => string

const TO_TEXT: Readonly<Record<string, ToText>> = {
  glue: (text, dice) => without(text, '\n', dice),
  noComma: (text, dice) => without(text, ',\n', dice),
  windows: (text) => text.replaceAll('\n', '\r\n'),
  mark: (text) => `\ufeff${text}`,
  nulTail: (text) => text + '\0'.repeat(40),
  cutEnd: (text, dice) => text.slice(0, text.length - dice.roll(Math.min(text.length, 60))),
  blankLines: (text) => text.replaceAll('\n', '\n\n'),
}

function without(text: string, piece: string, dice: Dice): string {
  const places = [...text.matchAll(new RegExp(piece, 'g'))].map(({ index }) => index)
  const at = places.length > 0 ? dice.pick(places) : text.length
  return text.slice(0, at) + text.slice(at + piece.length)
}

export const STRIKES: readonly string[] = [...Object.keys(TO_RECORDS), ...Object.keys(TO_TEXT)]

/** A healthy fixture of some format after one to four blows to its records, the same for the same seed. */
export function struck(seed: number): { readonly name: string; readonly bytes: Buffer } {
  const dice = new Dice(seed)
  const { name, head, records, between, tail } = dice.pick(HEALTHY)
  const kinds = Array.from({ length: 1 + dice.roll(4) }, () => dice.pick(STRIKES))
  const left = kinds.reduce((at, kind) => (at.length > 0 ? (TO_RECORDS[kind]?.(at, dice) ?? at) : at), records)
  const text = kinds.reduce((at, kind) => TO_TEXT[kind]?.(at, dice) ?? at, head + left.join(between) + tail)
  return { name: `${name} ${kinds.join(' ')} (seed ${seed})`, bytes: Buffer.from(text) }
}
