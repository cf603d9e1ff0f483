import { Flag } from '../../model/blocks.ts'
import type { Document } from '../../model/document.ts'
import type { Operation } from '../../model/finding.ts'
import type { JsonChange } from '../../text/edit.ts'
import type { RecordEdit } from '../../text/records.ts'
import type { Json } from '../../text/view.ts'
import type { Editor } from '../format.ts'
import { TreeEditor } from '../tree-editor.ts'
import type { NewRecord, TreeFormat } from '../tree-format.ts'
import { copilot } from './dialect.ts'

/** Puts the operations of repairs into the events of a session of GitHub Copilot CLI. */
export class CopilotEditor implements Editor {
  readonly #tree: TreeEditor
  /** Results that become messages of the user: there the type of the event changes as well. */
  readonly #retyped = new Map<number, JsonChange[]>()

  constructor(document: Document) {
    this.#tree = new TreeEditor(document, copilotTree)
  }

  apply(operations: readonly Operation[]): boolean {
    const [only, ...others] = operations
    if (only?.do !== 'replace-block' || !only.block.is(Flag.wholeMessage)) return this.#tree.apply(operations)
    const { record } = only.block.entry
    if (others.length > 0 || this.#retyped.has(record)) return false
    this.#retyped.set(record, [
      { op: 'set', path: ['type'], value: 'user.message' },
      { op: 'set', path: ['data'], value: { content: only.text, attachments: [] } },
    ])
    return true
  }

  edits(): RecordEdit[] {
    const edits = this.#tree.edits().map((edit): RecordEdit => {
      const changes = this.#retyped.get(edit.edit === 'json' ? edit.record : -1)
      if (edit.edit !== 'json' || !changes) return edit
      this.#retyped.delete(edit.record)
      return { ...edit, changes: [...edit.changes, ...changes] }
    })
    return [
      ...edits,
      ...Array.from(this.#retyped, ([record, changes]): RecordEdit => ({ edit: 'json', record, changes })),
    ]
  }
}

const copilotTree: TreeFormat = {
  dialect: copilot,
  idKey: 'id',
  parentKey: 'parentId',
  makeId: uuidOf,
  paths: ({ chain }) => [chain?.path ?? []],
  mayLead: ({ kind }) => kind !== 'damaged',
  build,
  timeOf(record) {
    const time = Date.parse(record.get('timestamp')?.string() ?? '')
    return Number.isNaN(time) ? undefined : time
  },
}

/** A hash in the shape of a UUID of version 4, which every event has. */
function uuidOf(hash: string): string {
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `4${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`]
  return [...parts, hash.slice(20, 32)].join('-')
}

/** The members of a new event come in the order in which its neighbour has them. */
function build({ message, role, like, id, parent, time }: NewRecord): Json {
  const data = message as { readonly [key: string]: Json }
  const near = like.get('data')?.get('parentToolCallId')
  const event: Record<string, Json> = {}
  for (const [key, value] of like.members()) {
    if (key === 'type') event[key] = 'toolCallId' in data ? 'tool.execution_complete' : `${role}.message`
    else if (key === 'data')
      event[key] = { ...extras(role, id, data), ...(near ? { parentToolCallId: near.verbatim() } : {}) }
    else if (key === 'id') event[key] = id
    else if (key === 'parentId') event[key] = parent
    else if (key === 'timestamp') event[key] = time === undefined ? value.verbatim() : new Date(time).toISOString()
    else if (key === 'agentId') event[key] = value.verbatim()
  }
  return event
}

function extras(role: NewRecord['role'], id: string, data: { readonly [key: string]: Json }): { [key: string]: Json } {
  if ('toolCallId' in data) return { ...data }
  return role === 'user' ? { ...data, attachments: [] } : { messageId: id, ...data, toolRequests: [] }
}
