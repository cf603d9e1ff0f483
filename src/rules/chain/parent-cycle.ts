import type { ChainBreak } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'
import { at, chainSeverity, lineOf } from './chain.ts'

interface Cycle extends Match {
  readonly broken: ChainBreak
}

export const parentCycle = rule<Cycle>({
  name: 'parent-cycle',
  family: 'chain',
  phase: 'bytes',
  scope: 'document',
  severity: 'error',
  summary: 'The links from record to parent run in a ring',
  since: '0.1.0',
  errors: [],
  docs: {
    finds:
      'On the path from the last record to the first, a record whose parent is itself or one that the path has passed already. A ring that two records with one id close is a duplicate-record-id.',
    why: 'pi 1.6.0 runs out of memory and crashes, older versions hang; Qwen Code and older versions of Claude Code lose what the ring cuts off.',
    example:
      '{"type":"user","uuid":"u1","parentUuid":"a1","message":{"role":"user","content":"hi"}}\n{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"role":"assistant","content":"hello"}}',
    repair:
      'The record that closes the ring is linked to the nearest record before it that the path has not passed; where there is none it becomes the first one.',
    safety: 'Safe: nothing goes, and nothing but the link changes. Claude Code 2.1.332 reads the file in the same way.',
    sources: [
      'anthropics/claude-code CHANGELOG 2.1.30, 2.1.108',
      'observed with Claude Code 2.1.332, Qwen Code 0.24.4, pi 1.6.0',
    ],
  },
  *detect(document) {
    for (const broken of document.chain?.breaks ?? []) {
      if (broken.kind !== 'parent-cycle') continue
      const { entry, next } = broken
      yield {
        at: at(entry),
        broken,
        severity: chainSeverity(document, 'error'),
        ids: [document.ids.text(entry.parent)],
        related: next ? [{ at: at(next), message: 'the record before it' }] : [],
      }
    }
  },
  words: ({ broken: { entry } }, { document }) =>
    entry.id === entry.parent
      ? 'the record is its own parent'
      : `the parent of this record, ${document.ids.text(entry.parent)}, descends from it`,
  repair: ({ broken: { entry, next } }, { document }) => ({
    title: next ? `link it to ${lineOf(document, next)}` : 'make it the first record',
    safety: 'safe',
    loses: [],
    operations: [{ do: 'relink', entry, parent: next }],
  }),
})
