import { cleaned } from '../../model/base64.ts'
import type { Document } from '../../model/document.ts'
import type { Operation } from '../../model/finding.ts'
import type { MediaBlock } from '../../model/media.ts'
import type { JsonChange } from '../../text/edit.ts'
import { lookup } from '../../text/view.ts'

/** Writes a medium anew: its declared type, its base64 cleaned where it was not clean. What it shows stays as it is. */
export function recode(document: Document, block: MediaBlock, type: string): Operation {
  const { entry, medium } = block
  const changes: JsonChange[] = []
  if (medium.type && type !== document.ids.text(block.name)) changes.push({ op: 'set', path: medium.type, value: type })
  if (medium.isUrl || medium.state === 'unclean') {
    const record = document.records.view(entry.record)
    const stored = record && lookup(record, [...entry.path, ...medium.data])?.string()
    const base64 = cleaned(stored ?? '')
    changes.push({ op: 'set', path: medium.data, value: medium.isUrl ? `data:${type};base64,${base64}` : base64 })
  }
  return { do: 'change-entry', entry, changes }
}
