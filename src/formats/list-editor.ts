import { type Block, Flag, toolKind } from '../model/blocks.ts'
import type { Entry, Message } from '../model/document.ts'
import type { Operation } from '../model/finding.ts'
import type { RecordEdit } from '../text/records.ts'
import type { Json, JsonView, Path } from '../text/view.ts'
import { lookup, type Verbatim } from '../text/view.ts'
import { MessageEditor } from './message-editor.ts'

/** A list of blocks that is being built, and the calls that a message keeps beside it. */
interface Growing {
  readonly content: Json[]
  readonly calls: Json[]
  /** How many results stand at the start of the list. */
  results: number
}

/**
 * Edits lists of messages that know no links: arrays, bodies, JSONL. A message is an item of a list inside a record, or a
 * record of its own; the difference is in {@link ListEditor.insertMessage} and {@link ListEditor.removeMessage} alone.
 */
export class ListEditor extends MessageEditor {
  readonly #records: RecordEdit[] = []
  readonly #removed = new Set<Entry>()
  /** Lists that are being built: later operations of the same round add to them. */
  readonly #growing = new Map<Entry, Growing>()
  readonly #invented = new Map<Entry | undefined, Json[]>()
  readonly #goneCalls = new Map<Entry, number>()
  #places: Map<Entry, { readonly messages: readonly Message[]; readonly index: number }> | undefined

