import { oddRows, RowKind } from '../../model/rows.ts'
import { rule } from '../rule.ts'
import { cutRecord } from './cut.ts'

export const tornRecord = rule({
  name: 'torn-record',
  family: 'file',
  phase: 'bytes',
  scope: 'document',
  severity: 'error',
  summary: 'A record is cut off or overwritten and does not parse',
  since: '0.1.0',
  errors: [],
  docs: {
    finds: 'A line of a JSONL session that is no JSON, or a JSON document that ends in the middle.',
    why: 'The agent was killed while it wrote, or the disk was full. Some clients skip the line and lose what it held; Qwen Code glues the next record to it and then loses the whole history before; a document that ends in the middle opens as an empty session.',
    example: '{"type":"user","uuid":"u1","message":{"role":"user","content":"hel',
    repair:
      'The torn bytes are cut and stay in the backup; records that hung on the torn one are linked to its parent. A document is cut behind its last whole message and closed.',
    safety: 'Safe: no client can read the torn bytes, and the backup keeps them.',
    sources: [
      'anthropics/claude-code#53821',
      'anthropics/claude-code#50347',
      'measured with Qwen Code 0.24.4',
      'cline/cline#954',
    ],
  },
  *detect(document) {
    const followers = new Set<number>()
    const rows = [...oddRows(document)]
    // A stub in front of a whole record on one line is told of there.
    for (const row of rows) if (row.kind === RowKind.record && row.gluedTo !== undefined) followers.add(row.gluedTo)
    for (const { record, kind } of rows) if (kind === RowKind.torn && !followers.has(record)) yield { at: { record } }
  },
  words: ({ at }, { document }) => {
    const bytes = document.records.bytes((at as { record: number }).record)?.length ?? 0
    return `the record is torn: its ${bytes} ${bytes === 1 ? 'byte is' : 'bytes are'} no JSON`
  },
  repair: ({ at }, { document }) => cutRecord((at as { record: number }).record, document),
})
