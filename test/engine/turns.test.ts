import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Locator } from '../../src/engine/locate.ts'
import { readTranscript } from '../../src/engine/run.ts'
import { turnsOf } from '../../src/engine/turns.ts'
import { FileSource } from '../../src/files/file-source.ts'
import type { TurnBlock } from '../../src/model/timeline.ts'

const ROOT = join(import.meta.dirname, '../../fixtures/formats')
const healthy = readdirSync(ROOT)
  .map((name) => join(ROOT, name, 'healthy'))
  .filter((folder) => existsSync(folder))

async function blocksOf(folder: string): Promise<TurnBlock[]> {
  const name = readdirSync(folder).find((each) => each.startsWith('input.'))!
  const source = await FileSource.open(join(folder, name))
  try {
    const transcript = await readTranscript(source, {})
    const conversations = turnsOf(transcript, new Locator(transcript, source), [])
    return conversations.flatMap(({ turns }) => turns.flatMap(({ blocks }) => blocks))
  } finally {
    await source.close()
  }
}

test.each(healthy)('texts and calls are quoted, media never: %s', async (folder) => {
  for (const block of await blocksOf(folder)) {
    if (block.kind === 'text' || block.kind === 'tool-call')
      expect(block, block.id).toHaveProperty('excerpt', expect.any(String))
    if (block.kind === 'media') expect(block.excerpt).toBeUndefined()
  }
})

describe('what a call is given and a result says', () => {
  test.each([
    ['goose', ['bed: "c1"', 'bed: "c2"', 'watered c1', 'watered c2']],
    ['bedrock-converse', ['key: "a4"', '', 'hertz: 438.5', '41 percent']],
    ['gemini', ['file: "ode.txt"', 'file: "haiku.txt"', '48', 'lines: 3']],
  ])('%s', async (format, expected) => {
    const blocks = await blocksOf(join(ROOT, format, 'healthy'))
    const said = blocks.filter(({ kind }) => kind === 'tool-call' || kind === 'tool-result')
    expect(said.map(({ excerpt }) => excerpt)).toEqual(expected)
  })
})
