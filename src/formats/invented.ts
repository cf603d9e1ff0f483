import { createHash } from 'node:crypto'
import type { Document } from '../model/document.ts'
import { lookup } from '../text/view.ts'

/** The `id` of every stored message that has one. It reads them all again: an editor asks once. */
export function storedIds(document: Document): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const { record, path } of document.entries()) {
    const view = document.records.view(record)
    const id = view && lookup(view, [...path, 'id'])?.string()
    if (id !== undefined) ids.add(id)
  }
  return ids
}

/**
 * An id for a record that convfix invents, in the form of a UUID: a hash of what it is made for, so that the same file gives
 * the same id, and another one when it is taken.
 */
export function inventedUuid(parts: readonly string[], isTaken: (uuid: string) => boolean): string {
  for (let counter = 0; ; counter++) {
    const hash = createHash('sha256')
      .update(JSON.stringify(['convfix', ...parts, counter]))
      .digest('hex')
    // Version 8 is the one for ids of an own making (RFC 9562).
    const uuid = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
    if (!isTaken(uuid)) return uuid
  }
}

/**
 * A time stamp one millisecond after another one and in its style (`Z` or an offset, three digits or six or none), but never
 * after `limit`. A time that cannot be read is used again as it is.
 */
export function laterStamp(stamp: string, limit: string | undefined): string {
  const time = Date.parse(stamp)
  if (Number.isNaN(time)) return stamp
  const bound = limit === undefined ? Number.NaN : Date.parse(limit)
  if (bound <= time + 1) return bound < time ? stamp : limit!
  const style = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:?\d\d)?$/.exec(stamp)
  if (!style) return new Date(time + 1).toISOString()
  // The clock is moved on as it stands there, in whatever zone it runs.
  const [, clock = '', fraction = '', zone = ''] = style
  const millis = Number(fraction.slice(0, 3).padEnd(3, '0')) + 1
  const next = new Date(Date.parse(`${clock.replace(' ', 'T')}Z`) + millis).toISOString()
  return `${next.slice(0, 10)}${clock[10]}${next.slice(11, 23)}${fraction.slice(3)}${zone}`
}
