import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkFile } from '../../src/engine/examine.ts'
import type { Turn, TurnBlock, Turns } from '../../src/model/timeline.ts'
import { align } from '../../src/reporters/html/align.ts'
import { changesOf } from '../../src/reporters/html/changes.ts'
import { pageData } from '../../src/reporters/html/data.ts'
import { html } from '../../src/reporters/html/index.ts'
import type { PageData } from '../../src/reporters/html/shape.ts'
import { named, quoted, told } from '../../src/reporters/html/words.ts'
import { bare, fileReport, finding, runReport, shown } from './sample.ts'

const OPTIONS = shown()

const block = (kind: TurnBlock['kind'], changes: Partial<TurnBlock> = {}): TurnBlock => ({
  kind,
  id: '',
  name: '',
  size: 0,
  isError: false,
  isSynthetic: false,
  isDocument: false,
  excerpt: undefined,
  content: [],
  ...changes,
})
const turn = (role: Turn['role'], ...blocks: TurnBlock[]): Turn => ({ line: 1, role, blocks })
const say = (role: Turn['role'], excerpt: string): Turn => turn(role, block('text', { excerpt, size: excerpt.length }))
const conversation = (...turns: Turn[]): Turns => ({ label: 'main', role: 'main', turns })

function dataIn(page: string): PageData {
  const json = /<script type="application\/json" id="data">(.*)<\/script>\n<script>/.exec(page)?.[1]
  return JSON.parse(json!) as PageData
}

describe('align', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), { maxLength: 40 })

  test('pairs equal items only, rising on both sides', () => {
    fc.assert(
      fc.property(words, words, (before, after) => {
        let last: readonly [number, number] = [-1, -1]
        for (const [b, a] of align(before, after)) {
          expect(before[b]).toBe(after[a])
          expect(b).toBeGreaterThan(last[0])
          expect(a).toBeGreaterThan(last[1])
          last = [b, a]
        }
      }),
    )
  })

  test('pairs all of a list with itself, and all but what was put in or taken out', () => {
    fc.assert(
      fc.property(words, fc.nat(40), (list, at) => {
        expect(align(list, list)).toHaveLength(list.length)
        const more = [...list.slice(0, at), 'new', ...list.slice(at)]
        expect(align(list, more)).toHaveLength(list.length)
        expect(align(more, list)).toHaveLength(list.length)
      }),
    )
  })
})

describe('changes', () => {
  const call = turn('assistant', block('tool-call', { id: 'a' }))
  const result = turn('user', block('tool-result', { id: 'a', size: 4 }))
  const question = say('user', 'And now?')
  const answer = say('assistant', 'Done.')

  test.each([
    ['nothing', [call, result], [call, result], []],
    ['an answer put in', [call, question], [call, result, question], ['added -1 behind 0 -> 1']],
    ['a result taken out', [question, result, answer], [question, answer], ['removed 1 behind 1 -> -1']],
    [
      'a result moved',
      [call, question, answer, result],
      [call, result, question, answer],
      ['moved -1 behind 0 -> 1', 'moved 3 behind 3 -> -1'],
    ],
    [
      'a block put in',
      [call, result],
      [call, turn('user', ...result.blocks, ...question.blocks)],
      ['changed 1 behind 1 -> 1'],
    ],
    [
      'an id renamed',
      [call, result],
      [turn('assistant', block('tool-call', { id: 'b' })), turn('user', block('tool-result', { id: 'b', size: 4 }))],
      ['changed 0 behind 0 -> 0', 'changed 1 behind 1 -> 1'],
    ],
    ['something before all', [answer], [question, answer], ['added -1 behind -1 -> 0']],
  ])('%s', (_, before, after, expected) => {
    const seen = changesOf(before, after).map(
      (each) => `${each.kind} ${each.before} behind ${each.behind} -> ${each.after}`,
    )
    expect(seen).toEqual(expected)
  })
})

describe('words', () => {
  test.each([
    ['a key', 'use sk-ant-api03-abcdefghijkl now', 'use sk-ant… now'],
    ['a key at the edge', `${'x '.repeat(72)}sk-ant-api03-abcdefghijklmnopqrstuvwxyz`, `${'x '.repeat(72)}sk-ant…`],
    ['a bearer token', 'Authorization: Bearer abcdefgh12345', 'Authorization: Bearer …'],
    ['base64', `data:image/png;base64,${'iVBORw0KGgo/'.repeat(20)}`, 'data:image/png;base64,[240 characters]'],
    [
      'a path',
      'see src/reporters/html/browser/timeline.ts and docs/rules',
      'see src/reporters/html/browser/timeline.ts and docs/rules',
    ],
    ['a bidi control', 'a\u202eb', 'a\\u202eb'],
    ['line breaks', 'a\n\u2028b', 'a b'],
    ['a short word', 'sk-1', 'sk-1'],
  ])('%s', (_, text, expected) => {
    expect(quoted(text, 160)).toBe(expected)
  })

  test('a cut leaves no half of a character', () => {
    expect(quoted(`${'a'.repeat(9)}😀b`, 10)).toBe('aaaaaaaaa…')
  })

  test('ids that differ stay different', () => {
    const id = `fc_${'0123456789abcdef'.repeat(4)}`
    expect(named(id, 80)).toBe(id)
    expect(named(`${'a'.repeat(200)}1`, 80)).not.toBe(named(`${'a'.repeat(200)}2`, 80))
    expect(told(`call ${id} has no result`, 600)).toBe(`call ${id} has no result`)
  })
})

