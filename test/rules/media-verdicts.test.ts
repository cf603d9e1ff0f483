import { expect, test } from 'vitest'
import { check } from '../../src/index.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAADElEQVR4nGNgGB4AAADIAAGtQHYiAAAAAElFTkSuQmCC'
const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64')
const block = (type: string, source: unknown) => ({ type, source })
const inline = (data: unknown, mediaType = 'image/png') => ({ type: 'base64', media_type: mediaType, data })
const image = (data: unknown, mediaType?: string) => block('image', inline(data, mediaType))
const sound = (data: string, format = 'wav') => ({ type: 'input_audio', input_audio: { data, format } })
const picture = (url: string) => ({ type: 'image_url', image_url: { url } })

const LINK = block('image', { type: 'url', url: `data:image/png;base64,${PNG}` })
const NO_PDF = block('document', inline(base64('<html>'), 'application/pdf'))
const TEXT = block('document', inline(base64('hello'), 'text/plain'))

/** What is said of one block in a request to a provider: severity, rule, and the error that the provider answers. */
const said = (part: unknown, target: string): string[] =>
  check([{ role: 'user', content: [{ type: 'text', text: 'see' }, part] }], { target }).findings.map(
    ({ severity, rule, providerError }) => `${severity} ${rule}: ${providerError ?? '-'}`,
  )

test.each<[string, unknown, string, string[]]>([
  ['no PDF', NO_PDF, 'anthropic', ['error undecodable-media: The PDF specified was not valid.']],
  ['no PDF', NO_PDF, 'openai-chat', ['info undecodable-media: -']],
  ['no PDF', NO_PDF, 'gemini', ['info undecodable-media: -']],
  [
    'no text',
    image(null),
    'anthropic',
    ['error undecodable-media: source.base64.data: Input should be a valid string'],
  ],
  ['empty', image(''), 'anthropic', ['error undecodable-media: Could not process image']],
  ['a data URL as a link', LINK, 'anthropic', ['info invalid-base64: source.base64.data: Invalid base64 data']],
  ['a data URL as a link', LINK, 'anthropic-vertex', ['error invalid-base64: -']],
  ['a data URL as a link', LINK, 'anthropic-bedrock', ['error invalid-base64: -']],
  ['no source', { type: 'image' }, 'anthropic', ['error missing-field: image.source: Field required']],
  ['no source', { type: 'image' }, 'anthropic-vertex', ['error missing-field: -']],
  ['no source', { type: 'image' }, 'openai-chat', []],
  ['no source', { type: 'image' }, 'openai-responses', []],
  [
    'capitals',
    image(PNG, 'IMAGE/PNG'),
    'anthropic',
    ["error media-type-mismatch: media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"],
  ],
  ['capitals', image(PNG, 'IMAGE/PNG'), 'openai-chat', []],
  ['capitals', image(PNG, 'IMAGE/PNG'), 'gemini', []],
  [
    'another type',
    image(PNG, 'image/gif'),
    'anthropic',
    ['error media-type-mismatch: Image does not match the provided media type image/png'],
  ],
  [
    'a text as base64',
    TEXT,
    'anthropic',
    ["error unsupported-media-type: document.source.base64.media_type: Input should be 'application/pdf'"],
  ],
  ['a text as base64', TEXT, 'gemini', []],
  [
    'a recording',
    sound(base64('OggS'), 'ogg'),
    'openai-chat',
    ["error unsupported-media-type: Supported values are: 'wav' and 'mp3'"],
  ],
  ['a recording', sound(base64('OggS'), 'ogg'), 'qwen', []],
  [
    'an empty recording',
    sound(''),
    'openai-chat',
    ['error undecodable-media: The audio file could not be decoded or its format is not supported.'],
  ],
  ['a recording in a data URL', sound(`data:audio/wav;base64,${base64('RIFF....WAVE')}`), 'qwen', []],
  [
    'a small image',
    picture(`data:image/png;base64,${PNG}`),
    'qwen',
    ['error media-dimensions: The image length and width do not meet the model restrictions.'],
  ],
  ['a small image', picture(`data:image/png;base64,${PNG}`), 'openai-chat', []],
])('%s, %j: %s', (_, part, target, expected) => {
  expect(said(part, target)).toEqual(expected)
})
