import type { ChainBreak, Conversation, Document, Entry } from '../../model/document.ts'
import type { Id } from '../../text/ids.ts'
import { type Match, rule } from '../rule.ts'
import { at, chainSeverity, lineOf } from './chain.ts'

interface Missing extends Match {
  readonly broken: ChainBreak
}

export const missingParent = rule<Missing>({
  name: 'missing-parent',
  family: 'chain',
  phase: 'bytes',
  scope: 'document',
  severity: 'error',
  summary: 'A record hangs on one that is not in the file',
  since: '0.1.0',
  errors: [{ text: 'No conversation found with session ID' }],
  docs: {
    finds:
      'On the path from the last record to the first, a record whose parent is nowhere in the file although others stand before it. A first record whose parent lies in another file is not accused, nor are branches that were left.',
    why: 'The parent was never written, or its line was lost. Qwen Code, pi and readers of Claude Code sessions such as its own SDK stop there and silently leave out everything before.',
    example:
      '{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"hi"}}\n{"type":"assistant","uuid":"a1","parentUuid":"gone","message":{"role":"assistant","content":"hello"}}',
    repair:
      'The record is linked to the nearest record before it that belongs to the conversation. Where the lost record was the result of a call, the error result that takes its place gets its id instead.',
    safety: 'Safe: nothing goes, and nothing but the link changes. Claude Code reads the file in the same way.',
    sources: [
      'anthropics/claude-code#22526',
      'anthropics/claude-code#46603',
      'QwenLM/qwen-code#6501',
      'observed with Claude Code 2.1.332, Qwen Code 0.24.4, pi 1.6.0',
    ],
  },
  *detect(document) {
    for (const broken of document.chain?.breaks ?? []) {
      if (broken.kind !== 'missing-parent') continue
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
  words: ({ broken: { entry } }, { document }) => {
    const where = `the record hangs on ${document.ids.text(entry.parent)}, which is not in the file`
    return awaitsResult(entry, document) ? `${where}: it may have been the result that is missing` : where
  },
  repair: ({ broken: { entry, next } }, { document }) =>
    awaitsResult(entry, document)
      ? undefined
      : {
          title: next ? `link it to ${lineOf(document, next)}` : 'make it the first record',
          safety: 'safe',
          loses: [],
          operations: [{ do: 'relink', entry, parent: next }],
        },
})

/** Whether a call right before the break has no result: then the lost record was that result, and answering mends both. */
function awaitsResult(entry: Entry, document: Document): boolean {
  const [conversation] = document.conversations
  const at = conversation && placesIn(conversation).get(entry)
  if (!at) return false
  const { messages } = conversation
  // The results of the turn before, the broken record's own message included.
  const answered = new Set<Id>()
  for (let i = at - (messages[at]!.role === 'assistant' ? 1 : 0); i >= 0; i--) {
    const { role, blocks } = messages[i]!
    if (role === 'assistant') return blocks.some(({ kind, id }) => kind === 'tool-call' && !answered.has(id))
    for (const { kind, id } of blocks) if (kind === 'tool-result') answered.add(id)
  }
  return false
}

const places = new WeakMap<Conversation, Map<Entry, number>>()

/** Which message of a conversation each of its records is part of. */
function placesIn(conversation: Conversation): ReadonlyMap<Entry, number> {
  let known = places.get(conversation)
  if (!known) {
    known = new Map()
    for (const [i, { entries }] of conversation.messages.entries()) for (const entry of entries) known.set(entry, i)
    places.set(conversation, known)
  }
  return known
}
