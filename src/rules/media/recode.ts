import { cleaned } from '../../model/base64.ts'
import type { Document } from '../../model/document.ts'
import type { Operation } from '../../model/finding.ts'
import type { MediaBlock } from '../../model/media.ts'
import type { JsonChange } from '../../text/edit.ts'
import { lookup } from '../../text/view.ts'

/** Writes a medium anew: its declared type, its base64 cleaned where it was not clean, each where it belongs. What it shows stays as it is. */
export function recode(document: Document, block: MediaBlock, type: string): Operation {
  const { entry, medium } = block
  const base64 = (): string => {
    const record = document.records.view(entry.record)
    return cleaned((record && lookup(record, [...entry.path, ...medium.data])?.string()) ?? '')
  }
  if (medium.anew) return { do: 'change-entry', entry, changes: medium.anew(type, base64()) }
  const changes: JsonChange[] = []
  if (medium.type && type !== document.ids.text(block.name)) changes.push({ op: 'set', path: medium.type, value: type })
  if (medium.isUrl || medium.state === 'unclean') {
    const plain = base64()
    changes.push({ op: 'set', path: medium.data, value: medium.isUrl ? `data:${type};base64,${plain}` : plain })
  }
  return { do: 'change-entry', entry, changes }
}
