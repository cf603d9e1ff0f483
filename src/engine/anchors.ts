import { createHash } from 'node:crypto'
import type { Entry } from '../model/document.ts'
import type { Finding } from '../model/finding.ts'
import { lookup } from '../text/view.ts'
import type { Transcript } from './transcript.ts'

type Anchored = Pick<Transcript, 'ids' | 'records'>

/**
 * What a finding hangs on: its rule, the id of its record, and the ids of the calls that it names. Where none of these has an id, a hash
 * of the message as it is stored. Never a line number or an index: a baseline has to hold while the session grows.
 */
export function anchorOf(finding: Finding, transcript: Anchored): string {
  const { at, where, ids, rule } = finding
  const entry = where?.message.entries.find((each) => each.record === at.record)
  const own = entry ? transcript.ids.text(entry.id) : ''
  const names = [...new Set([own, ...ids])].filter((name) => name !== '')
  if (names.length > 0) return `${rule} ${names.join(' ')}`
  const hash = entry && hashOf(transcript, entry)
  return hash === undefined ? rule : `${rule} #${hash}`
}

/** One message may have thousands of findings; an entry is read anew when its record changes. */
const hashes = new WeakMap<Entry, string>()

function hashOf({ records }: Anchored, entry: Entry): string | undefined {
  const known = hashes.get(entry)
  if (known !== undefined) return known
  const whole = records.view(entry.record)
  const view = whole && lookup(whole, entry.path)
  const bytes = records.bytes(entry.record)
  if (!view || !bytes || view.start < 0) return undefined
  const hash = createHash('sha256').update(bytes.subarray(view.start, view.end)).digest('hex').slice(0, 12)
  hashes.set(entry, hash)
  return hash
}

/** Those findings that a baseline knows: of each anchor as many as it names, the first ones first. */
export function suppressed(
  found: readonly Finding[],
  transcript: Anchored,
  baseline: ReadonlyMap<string, number> | undefined,
): ReadonlySet<Finding> {
  const known = new Set<Finding>()
  if (!baseline || baseline.size === 0) return known
  const left = new Map(baseline)
  for (const finding of found) {
    const anchor = anchorOf(finding, transcript)
    const count = left.get(anchor) ?? 0
    if (count === 0) continue
    left.set(anchor, count - 1)
    known.add(finding)
  }
  return known
}
