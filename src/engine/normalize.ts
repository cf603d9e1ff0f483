import type { Format } from '../formats/format.ts'
import { FORMATS } from '../formats/index.ts'
import type { ValueRecords } from '../text/value-records.ts'
import { ValueView } from '../text/value-view.ts'
import type { FixOptions } from './api.ts'
import { type Applied, fix } from './fix.ts'
import { Transcript } from './transcript.ts'

/** Repairs plain messages in memory; the array and its messages stay as they are, untouched messages are the same objects. */
export function fixMessages(
  messages: readonly unknown[],
  options: FixOptions,
): {
  readonly transcript: Transcript
  readonly messages: unknown[]
  readonly applied: readonly Applied[]
  readonly unsettled: readonly string[]
} {
  const transcript = readMessages(messages, options)
  const values = (): unknown[] => (transcript.records as ValueRecords).values()
  const { applied, unsettled } = fix(transcript, options, () => formatOf(values(), options))
  return { transcript, messages: values(), applied, unsettled }
}

/** A transcript over plain messages, each a record. */
export function readMessages(messages: readonly unknown[], options: FixOptions): Transcript {
  return Transcript.ofMessages(messages, formatOf(messages, options), options)
}

/** The shape of a message list: by its messages; texts alone fit every shape, so the target's own is taken. */
function formatOf(messages: readonly unknown[], options: FixOptions): Format {
  const lists = FORMATS.filter((format) => format.isMessageList)
  const named = lists.find((format) => format.name === options.format)
  if (named) return named
  const sample = messages.slice(0, 50).map((message) => new ValueView(message))
  const found =
    lists.find((format) => format.detect(sample)) ??
    lists.find((format) => messages.some((message) => format.detect([new ValueView(message)])))
  return found ?? lists.find((format) => format.target === options.target) ?? lists.at(-1)!
}
