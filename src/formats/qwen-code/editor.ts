import { gemini } from '../../dialects/gemini.ts'
import { storedId } from '../../dialects/unnamed.ts'
import { type Block, Flag } from '../../model/blocks.ts'
import type { Document, Entry, Message } from '../../model/document.ts'
import type { Operation } from '../../model/finding.ts'
import type { RecordEdit } from '../../text/records.ts'
import { type Json, type JsonView, lookup, type Path } from '../../text/view.ts'
import type { Editor } from '../format.ts'
import { inventedUuid } from '../invented.ts'
import { isSame } from './chain.ts'
import { Inside } from './inside.ts'
import { Inventor } from './invent.ts'
import { LinkEdits, type Node } from './links.ts'
import { COMPRESSED, factsOf } from './records.ts'

const COMPLETED: Path = ['systemPayload', 'completedToolCallIds']
const START: Path = ['systemPayload', 'startExclusiveRecordUuid']

/** Whether a stored message is one of the history that a compression put in the place of the older records. */
const isCompressed = (entry: Entry): boolean => entry.path.length > 1

const isResult = (block: Block): boolean => block.kind === 'tool-result'

/** How many results a message begins with. */
function leading(entry: Entry): number {
  const end = entry.blocks.findIndex((block) => !isResult(block))
  return end < 0 ? entry.blocks.length : end
}

/**
 * Edits Qwen Code sessions. A message is a record of its own, linked by `parentUuid`, or an item of the compressed history that
 * a `chat_compression` record holds. Results are records of their own, as the client writes them.
 */
export class QwenEditor implements Editor {
  readonly #document: Document
  readonly #links: LinkEdits
  readonly #inventor: Inventor
  readonly #inside: Inside
  /** Behind which result the next one of a turn comes, by the last record of the turn. */
  readonly #answers = new Map<Entry, Node>()
  #places: Map<Entry, { readonly messages: readonly Message[]; readonly index: number }> | undefined

  constructor(document: Document) {
    this.#document = document
    this.#links = new LinkEdits(document)
    this.#inventor = new Inventor(document, this.#links)
    this.#inside = new Inside(document.records)
  }

