import { createHash } from 'node:crypto'
import type { Block } from '../model/blocks.ts'
import type { Document } from '../model/document.ts'
import type { Loss, Repair } from '../model/finding.ts'
import { lookup } from '../text/view.ts'

/** Something that a repair took out of the conversation: enough to find it again in the backup. */
export interface Removal {
  readonly kind: Loss
  readonly bytes: number
  readonly sha256: string
  readonly excerpt: string
}

/** Characters of a removed text that a report shows. */
const EXCERPT = 60

/** What the operations of a repair take out, read before they are made. */
export function removals(repair: Repair, document: Document): Removal[] {
  if (repair.loses.length === 0) return []
  const removed: Removal[] = []
  const kind = repair.loses[0]!
  for (const operation of repair.operations) {
    if (operation.do === 'remove-block' || operation.do === 'replace-block')
      removed.push(removal(kind, textOf(operation.block, document)))
    else if (operation.do === 'remove-message') {
      for (const block of operation.message.blocks) removed.push(removal(kind, textOf(block, document)))
    } else if (operation.do === 'cut-record')
      removed.push(removal(kind, Buffer.from(document.records.bytes(operation.record) ?? [])))
  }
  return removed
}

function textOf(block: Block, document: Document): Uint8Array {
  const record = document.records.view(block.entry.record)
  const view = record && lookup(record, block.path)
  const { text, value } = view?.verbatim() ?? { text: undefined, value: undefined }
  return text ?? Buffer.from(JSON.stringify(value) ?? '')
}

function removal(kind: Loss, bytes: Uint8Array): Removal {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return {
    kind,
    bytes: bytes.length,
    sha256,
    excerpt: Buffer.from(bytes.subarray(0, EXCERPT * 4))
      .toString('utf8')
      .slice(0, EXCERPT),
  }
}
