import { describe, expect, it } from 'vitest'
import { check, fix } from '../../src/index.ts'

const MEGA = 1024 * 1024
const image = (size: number): unknown => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(size) },
})
const pdf = (size: number): unknown => ({
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data: 'A'.repeat(size) },
})
const converse = (size: number): unknown => [
  {
    role: 'user',
    content: [
      { text: 'Read this.' },
      { document: { format: 'pdf', name: 'Manual', source: { bytes: 'A'.repeat(size) } } },
    ],
  },
]
const responses = (size: number): unknown => [
  { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: URL.padEnd(size, 'A') }] },
]
const URL = 'data:image/png;base64,'
const array = (...content: unknown[]): unknown[] => [{ role: 'user', content }]
const session = (...content: unknown[]): unknown => ({
  type: 'user',
  uuid: 'u1',
  parentUuid: null,
  sessionId: 's1',
  isSidechain: false,
  message: { role: 'user', content },
})
const found = (value: unknown, options = {}): string[] =>
  check(Buffer.from(JSON.stringify(value)), options)
    .findings.filter(({ rule }) => rule === 'media-too-large')
    .map(({ severity, pointer, message }) => `${severity} ${pointer}: ${message}`)

describe('the limit', () => {
  it.each<[string, unknown, object, number]>([
    ['of the provider', array(image(10 * MEGA + 4)), {}, 1],
    ['at it', array(image(10 * MEGA)), {}, 0],
    ['of the client, where that is smaller', session(image(5_242_884)), {}, 1],
    ['at it', session(image(5_242_880)), {}, 0],
    ['inside a result', array({ type: 'tool_result', tool_use_id: 't1', content: [image(10 * MEGA + 4)] }), {}, 1],
    ['not of documents', array(pdf(10 * MEGA + 4)), {}, 0],
    ['of documents, where the provider has one', converse(6 * MEGA + 4), {}, 1],
    ['at it', converse(6 * MEGA), {}, 0],
    ['of a data URL with its prefix', responses(20_971_521), { target: 'openai-responses' }, 1],
    ['at it', responses(20_971_520), { target: 'openai-responses' }, 0],
    ['of one provider is none of another’s', session(image(10 * MEGA + 4)), { target: 'local-template' }, 0],
  ])('%s', (_, value, options, count) => {
    expect(found(value, options)).toHaveLength(count)
  })
})

it('says how large it is', () => {
  expect(found(array(image(10 * MEGA + 4)))).toEqual([
    'error /0/content/0: the image has 10,485,764 characters of base64, at most 10,485,760 are taken',
  ])
})

it('puts a text in its place and leaves the rest as it is', () => {
  const value = array({ type: 'text', text: 'what is this?' }, image(10 * MEGA + 4), image(4))
  const { output } = fix(Buffer.from(JSON.stringify(value)), { select: ['media-too-large'] })
  const note = { type: 'text', text: '[Image removed to save context: 10,485,764 characters of base64]' }
  expect(JSON.parse(Buffer.from(output).toString())).toEqual(
    array({ type: 'text', text: 'what is this?' }, note, image(4)),
  )
})
