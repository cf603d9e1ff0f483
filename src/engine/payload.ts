import type { Dialect } from '../dialects/dialect.ts'
import { dialectNamed } from '../dialects/index.ts'
import { Flag } from '../model/blocks.ts'
import type { Conversation, Message } from '../model/document.ts'
import { toText } from '../text/edit.ts'
import { type Json, type JsonView, lookup } from '../text/view.ts'
import { targetOf } from './check.ts'
import { fixing } from './fix.ts'
import { inTurns } from './in-turns.ts'
import { type Readable, type RunOptions, readTranscript } from './run.ts'
import type { Transcript } from './transcript.ts'

/**
 * The messages array that the API would get, piece by piece, as JSON text. A target that wants system texts outside of the
 * messages gets an object with both.
 */
export function* payload(transcript: Transcript, conversation: Conversation): Generator<Uint8Array> {
  const dialect = dialectNamed(targetOf(transcript).dialect)
  const outside = dialect.name === 'anthropic' && transcript.of.dialect.name !== 'anthropic'
  const system = outside ? conversation.messages.filter(({ role }) => role === 'system') : []
  const messages = conversation.messages.filter((message) => !system.includes(message))
  if (system.length > 0) {
    const texts = system.flatMap((message) =>
      contentsOf(transcript, message).map((content) => ('text' in content ? content.text : '')),
    )
    yield Buffer.from(`{"system":${JSON.stringify(texts.join('\n\n'))},"messages":`)
  }
  yield Buffer.from('[')
  let first = true
  const isOwn = transcript.of.dialect.name === dialect.name
  for (const turn of conversation.isItems && !isOwn ? turnsOf(messages) : messages.map((message) => [message])) {
    for (const json of isOwn ? [carried(transcript, turn[0]!)] : rendered(transcript, turn, dialect)) {
      yield Buffer.from(first ? '\n' : ',\n')
      yield toText(json)
      first = false
    }
  }
  yield Buffer.from(first ? ']' : '\n]')
  if (system.length > 0) yield Buffer.from('}')
  yield Buffer.from('\n')
}

/** The items of each turn of the assistant together, as they are one message in other shapes; all others by themselves. */
function* turnsOf(messages: readonly Message[]): Generator<Message[]> {
  let turn: Message[] = []
  for (const message of messages) {
    if (message.role === 'assistant') {
      turn.push(message)
      continue
    }
    if (turn.length > 0) yield turn
    turn = []
    yield [message]
  }
  if (turn.length > 0) yield turn
}

/** The message of the API as it stands, without what the format keeps beside it. */
function carried(transcript: Transcript, message: Message): Json {
  const stored = message.entries.flatMap((entry) => storedMessage(transcript, entry) ?? [])
  return transcript.of.dialect.carry(message.role, stored)
}

function rendered(transcript: Transcript, turn: readonly Message[], dialect: Dialect): Json[] {
  const contents = turn.flatMap((message) => contentsOf(transcript, message))
  // Reasoning and what only one provider knows is not carried to another one: a turn of nothing else is none there.
  if (turn.every(isOnlyItems) && contents.every(({ kind }) => kind === 'thinking' || kind === 'opaque')) return []
  return dialect.render(turn[0]!.role, contents)
}

function isOnlyItems({ blocks }: Message): boolean {
  return blocks.length > 0 && blocks.every((block) => block.is(Flag.wholeMessage))
}

function contentsOf(transcript: Transcript, message: Message) {
  const { dialect } = transcript.of
  return message.blocks.flatMap((block) => {
    const stored = storedMessage(transcript, block.entry)
    return stored ? [dialect.load(stored, block)] : []
  })
}

function storedMessage(transcript: Transcript, entry: Message['entries'][number]): JsonView | undefined {
  const record = transcript.records.view(entry.record)
  return record && lookup(record, entry.path)
}

/** The messages array that the API would get, as JSON text. */
export async function* payloadOf(
  source: Readable,
  options: RunOptions & { readonly conversation?: string | undefined; readonly fix?: boolean | undefined },
): AsyncGenerator<Uint8Array> {
  const transcript = await readTranscript(source, options)
  if (options.fix) await inTurns(fixing(transcript, options), options.signal)
  const { conversations } = transcript
  const asked = options.conversation
  const chosen =
    asked === undefined
      ? (conversations.find(({ role }) => role === 'main') ?? conversations[0])
      : (conversations.find(({ label }) => label === asked) ?? conversations[Number(asked) - 1])
  if (chosen) yield* payload(transcript, chosen)
  // A session in which nothing was said yet.
  else if (asked === undefined && transcript.format !== 'unknown') yield Buffer.from('[]\n')
  else if (conversations.length === 0) throw new RangeError('there is no conversation in the file')
  else {
    const labels = conversations.slice(0, 5).map(({ label }) => `"${label}"`)
    const more = conversations.length > labels.length ? ` and ${conversations.length - labels.length} more` : ''
    throw new RangeError(`there is no conversation "${asked}" in the file, which holds ${labels.join(', ')}${more}`)
  }
}
