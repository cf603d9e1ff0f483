import type { HeaderFault } from '../../model/document.ts'
import type { Json, JsonView } from '../../text/view.ts'
import { lookup } from '../../text/view.ts'
import type { Skeleton } from '../format.ts'
import { factsOf } from './facts.ts'

/** Records that are asked for what the header said. */
const LOOKED_AT = 200

/** Whether a rollout lacks the header without which Codex does not load it, and what the other records say of it. */
export function headerFault(document: Skeleton): HeaderFault | undefined {
  let hasLines = false
  for (const entry of document.entries()) {
    if (factsOf(entry).line === 'header') return undefined
    hasLines ||= entry.kind !== 'damaged'
  }
  return hasLines ? rebuilt(document) : undefined
}

/** The header as the records tell of it: at least the thread's id and its folder have to stand in them. */
function rebuilt(document: Skeleton): HeaderFault {
  const said = new Map<string, Json>()
  let stamp: string | undefined
  let first: number | undefined
  const say = (key: string, value: Json | undefined): void => {
    if (value !== undefined && value !== null && value !== '' && !said.has(key)) said.set(key, value)
  }
  const order = document.records.order()
  for (let i = 0; i < Math.min(order.length, LOOKED_AT); i++) {
    for (const entry of document.entriesOf(order[i]!).slice(0, 1)) {
      const { fields, ordinal } = factsOf(entry)
      if (fields && (fields.get('type') ?? 'session_meta') === 'session_meta') {
        stamp ??= textOf(fields.get('timestamp'))
        for (const [key, value] of fields) if (key.startsWith('payload.')) say(key.slice('payload.'.length), value)
      }
      first ??= ordinal
    }
    const view = document.records.view(order[i]!)
    stamp ??= view?.get('timestamp')?.string()
    const payload = view?.get('payload')
    if (payload) tell(payload, say)
  }
  const unsaid = [
    ...(said.has('id') ? [] : ['the id of the thread (Codex ends the name of the file with it)']),
    ...(said.has('cwd') ? [] : ['its folder']),
    ...(stamp === undefined ? ['when it began'] : []),
  ].join(' and ')
  if (stamp === undefined || unsaid !== '') return { value: undefined, unsaid }
  say('timestamp', stamp)
  // These have to be there, and nothing in the other records speaks of them.
  say('originator', 'unknown')
  say('cli_version', '0.0.0')
  if (first !== undefined) say('history_mode', 'paginated')
  const ordinal = first === undefined ? {} : { ordinal: Math.max(first - 1, 0) }
  return {
    value: { timestamp: stamp, ...ordinal, type: 'session_meta', payload: Object.fromEntries(said) },
    unsaid,
  }
}

function tell(payload: JsonView, say: (key: string, value: Json | undefined) => void): void {
  say('id', payload.get('thread_id')?.string())
  say('session_id', payload.get('session_id')?.string())
  say('cwd', payload.get('cwd')?.string() ?? lookup(payload, ['thread_settings', 'cwd'])?.string())
  say('model_provider', lookup(payload, ['thread_settings', 'model_provider_id'])?.string())
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