  edits(): RecordEdit[] {
    return [...this.batch.edits(NONE), ...this.#records]
  }

  protected override plan(operation: Operation): boolean {
    switch (operation.do) {
      case 'answer': {
        const { ids } = this.document
        const { call } = operation
        const stored = (): JsonView | undefined => this.view(call)
        const named = { id: ids.text(call.id), name: ids.text(call.name), kind: toolKind(call), stored }
        return this.#place(this.dialect.result(named, operation.text), call)
      }
      case 'move-result':
        return this.#moveResult(operation.result, operation.call)
      case 'replace-block': {
        const { block, text } = operation
        const isOneOfSome = block.kind === 'tool-result' && block.entry.role === 'tool' && !block.is(Flag.wholeMessage)
        return isOneOfSome ? this.#besideResults(block, text) : super.plan(operation)
      }
      case 'results-first':
        return operation.message.entries.every((entry) => this.#resultsFirst(entry))
      case 'fold':
        return this.#fold(operation.from, operation.into)
      case 'insert-message': {
        const entry = operation.before.entries[0]!
        const text = this.dialect.text(operation.text, operation.role)
        return this.insertMessage(this.dialect.message(operation.role, [text]), entry, 0)
      }
      case 'append-message': {
        const text = this.dialect.text(operation.text, operation.role)
        const last = operation.behind.entries.at(-1)!
        return this.insertMessage(this.dialect.message(operation.role, [text]), last, 1)
      }
      case 'move-media':
        return this.#moveMedia(operation.media, operation.behind)
      case 'hoist-system':
        return this.#hoist(operation.message)
      default:
        return super.plan(operation)
    }
  }

  /** Media that a result may not hold become a message of the user; a result that held nothing else says where they are. */
  #moveMedia(media: readonly Block[], behind: Message): boolean {
    const { entry } = media[0]!
    const stored = media.map((block) => this.view(block)?.verbatim())
    if (stored.some((value) => value === undefined)) return false
    const parts = stored.filter((value) => value !== undefined)
    const isAll = entry.blocks.every((result) => result.content.every((inner) => media.includes(inner)))
    const note = this.dialect.text('[Image moved behind the results]', 'tool')
    return (
      media.every((block, i) =>
        this.change(
          entry,
          isAll && i === 0 ? { op: 'set', path: block.tail, value: note } : { op: 'remove', path: block.tail },
        ),
      ) && this.insertMessage(this.dialect.message('user', parts), behind.entries.at(-1)!, 1)
    )
  }

  protected isGone(entry: Entry): boolean {
    return this.#removed.has(entry)
  }

  /** Stages a new message before (`offset` 0) or behind (1) a stored one; one that is moved comes `from` an entry. */
  protected insertMessage(message: Json, beside: Entry, offset: 0 | 1, from?: Entry): boolean {
    const item = itemPath(beside)
    const index = item.at(-1)
    if (typeof index === 'number') {
      const list = item.slice(0, -1)
      return this.stage(beside.record, { op: 'insert', path: list, index: index + offset, value: message })
    }
    return this.insertRecord(message, beside, offset, from)
  }

  /** Stages a new record before (0) or behind (1) that of a stored message. */
  protected insertRecord(message: Json, beside: Entry, offset: 0 | 1, from?: Entry): boolean {
    const after = offset === 1 ? beside.record : this.#recordBefore(beside.record)
    this.later(() => this.#records.push({ edit: 'insert', after, value: this.envelope(message, beside, from) }))
    return true
  }

  /** What a format puts around a new message that is a record of its own. */
  protected envelope(message: Json, _beside: Entry, _from?: Entry): Json {
    return message
  }

  protected removeMessage(entry: Entry): boolean {
    if (this.#removed.has(entry)) return false
    this.later(() => this.#removed.add(entry))
    const item = itemPath(entry)
    if (item.length > 0) return this.stage(entry.record, { op: 'remove', path: item })
    if (this.batch.touches(entry.record)) return false
    this.later(() => this.#records.push({ edit: 'remove', record: entry.record }))
    return true
  }

  #recordBefore(record: number): number {
    const order = this.document.records.order()
    for (let i = 1; i < order.length; i++) if (order[i] === record) return order[i - 1]!
    return -1
  }

  protected remove(block: Block): boolean {
    const { entry } = block
    const same = entry.blocks.filter((each) => each.kind === block.kind && each.tail[0] === block.tail[0])
    if (block.is(Flag.wholeMessage) || (entry.blocks.length === 1 && entry.blocks[0] === block))
      return this.removeMessage(entry)
    if (block.is(Flag.wholeContent)) return this.change(entry, { op: 'set', path: block.tail, value: null })
    if (block.kind !== 'tool-call' || block.tail[0] !== 'tool_calls')
      return this.change(entry, { op: 'remove', path: block.tail })
    // An empty `tool_calls` is refused: the key goes with its last call.
    const gone = this.#goneCalls.get(entry) ?? 0
    if (same.length > 1 && gone + 1 === same.length) return false
    this.later(() => this.#goneCalls.set(entry, gone + 1))
    return this.change(entry, { op: 'remove', path: same.length === 1 ? ['tool_calls'] : block.tail })
  }

  #moveResult(result: Block, call: Block): boolean {
    const stored = this.view(result)
    if (!stored) return false
    const isOfKind = toolKind(result) === toolKind(call)
    const moved = isOfKind ? stored.verbatim() : this.dialect.resultOfKind?.(stored, toolKind(call))
    if (moved === undefined) return false
    if (this.dialect.results === 'own-messages' && !result.is(Flag.wholeMessage)) {
      return this.remove(result) && this.#place(this.dialect.message('tool', [moved]), call)
    }
    return this.remove(result) && this.#place(moved, call, result.entry)
  }

  /** Puts a result at the end of the run of results that follows the call's turn. */
  #place(result: Json, call: Block, from?: Entry): boolean {
    const { messages, index } = this.#placeOf(call.entry)
    let next = index + 1
    if (this.dialect.results !== 'in-user-messages') {
      // Calls that were made together stay together.
      if (this.dialect.results === 'own-items') while (isCall(messages[next])) next++
      while (messages[next]?.role === 'tool' && messages[next]!.blocks.some(isResult)) next++
      return this.insertMessage(result, messages[next - 1]!.entries.at(-1)!, 1, from)
    }
    // Where the provider joins assistant messages in a row into one turn, the results of all of them follow the last one.
    const isJoined = this.document.joinsTurns && !this.dialect.answersAtOnce
    while (isJoined && messages[next]?.role === 'assistant') next++
    const behind = messages[next - 1]!.entries.at(-1)!
    const isRun = (at: number): boolean =>
      messages[at]?.role === 'user' && messages[at].blocks[0]?.kind === 'tool-result'
    if (!this.dialect.answersAtOnce) while (isRun(next + 1) && messages[next]!.blocks.every(isResult)) next++
    const home = messages[next]
    if (home?.role === 'user' && (!this.dialect.resultsApart || isRun(next)))
      return this.#insertBlock(home.entries[0]!, result)
    return this.#inventMessage(result, behind)
  }

  #insertBlock(entry: Entry, block: Json): boolean {
    const list = this.message(entry)?.get(this.dialect.list)
    if (list?.kind === 'array') {
      let index = 0
      while (entry.blocks[index]?.kind === 'tool-result') index++
      return this.change(entry, { op: 'insert', path: [this.dialect.list], index, value: block })
    }
    const growing = this.#grow(entry, list?.kind === 'string' ? this.parts(list) : [])
    if (!growing) return false
    this.later(() => growing.content.splice(growing.results++, 0, block))
    return true
  }

  /** A user message for the answers of a turn that nobody answered; all answers of the turn go into one. */
  #inventMessage(result: Json, behind: Entry): boolean {
    const known = this.#invented.get(behind)
    if (known) {
      this.later(() => known.push(result))
      return true
    }
    const blocks: Json[] = [result]
    this.later(() => this.#invented.set(behind, blocks))
    return this.insertMessage(this.dialect.message('user', blocks), behind, 1)
  }

  /** The new content list of a message whose content is replaced as a whole in this round. */
  #grow(entry: Entry, start: Json[]): Growing | undefined {
    const known = this.#growing.get(entry)
    if (known) return known
    const fresh: Growing = { content: start, calls: [], results: 0 }
    if (!this.change(entry, { op: 'set', path: [this.dialect.list], value: fresh.content })) return undefined
    this.later(() => this.#growing.set(entry, fresh))
    return fresh
  }

  protected asUser(entry: Entry, text: string): boolean {
    if (this.dialect.results === 'own-items') {
      const written = this.dialect.text(text, 'user')
      return this.change(entry, { op: 'set', path: [], value: this.dialect.message('user', [written]) })
    }
    const result = this.message(entry)
    const named = ['tool_call_id', 'name'].filter((key) => result?.get(key))
    return (
      this.change(entry, { op: 'set', path: ['role'], value: 'user' }) &&
      this.change(entry, { op: 'set', path: [this.dialect.list], value: text }) &&
      named.every((key) => this.clear(entry, key))
    )
  }

  /** Stages the removal of a field that says nothing any more. */
  protected clear(entry: Entry, key: string): boolean {
    return this.change(entry, { op: 'remove', path: [key] })
  }

  /** Puts a text of the user in the place of a result that is one of several in its message. */
  #besideResults(result: Block, text: string): boolean {
    const { entry } = result
    const said = this.dialect.message('user', [this.dialect.text(text, 'user')])
    if (entry.blocks.length > 1) return this.remove(result) && this.insertMessage(said, entry, 1)
    return this.change(entry, { op: 'set', path: [], value: said })
  }

  #blocksOf(entry: Entry): Json[] {
    return this.parts(this.message(entry)?.get(this.dialect.list))
  }

