import { type Fields, isFields, type Value } from '../generate/json.ts'
import type { Specimen } from '../generate/specimen.ts'

/** A stored message and the list that it, or the record with it, is an item of. */
export interface Holder {
  readonly owner: Fields[]
  readonly record: Fields
  readonly message: Fields
}

/** A call or a result in a message. */
export interface Slot {
  readonly kind: 'call' | 'result'
  readonly holder: Holder
  /** The list that the part is an item of; undefined where it is the whole message. */
  readonly list: Value[] | undefined
  readonly item: Fields
  /** Where its id stands. */
  readonly named: Fields
  readonly key: string
}

export function holdersIn({ records, layout }: Specimen): Holder[] {
  const owners = layout === 'rows' ? records.map((row) => row.messages as Fields[]) : [records]
  return owners.flatMap((owner) =>
    owner.flatMap((record) => {
      if ('role' in record) return [{ owner, record, message: record }]
      return isFields(record.message) ? [{ owner, record, message: record.message }] : []
    }),
  )
}

/** The blocks of a message. */
export function partsOf(message: Fields): Value[] | undefined {
  const list = message.parts ?? message.content
  return Array.isArray(list) ? list : undefined
}

export function slotsIn(specimen: Specimen): Slot[] {
  return holdersIn(specimen).flatMap((holder) => slotsOf(holder))
}

export function slotsOf(holder: Holder): Slot[] {
  const { message } = holder
  if (message.role === 'tool') {
    return [{ kind: 'result', holder, list: undefined, item: message, named: message, key: 'tool_call_id' }]
  }
  const slots: Slot[] = []
  for (const list of [partsOf(message), message.tool_calls]) {
    if (!Array.isArray(list)) continue
    for (const item of list) {
      if (!isFields(item)) continue
      const { functionCall, functionResponse } = item
      if (item.type === 'tool_use' || item.type === 'function') {
        slots.push({ kind: 'call', holder, list, item, named: item, key: 'id' })
      } else if (item.type === 'tool_result') {
        slots.push({ kind: 'result', holder, list, item, named: item, key: 'tool_use_id' })
      } else if (isFields(functionCall))
        slots.push({ kind: 'call', holder, list, item, named: functionCall, key: 'id' })
      else if (isFields(functionResponse)) {
        slots.push({ kind: 'result', holder, list, item, named: functionResponse, key: 'id' })
      }
    }
  }
  return slots
}

/** Takes a record out; with `relink` what hangs on it is hung on its parent, as a careful program would. */
export function takeOut(specimen: Specimen, holder: Pick<Holder, 'owner' | 'record'>, relink: boolean): void {
  const at = holder.owner.indexOf(holder.record)
  if (at >= 0) holder.owner.splice(at, 1)
  const { uuid, parentUuid } = holder.record
  if (!relink || uuid === undefined) return
  for (const record of specimen.records) if (record.parentUuid === uuid) record.parentUuid = parentUuid ?? null
}

/** Takes a call or a result out; a message that is left with nothing goes, too. */
export function takeSlot(specimen: Specimen, { holder, list, item }: Slot, relink: boolean): void {
  if (list) list.splice(list.indexOf(item), 1)
  if (list === holder.message.tool_calls && list?.length === 0) delete holder.message.tool_calls
  const isLeft = (partsOf(holder.message)?.length ?? (holder.message.content ? 1 : 0)) > 0
  if (list && (isLeft || holder.message.tool_calls !== undefined)) return
  takeOut(specimen, holder, relink)
}
