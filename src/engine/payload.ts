import { dialectNamed } from '../dialects/index.ts'
import type { Conversation, Message } from '../model/document.ts'
import { toText } from '../text/edit.ts'
import { type Json, type JsonView, lookup } from '../text/view.ts'
import { targetOf } from './check.ts'
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
  for (const message of messages) {
    for (const json of messagesOf(transcript, message, dialect)) {
      yield Buffer.from(first ? '\n' : ',\n')
      yield toText(json)
      first = false
    }
  }
  yield Buffer.from(first ? ']' : '\n]')
  if (system.length > 0) yield Buffer.from('}')
  yield Buffer.from('\n')
}

function messagesOf(transcript: Transcript, message: Message, dialect: ReturnType<typeof dialectNamed>): Json[] {
  if (transcript.of.dialect.name !== dialect.name) return dialect.render(message.role, contentsOf(transcript, message))
  const stored = message.entries.flatMap((entry) => storedMessage(transcript, entry) ?? [])
  return [dialect.carry(message.role, stored)]
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
