import type { Document, Entry } from '../../model/document.ts'
import type { Place, Severity } from '../../model/finding.ts'

/** The record that an entry stands for, as a place. */
export const at = (entry: Entry): Place => ({ record: entry.record })

/** Nobody resumes a file that holds subagents' conversations only. */
export function chainSeverity(document: Document, severity: Severity): Severity {
  return document.conversations.some(({ role }) => role === 'main') ? severity : 'info'
}

/** Line of an entry, for words. */
export function lineOf(document: Document, entry: Entry): string {
  return `line ${document.records.line(entry.record)}`
}
