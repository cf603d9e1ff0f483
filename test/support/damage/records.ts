import type { Dice } from '../dice.ts'
import { copy, type Fields } from '../generate/json.ts'
import type { Specimen } from '../generate/specimen.ts'
import { holdersIn, takeOut } from './slots.ts'

/** Damage to whole records and to their links. */
export type Damage = (specimen: Specimen, dice: Dice) => void

const linked = ({ records }: Specimen): Fields[] => records.filter((record) => typeof record.uuid === 'string')

/** What a client makes of a ring through a compaction is not known. */
const isCompacted = ({ records }: Specimen): boolean =>
  records.some(({ subtype }) => subtype === 'compact_boundary' || subtype === 'chat_compression')

function someRecord(specimen: Specimen, dice: Dice): { owner: Fields[]; record: Fields } | undefined {
  const holders = holdersIn(specimen)
  return holders.length > 0 ? dice.pick(holders) : undefined
}

export const recordDamage: Readonly<Record<string, Damage>> = {
  drop(specimen, dice) {
    const found = someRecord(specimen, dice)
    if (found && found.owner.length > 1) takeOut(specimen, found, dice.once(2))
  },

  double(specimen, dice) {
    const found = someRecord(specimen, dice)
    if (!found) return
    const at = found.owner.indexOf(found.record)
    const again = copy(found.record)
    if (typeof again.uuid === 'string' && dice.once(2))
      again.uuid = `00000000-0000-4000-8000-${String(dice.roll(1e6)).padStart(12, '0')}`
    found.owner.splice(dice.once(3) ? found.owner.length : at + 1, 0, again)
  },

  move(specimen, dice) {
    const found = someRecord(specimen, dice)
    if (!found) return
    found.owner.splice(found.owner.indexOf(found.record), 1)
    found.owner.splice(dice.roll(found.owner.length + 1), 0, found.record)
  },

  swap(specimen, dice) {
    const found = someRecord(specimen, dice)
    if (!found) return
    const at = found.owner.indexOf(found.record)
    const next = found.owner[at + 1]
    if (next) found.owner.splice(at, 2, next, found.record)
  },

  tail(specimen, dice) {
    const found = someRecord(specimen, dice)
    if (found) found.owner.splice(found.owner.indexOf(found.record) + 1)
  },

  head(specimen, dice) {
    const found = someRecord(specimen, dice)
    if (found) found.owner.splice(0, found.owner.indexOf(found.record))
  },

  ring(specimen, dice) {
    const records = linked(specimen)
    if (records.length < 2 || isCompacted(specimen)) return
    const from = dice.pick(records)
    from.parentUuid = dice.pick(records.slice(records.indexOf(from))).uuid!
  },

  dangle(specimen, dice) {
    const records = linked(specimen).filter(({ parentUuid }) => parentUuid !== null)
    if (records.length > 0) dice.pick(records).parentUuid = 'ffffffff-0000-4000-8000-00000000dead'
  },

  sameUuid(specimen, dice) {
    const records = linked(specimen)
    if (records.length > 1 && !isCompacted(specimen)) dice.pick(records).uuid = dice.pick(records).uuid!
  },
}