  #fold(from: Message, into: Message): boolean {
    const source = from.entries[0]!
    const home = into.entries[0]!
    const message = this.message(source)
    if (!message || this.#growing.has(source)) return false
    if (!this.#isLabelledAlike(message, this.message(home))) return false
    const growing = this.#grow(home, this.#blocksOf(home))
    if (!growing) return false
    const added = this.#blocksOf(source)
    const leading = from.blocks.findIndex((block) => block.kind !== 'tool-result')
    const results = leading < 0 ? added.length : this.dialect.results === 'in-user-messages' ? leading : 0
    const homeResults = into.blocks.findIndex((block) => block.kind !== 'tool-result')
    this.later(() => {
      const at = growing.results || Math.max(homeResults, 0)
      growing.content.splice(at, 0, ...added.slice(0, results))
      growing.content.push(...added.slice(results))
      growing.results = at + results
    })
    for (const [key, value] of message.members()) {
      if (key === 'role' || key === this.dialect.list || value.kind === 'null') continue
      if (key === 'tool_calls') {
        if (!this.#foldCalls(home, growing.calls, value)) return false
      } else if (this.message(home)?.get(key)) {
        // Two values for one key cannot both stay; an equal one may go.
        if (!this.goesWithMessage(key) && !same(this.message(home)!.get(key)!, value)) return false
      } else if (!this.change(home, { op: 'set', path: [key], value: value.verbatim() })) return false
    }
    return this.removeMessage(source)
  }

  /** Makes a system message the field `system` of the body that holds the list. */
  #hoist(message: Message): boolean {
    const [entry] = message.entries
    const record = entry && this.document.records.view(entry.record)
    if (!record || entry.path.length < 2) return false
    const body = entry.path.slice(0, -2)
    const present = lookup(record, [...body, 'system'])
    const added = this.#blocksOf(entry)
    const said = this.message(entry)?.get(this.dialect.list)
    const value: Json = present ? [...this.parts(present), ...added] : (said?.verbatim() ?? added)
    return this.stage(entry.record, { op: 'set', path: [...body, 'system'], value }) && this.removeMessage(entry)
  }

  /** Whether a key only names or measures its message, and goes when that becomes a part of another one. */
  protected goesWithMessage(_key: string): boolean {
    return false
  }

  /** A label of a message (`weight`; in a data set whatever stands beside it) must not come to hold for another one. */
  #isLabelledAlike(message: JsonView, other: JsonView | undefined): boolean {
    const known = new Set(['role', this.dialect.list, 'tool_calls'])
    const isLabel = (key: string): boolean => (this.document.use === 'rows' ? !known.has(key) : key === 'weight')
    const labels = (of: JsonView | undefined): string[] =>
      Array.from(of?.members() ?? [], ([key]) => key).filter(isLabel)
    return [...labels(message), ...labels(other)].every((key) => {
      const [one, two] = [message.get(key), other?.get(key)]
      return one !== undefined && two !== undefined && same(one, two)
    })
  }

