import { createHash } from 'node:crypto'
import { type Block, Flag } from '../model/blocks.ts'
import type { Document } from '../model/document.ts'
import type { Loss, Repair } from '../model/finding.ts'
import { masked } from '../model/secrets.ts'
import { closeDocument } from '../text/close-document.ts'
import { type JsonView, lookup, type Path } from '../text/view.ts'
import type { Origins } from './origins.ts'

/** Something that a repair took out of the conversation: enough to find it again in the backup. */
export interface Removal {
  readonly kind: Loss
  readonly bytes: number
  readonly sha256: string
  readonly excerpt: string
}

/** Characters of a removed text that a report shows. */
const EXCERPT = 60

/** What the operations of a repair take out, read before they are made: the bytes as they stood in the file, where they are still to be found there. */
export function removals(repair: Repair, document: Document, origins: Origins): Removal[] {
  if (repair.loses.length === 0) return []
  const removed: Removal[] = []
  const kind = repair.loses[0]!
  for (const operation of repair.operations) {
    if (operation.do === 'remove-block' || operation.do === 'replace-block')
      removed.push(ofBlock(kind, operation.block, document, origins))
    else if (operation.do === 'remove-message' || operation.do === 'drop-entry') {
      const { blocks, entries } = operation.do === 'drop-entry' ? operation.entry : operation.message
      if (operation.do === 'drop-entry' && blocks.length === 0)
        removed.push(ofRecord(kind, operation.entry.record, document))
      // What says nothing goes for what else stands in it.
      else if (blocks.every((block) => block.is(Flag.empty | Flag.blank)))
        for (const { record, path } of entries) removed.push(ofPlace(kind, record, path, document, origins))
      else for (const block of blocks) removed.push(ofBlock(kind, block, document, origins))
    } else if (operation.do === 'change-entry') {
      const { entry, changes } = operation
      for (const { op, path } of changes) {
        if (op === 'remove') removed.push(ofPlace(kind, entry.record, [...entry.path, ...path], document, origins))
      }
    } else if (operation.do === 'cut-record') removed.push(ofRecord(kind, operation.record, document))
    else if (operation.do === 'rewrite-record' && operation.how === 'close-document')
      removed.push(ofTail(kind, operation.record, document))
  }
  return removed
}

/** A block: its bytes, and what it says. */
function ofBlock(kind: Loss, block: Block, document: Document, origins: Origins): Removal {
  return removal(kind, bytesAt(block.entry.record, block.path, document, origins), saying(block, document))
}

/** A field: its bytes, and what it says. */
function ofPlace(kind: Loss, record: number, path: Path, document: Document, origins: Origins): Removal {
  return removal(kind, bytesAt(record, path, document, origins), viewAt(record, path, document)?.peek(EXCERPT))
}

function ofRecord(kind: Loss, record: number, { records }: Document): Removal {
  return removal(kind, Buffer.from(records.original(record)?.bytes ?? records.bytes(record) ?? []))
}

/** What stands behind the last whole message of a document that ends in the middle. */
function ofTail(kind: Loss, record: number, document: Document): Removal {
  const bytes = document.records.bytes(record) ?? new Uint8Array()
  return removal(kind, bytes.subarray(closeDocument(bytes)?.keep ?? bytes.length))
}

/** The words of a text or a result, the type of an image; of other blocks there is nothing better than their JSON. */
function saying(block: Block, document: Document): string | undefined {
  if (block.kind === 'media') return document.ids.text(block.name) || undefined
  const parts = block.kind === 'tool-result' && block.content.length > 0 ? block.content : [block]
  return parts.map((part) => words(part, document)).find((text) => text !== undefined)
}

function words(block: Block, document: Document): string | undefined {
  const record = document.records.view(block.entry.record)
  const view = record && lookup(record, block.path)
  const value = view?.kind === 'object' ? (view.get('text') ?? view.get('content')) : view
  return value?.kind === 'string' ? value.peek(EXCERPT) : undefined
}

/** The bytes as they were read; where they are nowhere in the file, as they are now. */
function bytesAt(record: number, path: Path, document: Document, origins: Origins): Uint8Array {
  return written(origins.viewOf(record, path) ?? viewAt(record, path, document))
}

function viewAt(record: number, path: Path, document: Document): JsonView | undefined {
  const whole = document.records.view(record)
  return whole && lookup(whole, path)
}

function written(view: JsonView | undefined): Uint8Array {
  const { text, value } = view?.verbatim() ?? { text: undefined, value: undefined }
  return text ?? Buffer.from(JSON.stringify(value) ?? '')
}

function removal(kind: Loss, bytes: Uint8Array, words?: string): Removal {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const text = words ?? Buffer.from(bytes.subarray(0, EXCERPT * 4)).toString('utf8')
  return { kind, bytes: bytes.length, sha256, excerpt: masked(text).slice(0, EXCERPT) }
}
