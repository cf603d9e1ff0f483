import { gemini } from '../../dialects/gemini.ts'
import { storedId } from '../../dialects/unnamed.ts'
import { type Block, Flag } from '../../model/blocks.ts'
import type { Entry, Message } from '../../model/document.ts'
import type { Json } from '../../text/view.ts'
import type { Node } from './links.ts'
import { isCompressed, isResult, leading, type Round } from './round.ts'

/** Writes an error result for a call, as the client does for a tool that failed. */
export function answer(round: Round, call: Block, text: string): boolean {
  const { ids } = round.document
  const id = ids.text(call.id)
  const part = gemini.result({ id, name: ids.text(call.name) }, text)
  return put(round, call, part, { callId: storedId(id), status: 'error', resultDisplay: text })
}

/** Moves a result behind its call: by its links alone where it has a record of its own. */
export function moveResult(round: Round, result: Block, call: Block): boolean {
  const { entry } = result
  const stored = round.view(result)
  if (!stored) return false
  const node = round.links.node(entry.id)
  const isAlone = entry.role === 'user' && entry.blocks.length === 1 && node?.entries.length === 1
  if (isAlone && !isCompressed(entry) && !isCompressed(call.entry)) {
    const place = placeBehind(round, call, entry)
    if (place && 'node' in place) {
      round.links.move(node, place.node)
      round.setLastResult(place.turn, node)
      return true
    }
  }
  const id = round.document.ids.text(call.id)
  const status = result.is(Flag.error) ? 'error' : 'success'
  return round.removeBlock(result) && put(round, call, stored.verbatim(), { callId: storedId(id), status })
}

/** Puts a result behind those of the call's turn. */
function put(round: Round, call: Block, part: Json, toolCallResult: Json): boolean {
  if (isCompressed(call.entry)) return putCompressed(round, call.entry, part)
  const place = placeBehind(round, call, undefined)
  if (!place) return false
  if ('entry' in place) return round.insertPart(place.entry, leading(place.entry), part)
  const message = gemini.message('user', [part])
  const salt = `result ${round.document.ids.text(call.id)}`
  const node = round.inventor.put({ type: 'tool_result', message, toolCallResult, salt }, place.node)
  if (node) round.setLastResult(place.turn, node)
  return node !== undefined
}

function putCompressed(round: Round, call: Entry, part: Json): boolean {
  const entries = round.document.entriesOf(call.record)
  const next = entries[entries.indexOf(call) + 1]
  if (next?.role === 'user' && leading(next) > 0) return round.insertPart(next, leading(next), part)
  return round.insertCompressed(call.record, (call.path.at(-1) as number) + 1, gemini.message('user', [part]))
}

/** Where the next result of a turn belongs: behind a record, or inside one in which other parts follow the results. */
function placeBehind(
  round: Round,
  call: Block,
  except: Entry | undefined,
): { readonly node: Node; readonly turn: Entry } | { readonly entry: Entry } | undefined {
  const found = round.placeOf(call.entry)
  if (!found) return undefined
  const { messages, index } = found
  const turn = messages[index]!.entries.at(-1)!
  const known = round.lastResult(turn)
  let last = turn
  const run = messages[index + 1]
  if (!known && run?.role === 'user') {
    for (const entry of run.entries) {
      if (entry === except || round.links.isRemoved(entry)) continue
      const results = leading(entry)
      if (results === 0) break
      if (results < entry.blocks.length) return { entry }
      last = entry
    }
  }
  const node = known ?? round.links.node(last.id)
  return node && (node.write || node.entries.length > 0) ? { node, turn } : undefined
}

/** Appends one result to another and takes it away from its own place. */
export function mergeResults(round: Round, from: Block, into: Block): boolean {
  const target = round.view(into)?.get('functionResponse')
  if (!target) return false
  const inner = Array.from(target.get('parts')?.items() ?? [], (part) => part.verbatim())
  const text = textOf(round, into)
  const added = round.view(from)?.get('functionResponse')
  if (!added) return false
  inner.push(...Array.from(added.get('parts')?.items() ?? [], (part) => part.verbatim()))
  const texts = [text, textOf(round, from)].filter((each) => each !== '')
  const key = into.is(Flag.error) && from.is(Flag.error) ? 'error' : 'output'
  const path = [...into.tail, 'functionResponse']
  if (!round.set(into.entry, [...path, 'response'], { [key]: texts.join('\n\n') })) return false
  if (inner.length > 0 && !round.set(into.entry, [...path, 'parts'], inner)) return false
  return round.removeBlock(from)
}

function textOf(round: Round, block: Block): string {
  const message = round.messageView(block.entry)
  const content = message && gemini.load(message, block)
  if (content?.kind !== 'tool-result') return ''
  return content.content.flatMap((inner) => (inner.kind === 'text' ? [inner.text] : [])).join('\n')
}

/** Brings the results of a message before its other parts. */
export function resultsFirst(round: Round, message: Message): boolean {
  const home = message.entries[0]!
  let last: Node | undefined
  let isLate = false
  for (const entry of message.entries) {
    const results = entry.blocks.filter(isResult)
    const isWhole = results.length > 0 && results.length === entry.blocks.length
    const node = isCompressed(entry) ? undefined : round.links.node(entry.id)
    if (!isLate && isWhole) last = node
    else if (isLate && isWhole && node && !isCompressed(home)) {
      const behind = last ?? round.links.node(round.links.node(home.id)!.parent)
      if (!behind) return false
      round.links.move(node, behind)
      last = node
    } else {
      if (results.length > 0 && !(isLate ? bringForward(round, results, home) : sort(round, entry))) return false
      isLate ||= entry.blocks.length > 0
    }
  }
  return true
}

function bringForward(round: Round, results: readonly Block[], home: Entry): boolean {
  return results.every((result) => {
    const part = round.view(result)?.verbatim()
    return part !== undefined && round.removeBlock(result) && round.insertPart(home, leading(home), part)
  })
}

function sort(round: Round, entry: Entry): boolean {
  const { blocks } = entry
  if (leading(entry) === blocks.filter(isResult).length) return true
  const parts = Array.from(round.messageView(entry)?.get('parts')?.items() ?? [], (part) => part.verbatim())
  const results = parts.filter((_, i) => isResult(blocks[i]!))
  return round.set(entry, ['parts'], [...results, ...parts.filter((_, i) => !isResult(blocks[i]!))])
}