  #foldCalls(home: Entry, calls: Json[], more: JsonView): boolean {
    const added = Array.from(more.items(), (item) => item.verbatim())
    if (calls.length > 0) {
      this.later(() => calls.push(...added))
      return true
    }
    const present = this.message(home)?.get('tool_calls')
    const all = [...Array.from(present?.kind === 'array' ? present.items() : [], (item) => item.verbatim()), ...added]
    this.later(() => calls.push(...all))
    return this.change(home, { op: 'set', path: ['tool_calls'], value: calls })
  }

  #resultsFirst(entry: Entry): boolean {
    const list = this.message(entry)?.get(this.dialect.list)
    if (list?.kind !== 'array') return true
    const items = Array.from(list.items(), (item) => item.verbatim())
    const isResult = (_: Json, i: number): boolean => entry.blocks[i]?.kind === 'tool-result'
    const sorted = [...items.filter(isResult), ...items.filter((item, i) => !isResult(item, i))]
    return this.change(entry, { op: 'set', path: [this.dialect.list], value: sorted })
  }

  #placeOf(entry: Entry): { readonly messages: readonly Message[]; readonly index: number } {
    if (!this.#places) {
      this.#places = new Map()
      for (const { messages } of this.document.conversations) {
        messages.forEach((message, index) => {
          for (const each of message.entries) this.#places!.set(each, { messages, index })
        })
      }
    }
    return this.#places.get(entry)!
  }
}

const NONE: ReadonlySet<number> = new Set()

/** Where the item stands that a message is in, with what a client writes around it; `[]` where it is the record itself. */
export function itemPath({ path }: Entry): Path {
  return path.slice(0, path.findLastIndex((step) => typeof step === 'number') + 1)
}

const isResult = ({ kind }: Block): boolean => kind === 'tool-result'

/** Whether a message is a call and nothing else. */
function isCall(message: Message | undefined): boolean {
  const [only, ...others] = message?.blocks ?? []
  return only?.kind === 'tool-call' && only.is(Flag.wholeMessage) && others.length === 0
}

/** Whether two values say the same, as they stand. */
function same(a: JsonView, b: JsonView): boolean {
  return plain(a.verbatim()) === plain(b.verbatim())
}

function plain(json: Verbatim): string {
  return json.text ? Buffer.from(json.text).toString('utf8') : JSON.stringify(json.value)
}
