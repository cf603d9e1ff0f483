import type { NumberFault } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'
import { at } from './chain.ts'

interface Misnumbered extends Match {
  readonly fault: NumberFault
}

export const invalidOrdinal = rule<Misnumbered>({
  name: 'invalid-ordinal',
  family: 'chain',
  phase: 'bytes',
  scope: 'document',
  severity: 'error',
  summary: 'The number of a record repeats, falls or is missing',
  since: '0.1.0',
  errors: [{ text: 'final paginated rollout record is missing an ordinal' }],
  docs: {
    finds:
      'In a Codex session with numbered records: a number that an earlier record has, one that falls behind the one before, and a last record without a number. Gaps are legal, and so are sessions without any numbers.',
    why: 'Codex goes on from the number of the last record: without it the session cannot be resumed. Numbers that repeat or fall hide turns and whole threads from the desktop app; `codex resume` takes them.',
    example:
      '{"timestamp":"2026-10-01T10:00:00.000Z","ordinal":0,"type":"session_meta","payload":{"id":"01990000-0000-7000-8000-000000000001","cwd":"/work","history_mode":"paginated"}}\n{"timestamp":"2026-10-01T10:00:01.000Z","ordinal":0,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}}',
    repair:
      'The record gets the next number, and those behind it are shifted until a gap takes the shift up. Records are never moved.',
    safety: 'Safe: a number says nothing to the model.',
    sources: ['measured with Codex 0.171.0', 'openai/codex#35746', 'openai/codex#38341', 'openai/codex#44417'],
  },
  *detect(document) {
    for (const fault of document.numbering ?? []) {
      const match = { at: at(fault.entry), fault }
      yield fault.kind === 'missing' ? match : { ...match, severity: 'warning' }
    }
  },
  words: ({ fault: { kind } }) =>
    kind === 'missing'
      ? 'the last record has no ordinal'
      : kind === 'repeated'
        ? 'the record before has the same ordinal'
        : 'the ordinal is lower than that of the record before',
  repair: ({ fault: { numbers } }) => ({
    title:
      numbers.length === 1
        ? 'give it the next number'
        : `number ${numbers.length} records anew, beginning with this one`,
    safety: 'safe',
    loses: [],
    operations: numbers.map(({ entry, number }) => ({ do: 'renumber', entry, number })),
  }),
})
