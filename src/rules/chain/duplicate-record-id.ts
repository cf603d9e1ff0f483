import type { SharedId } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'
import { at, chainSeverity, lineOf } from './chain.ts'

interface Shared extends Match {
  readonly pair: SharedId
  /** How many records bear an id again without harm, where the match stands for all of them. */
  readonly copies: number
}

export const duplicateRecordId = rule<Shared>({
  name: 'duplicate-record-id',
  family: 'chain',
  phase: 'bytes',
  scope: 'document',
  severity: 'info',
  summary: 'Several records have one id',
  since: '0.1.0',
  errors: [],
  docs: {
    finds:
      'Records with the id of an earlier one. It is an error where the later record closes a ring or hides a message; the same record written again is only of note, and told once for the whole file.',
    why: 'Clients take the last record (Claude Code, pi) or the first one (Qwen Code) of an id. Copies do no harm; different records under one id take each other’s place in the conversation, or make the chain a ring.',
    example:
      '{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"hi"}}\n{"type":"assistant","uuid":"x","parentUuid":"u1","message":{"role":"assistant","content":"hello"}}\n{"type":"user","uuid":"u2","parentUuid":"x","message":{"role":"user","content":"and?"}}\n{"type":"assistant","uuid":"x","parentUuid":"u2","message":{"role":"assistant","content":"more"}}\n{"type":"user","uuid":"u3","parentUuid":"x","message":{"role":"user","content":"go on"}}',
    repair:
      'The later record gets an id of its own, and the records behind it in the file that hang on the old id hang on it. Mere copies are left as they are.',
    safety: 'Safe: no record goes; the order of the file tells which of the two a record meant.',
    sources: [
      'anthropics/claude-code#22245',
      'anthropics/claude-code#22178',
      'anthropics/claude-code#56196',
      'observed with Claude Code 2.1.332',
    ],
  },
  *detect(document) {
    const shared = document.chain?.shared ?? []
    const copies = shared.filter(({ effect }) => effect === 'same')
    for (const pair of shared) {
      const isFirstCopy = pair === copies[0]
      if (pair.effect === 'same' && !isFirstCopy) continue
      yield {
        at: at(pair.later),
        pair,
        copies: copies.length,
        severity: pair.effect === 'harmful' ? chainSeverity(document, 'error') : 'info',
        ids: [document.ids.text(pair.later.id)],
        related: [{ at: at(pair.first), message: 'the record with the same id' }],
      }
    }
  },
  words: ({ pair, copies }, { document }) => {
    const id = document.ids.text(pair.later.id)
    if (pair.effect === 'harmful')
      return `the record has the id ${id}, which another one has already, on ${lineOf(document, pair.first)}`
    return copies === 1
      ? `the record ${id} stands in the file twice`
      : `${copies} records are written again under the same ids, the first of them ${id}`
  },
  repair: ({ pair }) =>
    pair.effect === 'same'
      ? undefined
      : {
          title: 'give it an id of its own',
          safety: 'safe',
          loses: [],
          operations: [{ do: 're-id', entry: pair.later }],
        },
})
