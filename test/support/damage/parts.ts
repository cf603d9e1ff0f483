import type { Dice } from '../dice.ts'
import { copy, type Fields, isFields, type Value } from '../generate/json.ts'
import type { Specimen } from '../generate/specimen.ts'
import type { Damage } from './records.ts'
import { type Holder, holdersIn, partsOf, type Slot, slotsIn, slotsOf, takeSlot } from './slots.ts'

function some(specimen: Specimen, dice: Dice, kind: Slot['kind']): Slot | undefined {
  const slots = slotsIn(specimen).filter((slot) => slot.kind === kind)
  return slots.length > 0 ? dice.pick(slots) : undefined
}

/** Puts a copy of a result into another place. */
function plant(specimen: Specimen, slot: Slot, copied: Fields, dice: Dice): void {
  const { holder, list } = slot
  const same = holdersIn(specimen).filter(({ owner }) => owner === holder.owner)
  const home = dice.pick(same)
  if (!list) {
    holder.owner.splice(holder.owner.indexOf(home.record) + dice.roll(2), 0, copied)
    return
  }
  const into = same.filter(({ message }) => message.role === 'user' && partsOf(message))
  const parts = into.length > 0 ? partsOf(dice.pick(into).message)! : list
  parts.splice(dice.roll(parts.length + 1), 0, copied)
}

function someMessage(specimen: Specimen, dice: Dice, role?: string): Holder | undefined {
  const holders = holdersIn(specimen).filter(({ message }) => role === undefined || message.role === role)
  return holders.length > 0 ? dice.pick(holders) : undefined
}

function setText(message: Fields, text: Value, dice: Dice): void {
  const parts = partsOf(message)
  const texts = parts?.filter((part) => isFields(part) && 'text' in part) ?? []
  if (texts.length > 0) (dice.pick(texts) as Fields).text = text
  else if (typeof message.content === 'string') message.content = text
}

export const partDamage: Readonly<Record<string, Damage>> = {
  callGone(specimen, dice) {
    const slot = some(specimen, dice, 'call')
    if (slot) takeSlot(specimen, slot, dice.once(2))
  },

  resultGone(specimen, dice) {
    const slot = some(specimen, dice, 'result')
    if (slot) takeSlot(specimen, slot, dice.once(2))
  },

  resultTwice(specimen, dice) {
    const slot = some(specimen, dice, 'result')
    if (!slot) return
    const again = copy(slot.item)
    if (dice.once(3) && 'content' in again) again.content = 'another answer'
    if (slot.list && dice.once(2)) slot.list.push(again)
    else plant(specimen, slot, again, dice)
  },

  resultElsewhere(specimen, dice) {
    const slot = some(specimen, dice, 'result')
    if (!slot) return
    const moved = copy(slot.item)
    takeSlot(specimen, slot, true)
    plant(specimen, slot, moved, dice)
  },

  resultRenamed(specimen, dice) {
    const slot = some(specimen, dice, 'result')
    // Where ids may be left out a result without one is no fault.
    if (slot) slot.named[slot.key] = dice.pick(['toolu_lost', 'fc_1', specimen.shape === 'gemini' ? 'lost' : ''])
  },

  callTwice(specimen, dice) {
    const slot = some(specimen, dice, 'call')
    if (!slot) return
    const again = copy(slot.item)
    const homes = slotsIn(specimen).filter(({ kind }) => kind === 'call')
    const list = dice.once(2) ? dice.pick(homes).list! : slot.list!
    list.push(again)
  },

  sameIds(specimen, dice) {
    const calls = slotsIn(specimen).filter(({ kind }) => kind === 'call')
    if (calls.length < 2) return
    const [first, second] = [dice.pick(calls), dice.pick(calls)]
    const old = second.named[second.key]
    const id = first.named[first.key]!
    for (const slot of slotsIn(specimen)) if (slot.named[slot.key] === old) slot.named[slot.key] = id
  },

  badId(specimen, dice) {
    const slot = some(specimen, dice, 'call')
    if (!slot) return
    const old = slot.named[slot.key]
    const id = dice.pick(['functions.read:0 x', specimen.shape === 'gemini' ? 'lost' : '', 'x'.repeat(80), 'ü'])
    const both = !dice.once(3)
    for (const each of slotsIn(specimen)) {
      if (each.named[each.key] === old && (both || each.kind === 'call')) each.named[each.key] = id
    }
  },

  oddInput(specimen, dice) {
    const slot = some(specimen, dice, 'call')
    if (!slot) return
    const mark = `~c6${dice.roll(1e9)}~`
    const cut = `{"cut \\"${mark} at\\n`
    const input = dice.pick<Value>([`{"a":"${mark}"}`, cut, null, [mark, 1], 7, ` ${mark}`])
    if ('input' in slot.item) slot.item.input = input
    else if (isFields(slot.item.function)) slot.item.function.arguments = dice.pick([cut, `${mark} said`, ' '])
    else if ('args' in slot.named) slot.named.args = input
  },

  stack(specimen, dice) {
    const found = someMessage(specimen, dice)
    if (!found || found.record !== found.message) return
    const role = dice.pick(['user', 'assistant'])
    found.owner.splice(found.owner.indexOf(found.record) + 1, 0, { role, content: `stacked ~u9${dice.roll(1e9)}~` })
  },

  textInFront(specimen, dice) {
    const slot = some(specimen, dice, 'result')
    if (!slot?.list) return
    slot.list.unshift(specimen.shape === 'gemini' ? { text: 'in front' } : { type: 'text', text: 'in front' })
  },

  emptyText(specimen, dice) {
    const found = someMessage(specimen, dice)
    if (found) setText(found.message, dice.pick(['', ' ', '\n\t', null]), dice)
  },

  emptyMessage(specimen, dice) {
    const found = someMessage(specimen, dice)
    if (!found) return
    if ('parts' in found.message) found.message.parts = []
    else found.message.content = dice.pick<Value>([[], '', null, [{ type: 'text', text: '' }]])
  },

  signature(specimen, dice) {
    const parts = holdersIn(specimen).flatMap(({ message }) => partsOf(message) ?? [])
    const signed = parts.filter(isFields).filter(({ signature }) => typeof signature === 'string')
    if (signed.length === 0) return
    const thinking = dice.pick(signed)
    const whole = String(thinking.signature)
    const cut = [undefined, '', whole.slice(0, 61), whole.slice(0, 24), `${whole.slice(0, 80)}...`, 'reasoning_content']
    const left = dice.pick(cut)
    if (left === undefined) delete thinking.signature
    else thinking.signature = left
  },

  halfPair(specimen, dice) {
    const found = someMessage(specimen, dice)
    if (found) setText(found.message, `~u8${dice.roll(1e9)}~ cut \ud83d`, dice)
  },

  images(specimen, dice) {
    const found = someMessage(specimen, dice, 'user')
    const parts = found && partsOf(found.message)
    const all = holdersIn(specimen).flatMap(({ message }) => partsOf(message) ?? [])
    const image = all.find((part) => isFields(part) && (part.type === 'image' || part.type === 'image_url'))
    if (!parts || !image) return
    for (let i = 0; i < 4; i++) parts.push(copy(image))
  },

  wrongRole(specimen, dice) {
    const found = someMessage(specimen, dice)
    const isBare = found && found.message.role !== 'tool' && slotsOf(found).length === 0
    const roles = specimen.shape === 'gemini' ? ['user', 'model'] : ['user', 'assistant']
    if (isBare) found.message.role = dice.pick(roles)
  },
}