  apply(operations: readonly Operation[]): boolean {
    this.#links.begin()
    this.#inside.begin()
    const answers = new Map(this.#answers)
    if (operations.every((operation) => this.#do(operation))) return true
    this.#links.rollBack()
    this.#inside.rollBack()
    this.#answers.clear()
    for (const [turn, node] of answers) this.#answers.set(turn, node)
    return false
  }

  #do(operation: Operation): boolean {
    switch (operation.do) {
      case 'answer':
        return this.#answer(operation.call, operation.text)
      case 'move-result':
        return this.#moveResult(operation.result, operation.call)
      case 'merge-result':
        return this.#mergeResults(operation.from, operation.into)
      case 'remove-block':
        return this.#removeBlock(operation.block)
      case 'replace-block':
        return this.#set(operation.block.entry, operation.block.tail, gemini.text(operation.text))
      case 'results-first':
        return this.#resultsFirst(operation.message)
      case 'insert-message':
        return this.#insertBefore(operation.before.entries[0]!, operation.role, operation.text)
      case 'remove-message':
        return operation.message.entries.every((entry) => this.#remove(entry))
      case 'fill-message':
        return this.#set(operation.message.entries[0]!, ['parts'], [gemini.text(operation.text)])
      case 'rename-id':
        return this.#renameId(operation.block, operation.id)
      case 'set-input':
        return this.#set(operation.block.entry, gemini.inputPath(operation.block), operation.value)
      case 'relink': {
        const node = this.#links.node(operation.entry.id)
        if (node) this.#links.link(node, operation.parent?.id ?? 0)
        return node !== undefined
      }
      case 're-id':
        return this.#giveOwnId(operation.entry)
      case 'drop-entry':
        return this.#remove(operation.entry)
      case 'change-entry':
        return operation.changes.every((change) => {
          const { entry } = operation
          return (
            !this.#links.isRemoved(entry) &&
            this.#inside.change(entry.record, { ...change, path: [...entry.path, ...change.path] })
          )
        })
      default:
        return false
    }
  }

  edits(): RecordEdit[] {
    const { uuids, removed, inserted, last } = this.#links.result()
    for (const { entry, key, value } of uuids) this.#inside.change(entry.record, { op: 'set', path: [key], value })
    this.#retargetCheckpoints(removed)
    const gone = new Set(removed.map(({ record }) => record))
    const edits: RecordEdit[] = []
    for (const [record, changes] of this.#inside.all()) {
      if (record !== last?.entry.record && !gone.has(record)) edits.push({ edit: 'json', record, changes })
    }
    for (const record of gone) edits.push({ edit: 'remove', record })
    for (const { after, value } of inserted) edits.push({ edit: 'insert', after, value })
    if (last) {
      const { record } = last.entry
      edits.push(
        { edit: 'remove', record },
        { edit: 'insert', after: last.after, value: this.#inside.rewritten(record) },
      )
    }
    return edits
  }

  #answer(call: Block, text: string): boolean {
    const { ids } = this.#document
    const id = ids.text(call.id)
    const part = gemini.result({ id, name: ids.text(call.name) }, text)
    return this.#putResult(call, part, { callId: storedId(id), status: 'error', resultDisplay: text })
  }

  #moveResult(result: Block, call: Block): boolean {
    const { entry } = result
    const stored = this.#view(result)
    if (!stored) return false
    const node = this.#links.node(entry.id)
    if (!isCompressed(entry) && !isCompressed(call.entry) && entry.blocks.length === 1 && node?.entries.length === 1) {
      const place = this.#placeBehind(call, entry)
      if (place && 'node' in place) {
        this.#links.move(node, place.node)
        this.#answers.set(place.turn, node)
        return true
      }
    }
    const id = this.#document.ids.text(call.id)
    const status = result.is(Flag.error) ? 'error' : 'success'
    return this.#removeBlock(result) && this.#putResult(call, stored.verbatim(), { callId: storedId(id), status })
  }

  /** Puts a result behind those of the call's turn. */
  #putResult(call: Block, part: Json, toolCallResult: Json): boolean {
    if (isCompressed(call.entry)) return this.#putCompressed(part, call.entry)
    const place = this.#placeBehind(call, undefined)
    if (!place) return false
    if ('entry' in place) return this.#insertPart(place.entry, leading(place.entry), part)
    const message = gemini.message('user', [part])
    const salt = `result ${this.#document.ids.text(call.id)}`
    const node = this.#inventor.put({ type: 'tool_result', message, toolCallResult, salt }, place.node)
    if (node) this.#answers.set(place.turn, node)
    return node !== undefined
  }

  /** Where the next result of a turn belongs: behind a record, or inside one in which other parts follow the results. */
  #placeBehind(
    call: Block,
    except: Entry | undefined,
  ): { readonly node: Node; readonly turn: Entry } | { readonly entry: Entry } | undefined {
    const { messages, index } = this.#placeOf(call.entry)
    const turn = messages[index]!.entries.at(-1)!
    const known = this.#answers.get(turn)
    let last = turn
    const run = messages[index + 1]
    if (!known && run?.role === 'user') {
      for (const entry of run.entries) {
        if (entry === except || this.#links.isRemoved(entry)) continue
        const results = leading(entry)
        if (results === 0) break
        if (results < entry.blocks.length) return { entry }
        last = entry
      }
    }
    const node = known ?? this.#links.node(last.id)
    return node && (node.write || node.entries.length > 0) ? { node, turn } : undefined
  }

  #putCompressed(part: Json, call: Entry): boolean {
    const entries = this.#document.entriesOf(call.record)
    const next = entries[entries.indexOf(call) + 1]
    if (next?.role === 'user' && leading(next) > 0) return this.#insertPart(next, leading(next), part)
    const index = (call.path.at(-1) as number) + 1
    return this.#inside.change(call.record, {
      op: 'insert',
      path: COMPRESSED,
      index,
      value: gemini.message('user', [part]),
    })
  }

  #insertPart(entry: Entry, index: number, value: Json): boolean {
    if (this.#links.isRemoved(entry)) return false
    return this.#inside.change(entry.record, { op: 'insert', path: [...entry.path, 'parts'], index, value })
  }

  #set(entry: Entry, path: Path, value: Json): boolean {
    if (this.#links.isRemoved(entry)) return false
    return this.#inside.change(entry.record, { op: 'set', path: [...entry.path, ...path], value })
  }

  #removeBlock(block: Block): boolean {
    const { entry } = block
    if (isCompressed(entry) && !this.#complete(block, undefined)) return false
    if (entry.blocks.length === 1 && entry.blocks[0] === block) return this.#remove(entry)
    if (this.#links.isRemoved(entry)) return false
    return this.#inside.change(entry.record, { op: 'remove', path: block.path })
  }

  #remove(entry: Entry): boolean {
    if (isCompressed(entry)) return this.#inside.change(entry.record, { op: 'remove', path: entry.path })
    if (this.#inside.has(entry.record) || !this.#links.remove(entry)) return false
    // A checkpoint of an answer that is gone would only be in the way.
    if (this.#links.node(entry.id)!.entries.length > 0) return true
    return this.#checkpoints().every((each) => factsOf(each)!.answer !== entry.id || this.#links.remove(each))
  }

  #renameId(block: Block, id: string): boolean {
    const value = storedId(id)
    if (value === undefined || !this.#set(block.entry, gemini.idPath(block), value)) return false
    if (isCompressed(block.entry)) return this.#complete(block, value)
    const { record } = block.entry
    const shown = this.#document.records.view(record)?.get('toolCallResult')?.get('callId')
    if (!isResult(block) || shown?.string() !== this.#document.ids.text(block.id)) return true
    return this.#inside.change(record, { op: 'set', path: ['toolCallResult', 'callId'], value })
  }

  /** Keeps the list of completed calls of a compression right: an id changes in it or leaves it. */
  #complete(block: Block, value: string | undefined): boolean {
    const { record } = block.entry
    const view = this.#document.records.view(record)
    const list = view && lookup(view, COMPLETED)
    const id = this.#document.ids.text(block.id)
    let index = 0
    for (const item of list?.kind === 'array' ? list.items() : []) {
      const path = [...COMPLETED, index++]
      if (item.string() !== id) continue
      // A call and its result are renamed and removed one after the other, and both ask for the same.
      this.#inside.change(record, value === undefined ? { op: 'remove', path } : { op: 'set', path, value })
    }
    return true
  }

  #mergeResults(from: Block, into: Block): boolean {
    const target = this.#view(into)?.get('functionResponse')
    const source = this.#view(from)?.get('functionResponse')
    if (!target || !source) return false
    const texts = [this.#textOf(into), this.#textOf(from)].filter((text) => text !== '')
    const key = into.is(Flag.error) && from.is(Flag.error) ? 'error' : 'output'
    const path = [...into.tail, 'functionResponse']
    if (!this.#set(into.entry, [...path, 'response'], { [key]: texts.join('\n\n') })) return false
    const parts = [target, source].flatMap((each) =>
      Array.from(each.get('parts')?.items() ?? [], (part) => part.verbatim()),
    )
    if (parts.length > 0 && !this.#set(into.entry, [...path, 'parts'], parts)) return false
    return this.#removeBlock(from)
  }

  #textOf(block: Block): string {
    const message = this.#messageOf(block.entry)
    const content = message && gemini.load(message, block)
    if (content?.kind !== 'tool-result') return ''
    return content.content.flatMap((inner) => (inner.kind === 'text' ? [inner.text] : [])).join('\n')
  }

  /** Brings the results of a message before its other parts. */
  #resultsFirst(message: Message): boolean {
    const [home] = message.entries
    let last: Node | undefined
    let isLate = false
    for (const entry of message.entries) {
      const results = entry.blocks.filter(isResult)
      const node = isCompressed(entry) ? undefined : this.#links.node(entry.id)
      if (!isLate && results.length === entry.blocks.length) {
        last = node
        continue
      }
      if (isLate && results.length > 0 && results.length === entry.blocks.length && node && !isCompressed(home!)) {
        const anchor: Node | undefined = last ?? this.#links.node(this.#links.node(home!.id)!.parent)
        if (!anchor) return false
        this.#links.move(node, anchor)
        last = node
        continue
      }
      if (results.length > 0 && !(isLate ? this.#bringForward(results, home!) : this.#sort(entry))) return false
      isLate = true
    }
    return true
  }

  #bringForward(results: readonly Block[], home: Entry): boolean {
    return results.every((result) => {
      const part = this.#view(result)?.verbatim()
      return part !== undefined && this.#removeBlock(result) && this.#insertPart(home, leading(home), part)
    })
  }

  #sort(entry: Entry): boolean {
    if (leading(entry) === entry.blocks.filter(isResult).length) return true
    const parts = entry.blocks.map((block) => this.#view(block)?.verbatim() ?? null)
    const results = parts.filter((_, i) => isResult(entry.blocks[i]!))
    return this.#set(entry, ['parts'], [...results, ...parts.filter((_, i) => !isResult(entry.blocks[i]!))])
  }

  #insertBefore(entry: Entry, role: 'user' | 'assistant', text: string): boolean {
    const message = gemini.message(role, [gemini.text(text)])
    if (isCompressed(entry)) {
      const index = entry.path.at(-1) as number
      return this.#inside.change(entry.record, { op: 'insert', path: COMPRESSED, index, value: message })
    }
    const before = this.#links.node(entry.id)
    if (!before) return false
    const after = this.#links.node(before.parent)
    return this.#inventor.put({ type: role, message, salt: `${role} before` }, after, before) !== undefined
  }

  #giveOwnId(entry: Entry): boolean {
    const first = this.#links.node(entry.id)?.entries.find((each) => each !== entry)
    if (!first) return false
    // Of a mere copy nothing is lost.
    if (isSame(this.#document, first, entry)) return !this.#inside.has(entry.record) && this.#links.removeCopy(entry)
    const old = this.#document.ids.text(entry.id)
    this.#links.rename(
      entry,
      inventedUuid([old, 'own id'], (uuid) => this.#links.isTaken(uuid)),
    )
    return true
  }

  #checkpoints(): Entry[] {
    return [...this.#document.entries()].filter((entry) => factsOf(entry)?.subtype === 'branch_checkpoint')
  }

  /** A checkpoint that begins behind a record that is gone begins behind the one before it, as when Qwen Code forks a session. */
  #retargetCheckpoints(removed: readonly Entry[]): void {
    if (removed.length === 0) return
    for (const checkpoint of this.#checkpoints()) {
      const { start } = factsOf(checkpoint)!
      let node = this.#links.node(start)
      while (node && !node.write && node.entries.length === 0) node = this.#links.node(node.parent)
      if (start === 0 || node?.id === start || this.#links.isRemoved(checkpoint)) continue
      const value = node ? this.#document.ids.text(node.id) : null
      this.#inside.change(checkpoint.record, { op: 'set', path: START, value })
    }
  }

  #messageOf(entry: Entry): JsonView | undefined {
    const view = this.#document.records.view(entry.record)
    return view && lookup(view, entry.path)
  }

  #view(block: Block): JsonView | undefined {
    const message = this.#messageOf(block.entry)
    return message && lookup(message, block.tail)
  }

  #placeOf(entry: Entry): { readonly messages: readonly Message[]; readonly index: number } {
    if (!this.#places) {
      this.#places = new Map()
      for (const { messages } of this.#document.conversations) {
        for (const [index, message] of messages.entries()) {
          for (const each of message.entries) this.#places.set(each, { messages, index })
        }
      }
    }
    return this.#places.get(entry)!
  }
}
