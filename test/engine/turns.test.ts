import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
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

test.each([
  [['image', 'the cart page'], 'the cart page'],
  [['image'], undefined],
  [['the cart page', 'image'], 'the cart page'],
])('a result of %j is quoted with its text', async (parts, expected) => {
  const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
  const content = parts.map((part) => (part === 'image' ? { type: 'image', source } : { type: 'text', text: part }))
  const messages = [
    { role: 'user', content: 'Show me.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'Look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
  ]
  const folder = mkdtempSync(join(tmpdir(), 'convfix-turns-'))
  writeFileSync(join(folder, 'input.json'), JSON.stringify(messages))
  const blocks = await blocksOf(folder)
  rmSync(folder, { recursive: true })
  expect(blocks.find(({ kind }) => kind === 'tool-result')?.excerpt).toBe(expected)
})
