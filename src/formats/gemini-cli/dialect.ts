import type { Content, Dialect } from '../../dialects/dialect.ts'
import { gemini, readPart } from '../../dialects/gemini.ts'
import { Block, Flag, tailOf } from '../../model/blocks.ts'
import type { Entry } from '../../model/document.ts'
import type { Ids } from '../../text/ids.ts'
import { type Json, type JsonView, lookup, type Path } from '../../text/view.ts'

/**
 * Messages as Gemini CLI keeps them: `content` as text or parts; of an answer also `thoughts`, and `toolCalls` with what came of
 * each. What it sends of them is read from `convertSessionToClientHistory` of 0.61.0.
 */
export const geminiCliDialect: Dialect = {
  ...gemini,
  list: 'content',

  read(message, entry, ids) {
    if (message.get('type')?.string() === 'gemini') {
      entry.role = 'assistant'
      entry.blocks = readAnswer(message, entry, ids)
    } else {
      entry.role = 'user'
      entry.blocks = readContent(message, entry, ids)
    }
  },

  message: (role, blocks) => ({ type: role === 'assistant' ? 'gemini' : 'user', content: blocks }),
  idPath: (block) => (isOwnCall(block) ? [...block.tail, 'id'] : gemini.idPath(block)),
  inputPath: (block) => (isOwnCall(block) ? [...block.tail, 'args'] : gemini.inputPath(block)),

  carry(role, messages) {
    const parts = messages.flatMap((message) => {
      if (role !== 'assistant') {
        const isAnswer = message.get('type')?.string() === 'gemini'
        return isAnswer ? resultParts(message) : Array.from(partsOf(message), ([part]) => asPart(part))
      }
      return answerParts(message)
    })
    return { role: role === 'assistant' ? 'model' : 'user', parts }
  },

  load(message, block) {
    const view = lookup(message, block.tail)
    const [key] = block.tail
    if (key === 'content' || !view) return gemini.load(message, block)
    if (key === 'thoughts') return { kind: 'thinking', text: thoughtOf(view), stored: view.verbatim() }
    if (isOwnCall(block)) return { kind: 'tool-call', ...namesOf(view, block), input: argsOf(view) }
    if (view.kind !== 'string') return gemini.load(message, block)
    const call = lookup(message, block.tail.slice(0, -1))
    const content: Content[] = [{ kind: 'text', text: view.string() ?? '' }]
    return { kind: 'tool-result', ...namesOf(call, block), error: false, content }
  },
}

/** A call that stands in `toolCalls` only. */
function isOwnCall(block: Block): boolean {
  return block.kind === 'tool-call' && block.tail[0] === 'toolCalls'
}

/** The names of a call; one without id gets one, and its result the same, for shapes that need it. */
function namesOf(view: JsonView | undefined, block: Block) {
  return { id: view?.get('id')?.string() || `call_${block.id}`, name: view?.get('name')?.string() ?? '' }
}

function argsOf(call: JsonView): Json {
  const args = call.get('args')
  return args === undefined || args.kind === 'null' ? {} : args.verbatim()
}

function thoughtOf(thought: JsonView): string {
  const subject = thought.get('subject')?.string()
  const description = thought.get('description')?.string() ?? ''
  return subject ? `**${subject}** ${description}` : description
}

const CONTENT: Path = Object.freeze(['content'])

/** The parts of a content, which may be one text or one part, each with its place. */
function* partsOf(message: JsonView): Generator<readonly [part: JsonView, tail: Path]> {
  const content = message.get('content')
  if (content?.kind === 'array') {
    let index = 0
    for (const part of content.items()) yield [part, tailOf('content', index++)]
  } else if (content?.kind === 'object' || (content?.kind === 'string' && content.length > 0)) yield [content, CONTENT]
}

function asPart(part: JsonView): Json {
  return part.kind === 'string' ? { text: part.verbatim() } : part.verbatim()
}

function readContent(message: JsonView, entry: Entry, ids: Ids): Block[] {
  return Array.from(partsOf(message), ([part, tail]) => {
    const block = readPart(part, entry, tail, ids)
    if (tail !== CONTENT || part.kind !== 'string') return block
    return new Block('text', entry, tail, { size: block.size, flags: block.flags | Flag.wholeContent })
  })
}

/** Whether the content itself holds the calls and thoughts of the turn; `toolCalls` then only says what came of them. */
function isWhole(message: JsonView): boolean {
  for (const [part] of partsOf(message)) if (part.get('functionCall') || part.get('thought')?.boolean()) return true
  return false
}

function* listOf(message: JsonView, key: string): Generator<readonly [item: JsonView, index: number]> {
  const list = message.get(key)
  let index = 0
  if (list?.kind === 'array') for (const item of list.items()) yield [item, index++]
}

function readAnswer(message: JsonView, entry: Entry, ids: Ids): Block[] {
  const content = readContent(message, entry, ids)
  if (isWhole(message)) return content
  const thoughts = Array.from(listOf(message, 'thoughts'), ([, index]) => {
    return new Block('thinking', entry, tailOf('thoughts', index), { flags: Flag.unsigned })
  })
  const calls = Array.from(listOf(message, 'toolCalls'), ([call, index]) => {
    const args = call.get('args')
    const isFit = args === undefined || args.kind === 'object' || args.kind === 'null'
    const flags = Flag.unsigned | (isFit ? 0 : Flag.inputNotObject) | (call.get('id')?.length ? 0 : Flag.unnamed)
    const facts = { id: ids.of(call.get('id')), name: ids.of(call.get('name')), flags }
    return new Block('tool-call', entry, tailOf('toolCalls', index), facts)
  })
  return [...thoughts, ...content, ...calls]
}

/** The results inside an answer, which are sent as the turn behind it. */
export function readResults(message: JsonView, entry: Entry, ids: Ids): Block[] {
  const blocks: Block[] = []
  for (const [call, index] of listOf(message, 'toolCalls')) {
    const result = call.get('result')
    const tail: Path = ['toolCalls', index, 'result']
    if (result?.kind === 'array') {
      let at = 0
      for (const part of result.items()) blocks.push(readPart(part, entry, [...tail, at++], ids))
    } else if (result?.kind === 'object') blocks.push(readPart(result, entry, tail, ids))
    else if (result?.kind === 'string' && result.length > 0) {
      const flags = call.get('id')?.length ? 0 : Flag.unnamed
      const facts = { id: ids.of(call.get('id')), name: ids.of(call.get('name')), size: result.length, flags }
      blocks.push(new Block('tool-result', entry, tail, facts))
    }
  }
  return blocks
}

function answerParts(message: JsonView): Json[] {
  const content = Array.from(partsOf(message), ([part]) => asPart(part))
  if (isWhole(message)) return content
  // What it thought is not sent again (measured with 0.61.0).
  const calls = Array.from(listOf(message, 'toolCalls'), ([call]) => ({
    functionCall: { id: call.get('id')?.verbatim(), name: call.get('name')?.verbatim(), args: argsOf(call) },
  }))
  return [...content, ...calls]
}

function resultParts(message: JsonView): Json[] {
  const parts: Json[] = []
  for (const [call] of listOf(message, 'toolCalls')) {
    const result = call.get('result')
    if (result?.kind === 'array') for (const part of result.items()) parts.push(asPart(part))
    else if (result?.kind === 'object') parts.push(result.verbatim())
    else if (result?.kind === 'string' && result.length > 0) {
      const response = { output: result.verbatim() }
      const [id, name] = [call.get('id')?.verbatim(), call.get('name')?.verbatim()]
      parts.push({ functionResponse: { id, name, response } })
    }
  }
  return parts
}
