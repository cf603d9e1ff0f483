import fc from 'fast-check'
import { anthropicMessages } from './anthropic.ts'
import { type Fields, Verbatim } from './json.ts'
import { openAiMessages } from './openai.ts'
import type { Layout, Specimen } from './specimen.ts'
import { type Talk, talk } from './talk.ts'

const BODIES: Readonly<Record<'anthropic' | 'openai', Fields>> = {
  anthropic: {
    model: 'claude-sonnet-4-5',
    max_tokens: new Verbatim('1024.0'),
    system: 'You are \u2028 brief',
    tools: [{ name: 'Read', input_schema: { type: 'object' } }],
  },
  openai: { model: 'gpt-4o', temperature: new Verbatim('1.0'), seed: new Verbatim('12345678901234567890') },
}

function list(shape: 'anthropic' | 'openai', layout: Exclude<Layout, 'rows'>, from: Talk): Specimen {
  const records = shape === 'anthropic' ? anthropicMessages(from) : openAiMessages(from)
  const format = `${shape === 'openai' ? 'openai-chat' : shape}${layout === 'array' ? '' : `-${layout}`}`
  return { format, shape, layout, records, around: layout === 'body' ? BODIES[shape] : {}, seed: from.seed }
}

const lists = (shape: 'anthropic' | 'openai'): fc.Arbitrary<Specimen> =>
  fc
    .record({ layout: fc.constantFrom('array' as const, 'body' as const, 'lines' as const), from: talk })
    .map(({ layout, from }) => list(shape, layout, from))

/** A data set: each line is a conversation of its own, so call ids may come back. */
const rows: fc.Arbitrary<Specimen> = fc
  .record({
    talks: fc.array(talk, { minLength: 2, maxLength: 4 }),
    shape: fc.constantFrom('anthropic' as const, 'openai' as const),
  })
  .map(({ talks, shape }) => ({
    format: shape === 'openai' ? 'openai-chat-rows' : 'anthropic-rows',
    shape,
    layout: 'rows',
    records: talks.map((each, i) => ({
      ...(shape === 'anthropic' ? { model: 'claude-sonnet-4-5' } : {}),
      messages: remarked(shape === 'anthropic' ? anthropicMessages(each) : openAiMessages(each), i),
    })),
    around: {},
    seed: talks[0]!.seed,
  }))

/** Marks have to be unique in the whole file. */
function remarked(messages: Fields[], row: number): Fields[] {
  return JSON.parse(JSON.stringify(messages, raw).replace(/~([uarc])(\d+)~/g, `~$1${row + 1}0000$2~`)) as Fields[]
}

function raw(_key: string, value: unknown): unknown {
  return value instanceof Verbatim ? 1 : value
}

export const anthropicLists = lists('anthropic')
export const openAiLists = lists('openai')
export const dataSets = rows
