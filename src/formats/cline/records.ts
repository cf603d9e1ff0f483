import { anthropic } from '../../dialects/anthropic.ts'
import { Block } from '../../model/blocks.ts'
import { Entry } from '../../model/document.ts'
import { type Id, type Ids, NO_ID } from '../../text/ids.ts'
import type { JsonView, Path } from '../../text/view.ts'

/** What Roo Code writes beside a message so that a shorter history can be sent while the whole one stays in the file. */
export interface Facts {
  /** A summary, or the mark that stands for what was cut off, and the id by which others name it. */
  readonly summary: Id | undefined
  readonly marker: Id | undefined
  /** What hides this message, as long as it is there. */
  readonly hiddenBy: readonly Id[]
  readonly model: Id
}

const NOTHING: Facts = { summary: undefined, marker: undefined, hiddenBy: [], model: NO_ID }

export function factsOf(entry: Entry): Facts {
  return (entry.more as Facts | undefined) ?? NOTHING
}

/** The messages of a list, each with its place; what has no role is no turn (Roo Code stores reasoning of its own so). */
export function readMessages(list: JsonView, at: Path, record: number, ids: Ids): Entry[] {
  const entries: Entry[] = []
  let answers: ReadonlySet<string> | undefined
  for (let index = list.size - 1; index >= 0; index--) {
    const message = list.at(index)
    if (message?.get('role')?.kind !== 'string') continue
    const entry = new Entry(record, [...at, index])
    entry.kind = 'message'
    anthropic.read(message, entry, ids)
    entry.more = readFacts(message, ids)
    if (entry.role === 'assistant') answerInText(entry, answers, ids)
    else answers = entry.role === 'user' ? toolsNamedIn(message) : undefined
    entries.push(entry)
  }
  return entries.reverse()
}

function readFacts(message: JsonView, ids: Ids): Facts | undefined {
  const summary = message.get('isSummary')?.boolean() ? ids.of(message.get('condenseId')) : undefined
  const marker = message.get('isTruncationMarker')?.boolean() ? ids.of(message.get('truncationId')) : undefined
  const hiddenBy = ['condenseParent', 'truncationParent'].flatMap((key) => ids.of(message.get(key)) || [])
  const model = ids.of(message.get('modelInfo')?.get('modelId') ?? message.get('modelInfo')?.get('id'))
  if (summary === undefined && marker === undefined && hiddenBy.length === 0 && model === NO_ID) return undefined
  return { summary, marker, hiddenBy, model }
}

/** A text that gives the result of a tool: `[subagents] Result:`, `[read_file for 'a.ts'] Result:`. */
const RESULT_TEXT = /^\[([\w-]+)[^\]]{0,200}\] Result:/

/** The tools whose results a message gives as plain text, as Cline did before it used the provider's own tool calls. */
function toolsNamedIn(message: JsonView): ReadonlySet<string> | undefined {
  const content = message.get('content')
  if (content?.kind !== 'array') return undefined
  const names = new Set<string>()
  for (const block of content.items()) {
    const name = RESULT_TEXT.exec(block.get('text')?.peek(256) ?? '')?.[1]
    if (name !== undefined) names.add(name)
  }
  return names.size > 0 ? names : undefined
}

/** A call whose result the next message gives as text is no open call; what it is to the provider is not for us to say. */
function answerInText(entry: Entry, answers: ReadonlySet<string> | undefined, ids: Ids): void {
  if (!answers) return
  entry.blocks = entry.blocks.map((block) =>
    block.kind === 'tool-call' && answers.has(ids.text(block.name))
      ? new Block('opaque', block.entry, block.tail, { name: ids.add('tool_use') })
      : block,
  )
}
