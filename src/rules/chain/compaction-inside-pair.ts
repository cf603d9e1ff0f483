import type { CompactionFault } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'
import { at, chainSeverity } from './chain.ts'

interface Inside extends Match {
  readonly fault: CompactionFault
}

export const compactionInsidePair = rule<Inside>({
  name: 'compaction-inside-pair',
  family: 'chain',
  phase: 'bytes',
  scope: 'document',
  severity: 'error',
  summary: 'A compaction stands between a call and its result',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: '`tool_use` ids were found without `tool_result` blocks immediately after' },
    { text: 'No tool output found for function call' },
  ],
  docs: {
    finds:
      'A compaction entry on the path between a tool call and its result, both of which are loaded. A result whose call lies before the newest compaction and is not kept is an orphan-tool-result.',
    why: 'The summary is sent between the call and its result, and the provider refuses the request, every time.',
    example:
      '{"type":"session","version":3,"id":"s1"}\n{"type":"message","id":"a1","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"ls","arguments":{}}]}}\n{"type":"compaction","id":"k1","parentId":"a1","summary":"So far: nothing.","firstKeptEntryId":"a1"}\n{"type":"message","id":"r1","parentId":"k1","message":{"role":"toolResult","toolCallId":"c1","toolName":"ls","content":[]}}',
    repair: 'The entry leaves the chain, and what hung on it hangs on what stood before it.',
    safety:
      'Safe: what the entry stands for is loaded itself. Its own text is named in the report and kept in the backup.',
    sources: ['earendil-works/pi#8667'],
  },
  *detect(document) {
    for (const fault of document.chain?.compactions ?? []) {
      if (fault.kind !== 'compaction-inside-pair') continue
      yield { at: at(fault.entry), fault, severity: chainSeverity(document, 'error') }
    }
  },
  words: ({ fault }) => fault.message,
  repair: ({ fault: { entry, drop } }) =>
    drop
      ? {
          title: 'remove the compaction from the chain',
          safety: 'safe',
          loses: ['text'],
          operations: [{ do: 'drop-entry', entry }],
        }
      : undefined,
})
