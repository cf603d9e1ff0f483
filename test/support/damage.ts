import fc from 'fast-check'
import { byteDamage, lineDamage } from './damage/bytes.ts'
import { partDamage } from './damage/parts.ts'
import { recordDamage } from './damage/records.ts'
import { Dice } from './dice.ts'
import { bytesOf, copyOf, fileOf, linesOf, type Specimen } from './generate/specimen.ts'

/** One blow: what kind, and the seed of where and how. */
export interface Blow {
  readonly kind: string
  readonly seed: number
}

/** A file that something happened to. */
export interface Damaged {
  readonly specimen: Specimen
  readonly blows: readonly Blow[]
  readonly bytes: Buffer
}

const blow = (kinds: readonly string[]): fc.Arbitrary<Blow> =>
  fc.record({ kind: fc.constantFrom(...kinds), seed: fc.nat() })

const MESSAGES = [...Object.keys(recordDamage), ...Object.keys(partDamage)]
const BYTES = [...Object.keys(lineDamage), ...Object.keys(byteDamage)]

/** One to four blows to the conversation. */
export const blowsToMessages = fc.array(blow(MESSAGES), { minLength: 1, maxLength: 4 })
/** One or two blows to the text, and up to two to the conversation. */
export const blowsToBytes = fc
  .tuple(fc.array(blow(MESSAGES), { maxLength: 2 }), fc.array(blow(BYTES), { minLength: 1, maxLength: 2 }))
  .map(([first, second]) => [...first, ...second])
export const anyBlows = fc.oneof(blowsToMessages, blowsToBytes)

/** The records of a specimen after the blows to them. */
export function strike(specimen: Specimen, blows: readonly Blow[]): Specimen {
  const struck = copyOf(specimen)
  for (const { kind, seed } of blows) (recordDamage[kind] ?? partDamage[kind])?.(struck, new Dice(seed))
  return struck
}

export function damage(specimen: Specimen, blows: readonly Blow[]): Damaged {
  const struck = strike(specimen, blows)
  const lines = linesOf(struck)
  for (const { kind, seed } of blows) if (lines.length > 0) lineDamage[kind]?.(lines, new Dice(seed))
  let bytes = fileOf(struck, lines)
  for (const { kind, seed } of blows) bytes = byteDamage[kind]?.(bytes, new Dice(seed)) ?? bytes
  return { specimen: struck, blows, bytes }
}

/** A file of one of the specimens, damaged or (with no blow) not. */
export function damagedFiles(
  specimens: fc.Arbitrary<Specimen>,
  blows: fc.Arbitrary<readonly Blow[]>,
): fc.Arbitrary<Damaged> {
  return fc.tuple(specimens, blows).map(([specimen, struck]) => readable(damage(specimen, struck)))
}

export function healthyFiles(specimens: fc.Arbitrary<Specimen>): fc.Arbitrary<Damaged> {
  return specimens.map((specimen) => readable({ specimen, blows: [], bytes: bytesOf(specimen) }))
}

/** Failed properties print the file as text. */
function readable(damaged: Damaged): Damaged {
  const text = (): string =>
    JSON.stringify({ blows: damaged.blows, format: damaged.specimen.format, text: damaged.bytes.toString('utf8') })
  return Object.defineProperty(damaged, fc.toStringMethod, { value: text, enumerable: false })
}