describe('page', () => {
  const HOSTILE =
    '</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> javascript:alert(3) \u2028 \u202e'
  const hostile = (): string => {
    const bad = turn('user', block('text', { excerpt: HOSTILE, size: 90 }), block('tool-result', { id: HOSTILE }))
    const found = finding({
      message: HOSTILE,
      ids: [HOSTILE],
      pointer: HOSTILE,
      turn: { conversation: 0, turn: 0, block: 1, related: [undefined] },
    })
    const before = [{ ...conversation(bad), label: HOSTILE }]
    const timeline = { before, found: [found], after: undefined, left: [found] }
    return html(runReport([fileReport({ path: HOSTILE, model: HOSTILE, findings: [found], timeline })]), OPTIONS)
  }

  test('nothing of a transcript becomes markup', () => {
    const page = hostile()
    const clean = html(runReport([]), OPTIONS)
    const tags = (text: string) => text.match(/<[^\s]/g)?.length
    expect(tags(page)).toBe(tags(clean))
    expect(page).not.toContain('\u202e')
    expect(page).not.toContain('\u2028')
    expect(dataIn(page).files[0]!.findings[0]!.message).toContain('<script>alert(1)</script>')
  })

  test('allows its own script and style and nothing else', () => {
    const page = hostile()
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!
    const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => match[1]!)
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)![1]!
    expect(scripts).toHaveLength(1)
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(policy).toBe(
      `default-src 'none'; script-src ${hash(scripts[0]!)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`,
    )
    expect(() => new Script(scripts[0]!)).not.toThrow()
    expect(scripts[0]).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|__vite|<!--/)
    expect(page).not.toMatch(/(?:src|href)="(?!#)/)
  })

  test('without excerpts no text of the conversation is in it', () => {
    const found = bare({ turn: { conversation: 0, turn: 0, block: 0, related: [] } })
    const before = [conversation(say('user', 'a private matter'))]
    const after = [conversation(say('user', 'a private matter'), say('assistant', 'another matter'))]
    const timeline = { before, found: [found], after, left: [] }
    const file = fileReport({ findings: [found], timeline })
    expect(html(runReport([file]), OPTIONS)).toContain('a private matter')
    const page = html(runReport([file]), { ...OPTIONS, excerpts: false })
    expect(page).not.toContain('matter')
    expect(dataIn(page).notes).toEqual(['The texts of the conversations were left out (--no-excerpt).'])
  })

  test('of more turns than a page carries those near findings are there, and it says how many are not', () => {
    const found = bare({ turn: { conversation: 0, turn: 60_000, block: undefined, related: [] } })
    const turns = Array.from({ length: 120_000 }, (_, i) => say('user', `text ${i}`))
    const timeline = { before: [conversation(...turns)], found: [found], after: undefined, left: [found] }
    const { files, notes } = pageData(runReport([fileReport({ findings: [found], timeline })]), OPTIONS)
    const [all] = files[0]!.conversations
    expect(all!.count).toBe(120_000)
    expect(all!.turns).toHaveLength(11)
    const sum = all!.turns.reduce<number>((total, each) => total + (typeof each === 'number' ? each : 1), 0)
    expect(sum).toBe(120_000)
    expect(notes).toEqual(['119,991 turns far from any finding are left out: a page carries 110,000 turns in full.'])
  })

  test('what was repaired, what is left, and what is known', () => {
    const place = { turn: { conversation: 0, turn: 0, block: undefined, related: [] } }
    const gone = finding({ anchor: 'orphan-tool-call a', ...place })
    const left = bare({ anchor: 'blank-text b', rule: 'blank-text', ...place })
    const known = bare({ anchor: 'empty-text c', rule: 'empty-text', suppressed: true, ...place })
    const info = finding({ anchor: 'orphan-tool-call d', severity: 'info', ...place })
    const turns = [conversation(say('user', 'hello'))]
    const timeline = { before: turns, found: [gone, left, known, info], after: turns, left: [left, known, info] }
    const file = fileReport({ findings: [left, known, info], timeline })
    const states = (mode: 'check' | 'fix') =>
      pageData(runReport([file], mode), OPTIONS).files[0]!.findings.map(({ state }) => state)
    expect(states('fix')).toEqual(['fixed', 'open', 'known', 'asked'])
    expect(states('check')).toEqual(['open', 'known', 'asked'])
  })
})

test('the engine takes the turns on both sides of the repair only where they are asked for', async () => {
  const path = join(import.meta.dirname, '../../fixtures/rules/pairing/orphan-tool-call/killed-and-gone-on/input.jsonl')
  const bytes = readFileSync(path)
  expect((await checkFile(path, {})).timeline).toBeUndefined()
  const { timeline, findings, changed } = await checkFile(path, { timeline: true })
  expect(changed).toBe(false)
  expect(readFileSync(path).equals(bytes)).toBe(true)
  expect(timeline!.found.map(({ rule }) => rule)).toEqual(findings.map(({ rule }) => rule))
  expect(timeline!.left.filter(({ severity }) => severity === 'error')).toEqual([])
  const { conversation: at, turn: index, block: part } = findings[0]!.turn!
  expect(timeline!.before[at]!.turns[index]!.blocks[part!]!.kind).toBe('tool-call')
  const changes = changesOf(timeline!.before[at]!.turns, timeline!.after![at]!.turns)
  expect(changes.map(({ kind, behind }) => `${kind} behind ${behind}`)).toEqual([`changed behind ${index + 1}`])
})
