import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check, fix } from '../../src/index.ts'
import { Dice } from './dice.ts'
import { untold } from './told.ts'

const FORMATS = join(import.meta.dirname, '..', '..', 'fixtures', 'formats')

/** The fixtures of every format: healthy files and what they stumble over. */
export const SEEDS: readonly { readonly name: string; readonly bytes: Buffer }[] = readdirSync(FORMATS).flatMap(
  (format) =>
    readdirSync(join(FORMATS, format)).flatMap((kase) => {
      const folder = join(FORMATS, format, kase)
      const input = readdirSync(folder).find((name) => name.startsWith('input.'))
      return input ? [{ name: `${format}/${kase}`, bytes: readFileSync(join(folder, input)) }] : []
    }),
)

/** Pieces of text that mean something to a reader of JSON, of UTF-8, or of transcripts. */
const TOKENS = [
  ...[
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '\n',
    '\r\n',
    '\0',
    '\u2028',
    '\ufeff',
    'null',
    '-0',
    '1e999',
    '{}',
    '[]',
    '""',
  ],
  ...[
    '"type":',
    '"id":',
    '"role":"user",',
    '"content":',
    '"__proto__":{},',
    '"uuid":"',
    '"parentUuid":null,',
    '\\ud800',
    '\\u0000',
  ],
  ...['"$set":{"messages":[]},', '"$rewindTo":"x",', '"tool_use_id":1,', '"parts":', '{"a":'.repeat(50)],
].map((text) => Buffer.from(text))

type Mutation = (bytes: Buffer, dice: Dice) => Buffer

const put = (bytes: Buffer, at: number, piece: Uint8Array, gone = 0): Buffer =>
  Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + gone)])

function range(bytes: Buffer, dice: Dice): readonly [from: number, to: number] {
  const from = dice.roll(bytes.length + 1)
  return [from, Math.min(bytes.length, from + dice.roll(1 + 2 ** dice.roll(14)))]
}

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  flip(bytes, dice) {
    const changed = Buffer.from(bytes)
    for (let i = 1 + dice.roll(8); i > 0 && bytes.length > 0; i--)
      changed[dice.roll(bytes.length)]! ^= 1 << dice.roll(8)
    return changed
  },
  cut: (bytes, dice) => bytes.subarray(...range(bytes, dice)),
  lose(bytes, dice) {
    const [from, to] = range(bytes, dice)
    return put(bytes, from, Buffer.alloc(0), to - from)
  },
  double(bytes, dice) {
    const [from, to] = range(bytes, dice)
    return put(bytes, dice.roll(bytes.length + 1), bytes.subarray(from, to))
  },
  repeat(bytes, dice) {
    const [from, to] = range(bytes, dice)
    const piece = bytes.subarray(from, Math.min(to, from + 200))
    return put(bytes, from, Buffer.concat(Array.from({ length: 1 + dice.roll(30) }, () => piece)))
  },
  splice(bytes, dice) {
    const other = dice.pick(SEEDS).bytes
    const [from, to] = range(other, dice)
    return put(bytes, dice.roll(bytes.length + 1), other.subarray(from, to), dice.roll(2) * dice.roll(bytes.length + 1))
  },
  join: (bytes, dice) => Buffer.concat([bytes, dice.pick(SEEDS).bytes]),
  lines(bytes, dice) {
    const lines = bytes.toString('latin1').split('\n')
    return Buffer.from(dice.shuffle(lines).join('\n'), 'latin1')
  },
  token: (bytes, dice) => put(bytes, dice.roll(bytes.length + 1), dice.pick(TOKENS), dice.roll(2) * dice.roll(6)),
  zero(bytes, dice) {
    const [from, to] = range(bytes, dice)
    return put(bytes, from, Buffer.alloc(to - from), to - from)
  },
}

/** A fixture with one to four mutations, the same for the same seed. */
export function mutant(seed: number): { readonly name: string; readonly bytes: Buffer } {
  const dice = new Dice(seed)
  const { name, bytes } = dice.pick(SEEDS)
  const kinds = Array.from({ length: 1 + dice.roll(4) }, () => dice.pick(Object.keys(MUTATIONS)))
  const changed = kinds.reduce((at, kind) => MUTATIONS[kind]!(at, dice).subarray(0, 1 << 18), bytes)
  return { name: `${name} ${kinds.join(' ')} (seed ${seed})`, bytes: changed }
}

/** What is wrong with how a file is survived; undefined when nothing is. */
export function breach(bytes: Buffer): string | undefined {
  try {
    const before = check(bytes)
    const { output, applied } = fix(bytes)
    const isSame = Buffer.compare(output, bytes) === 0
    if (applied.length === 0 && !isSame) return 'changed without a repair'
    if (applied.length > 0 && before.findings.length === 0) return 'repaired without a finding'
    const still = check(output).findings.filter(
      ({ severity, fix: repair }) => severity !== 'info' && repair?.safety === 'safe',
    )
    if (still.length > 0) return `is not settled: ${still.map(({ rule }) => rule)}`
    const [lost] = untold(bytes, output, applied)
    if (lost !== undefined) return `loses a text: ${applied.map(({ rule }) => rule)}: ${lost.slice(0, 60)}`
    const again = fix(output)
    if (Buffer.compare(again.output, output) !== 0) return `changes again: ${again.applied.map(({ rule }) => rule)}`
    return undefined
  } catch (error) {
    return `${(error as Error).stack?.split('\n').slice(0, 4).join(' ')}`
  }
}
