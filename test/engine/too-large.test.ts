import { expect, test } from 'vitest'
import { TranscriptReader } from '../../src/engine/read.ts'
import { RecordReader, RecordTooLong } from '../../src/text/reader.ts'

const SENTENCE =
  '"x.json" is one document, or has a line, of more than 2 GB, which has to be held whole: it cannot be checked'

test('a document of more than 2 GB is refused before it is read', () => {
  const reader = new TranscriptReader({ path: 'x.json' }, 3_000_000_000)
  const messages = '{"role":"user","content":"go"},\n'.repeat(10_000)
  reader.push(Buffer.from(`[${messages}`))
  expect(() => reader.push(Buffer.from(messages))).toThrow(SENTENCE)
})

test('JSON lines of more than 2 GB are read, a line of as much is refused', () => {
  const lines = Buffer.from('{"role":"user","content":"go"}\n'.repeat(10_000))
  const reader = new TranscriptReader({ path: 'x.jsonl' }, 3_000_000_000)
  for (let i = 0; i < 3; i++) reader.push(lines)
  const short = new RecordReader(() => {}, 1000)
  short.push(Buffer.from(`{"a":1}\n{"text":"${'x'.repeat(900)}`))
  expect(() => short.push(Buffer.from('x'.repeat(200)))).toThrow(RecordTooLong)
})
