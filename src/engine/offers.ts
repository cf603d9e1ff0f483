import type { Format } from '../formats/format.ts'
import type { Document } from '../model/document.ts'
import type { Finding } from '../model/finding.ts'
import { isRecordOperation } from './record-operations.ts'

/** Rounds after which what is still in the way of others is taken for possible. */
const ROUNDS = 10

/**
 * The findings whose repair the format cannot write down: an export that nothing reads back, two messages that differ in what
 * they bear beside their content. An editor that has taken nothing yet and refuses, refuses for good; behind something that it took,
 * the repair may only have to wait for the next round.
 */
export function refused(findings: readonly Finding[], document: Document, format: Format): ReadonlySet<Finding> {
  const impossible = new Set<Finding>()
  let pending = findings.filter(({ repair }) => repair?.operations.some((operation) => !isRecordOperation(operation)))
  for (let round = 0; pending.length > 0 && round < ROUNDS; round++) {
    const editor = format.editor(document)
    const waiting: Finding[] = []
    let isFresh = true
    for (const finding of pending) {
      const own = finding.repair!.operations.filter((operation) => !isRecordOperation(operation))
      if (editor.apply(own)) isFresh = false
      else if (isFresh) impossible.add(finding)
      else waiting.push(finding)
    }
    pending = waiting
  }
  return impossible
}
