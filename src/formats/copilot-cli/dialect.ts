import type { Content, Dialect } from '../../dialects/dialect.ts'
import { resultFlags, textFlags } from '../../dialects/facts.ts'
import { Block, Flag, tailOf } from '../../model/blocks.ts'
import type { Json, JsonView, Path } from '../../text/view.ts'
import { lookup } from '../../text/view.ts'

/**
 * The payloads (`data`) of events: a text as `content`, calls as `toolRequests`, each result an event of its own with `result`
 * or `error` (github/copilot-sdk, `nodejs/src/generated/session-events.ts`, 2026). The role is in the type of the event.
 */
export const copilot: Dialect = {
  name: 'copilot-cli',
  results: 'own-messages',
  list: 'content',

  read(data, entry, ids) {
    if (entry.role === 'tool') {
      const text = wordsOf(data)
      const failed = data.get('success')?.boolean() === false ? Flag.error : 0
      const flags = Flag.wholeMessage | failed | resultFlags(text)
      const id = ids.of(data.get('toolCallId'))
      entry.blocks = [new Block('tool-result', entry, EVENT, { id, size: text?.length ?? 0, flags })]
      return
    }
    const blocks: Block[] = []
    const content = data.get('content')
    // An answer of calls only is stored with an empty text, which is not sent as one.
    if (content?.kind === 'string' && (content.length > 0 || entry.role === 'user')) {
      const flags = textFlags(content) | Flag.wholeContent
      blocks.push(new Block('text', entry, CONTENT, { size: content.length, flags }))
    }
    let index = 0
    for (const call of data.get('toolRequests')?.items() ?? []) {
      const input = call.get('arguments')
      // Arguments are an object or, in transcripts of VS Code, JSON text; a custom tool takes a text.
      const fits = input === undefined || input.kind === 'object' || input.kind === 'string' || input.kind === 'null'
      blocks.push(
        new Block('tool-call', entry, tailOf('toolRequests', index++), {
          id: ids.of(call.get('toolCallId')),
          name: ids.of(call.get('name')),
          flags: fits ? 0 : Flag.inputNotObject,
        }),
      )
    }
    entry.blocks = blocks
  },

  text: (text) => text,
  message: (_role, blocks) => ({ content: blocks.filter((block) => typeof block === 'string').join('\n\n') }),
  // A failed execution names its error; the API gets its message.
  result: (call, text) => ({ toolCallId: call.id, success: false, error: { message: text, code: 'interrupted' } }),
  appended(into, from) {
    const [said, more] = [wordsOf(into)?.string(), wordsOf(from)?.string()]
    if (!more) return []
    const path = into.get('error')?.kind === 'object' && !into.get('result')?.get('content') ? ERROR : RESULT
    return [{ op: 'set', path, value: said ? `${said}\n\n${more}` : more }]
  },
  idPath: (block) => [...block.tail, 'toolCallId'],
  namePath: (block) => [...block.tail, 'name'],
  inputPath: (block) => [...block.tail, 'arguments'],

  carry: (_role, messages) => messages[0]?.verbatim() ?? {},

  load(data, block) {
    if (block.kind === 'tool-result') return loadResult(data)
    const view = lookup(data, block.tail)
    if (block.kind === 'tool-call') return loadCall(view)
    // What is sent is the prompt with the client's own additions; the user's words are the same.
    return { kind: 'text', text: view?.string() ?? '' }
  },

  render: (_role, contents) =>
    contents.map((content): Json => {
      if (content.kind === 'text') return { content: content.text }
      return content.kind === 'tool-result' ? { toolCallId: content.id, success: !content.error } : {}
    }),
}

const EVENT: Path = Object.freeze([])
const CONTENT: Path = Object.freeze(['content'])
const RESULT: Path = Object.freeze(['result', 'content'])
const ERROR: Path = Object.freeze(['error', 'message'])

function loadCall(view: JsonView | undefined): Content {
  const input = view?.get('arguments')
  return {
    kind: 'tool-call',
    id: view?.get('toolCallId')?.string() ?? '',
    name: view?.get('name')?.string() ?? '',
    input: input?.kind === 'object' ? input.verbatim() : (parsed(input?.string()) ?? {}),
  }
}

/** What a result tells the model: its content, or what went wrong. */
function wordsOf(data: JsonView): JsonView | undefined {
  return data.get('result')?.get('content') ?? data.get('error')?.get('message')
}

function loadResult(data: JsonView): Content {
  const text = wordsOf(data)?.string() ?? ''
  return {
    kind: 'tool-result',
    id: data.get('toolCallId')?.string() ?? '',
    name: '',
    error: data.get('success')?.boolean() === false,
    content: text === '' ? [] : [{ kind: 'text', text }],
  }
}

function parsed(text: string | undefined): Json | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Json)
  } catch {
    return undefined
  }
}
