import { createHash } from 'node:crypto'
import type { FileReport, ReportedFinding } from '../model/report.ts'

/**
 * A name for each finding of a file that stays the same while the file grows: made of what the finding hangs on, not of lines. Findings
 * that hang on the same are counted.
 */
export function fingerprints({ path, findings }: FileReport): string[] {
  const seen = new Map<string, number>()
  return findings.map((finding) => {
    const hangsOn = [path, finding.rule, finding.anchor ?? anchorOf(finding)].join('\n')
    const count = seen.get(hangsOn) ?? 0
    seen.set(hangsOn, count + 1)
    return createHash('sha256').update(`${hangsOn}\n${count}`).digest('hex').slice(0, 32)
  })
}

function anchorOf({ conversation, ids, pointer, message }: ReportedFinding): string {
  return ids.length > 0 ? [conversation, ...ids].join(' ') : [conversation, pointer, message].join(' ')
}
