import { expect, it } from 'vitest'
import { check, fix } from '../../src/index.ts'

const MEGA = 1024 * 1024
const PDF = Buffer.from('%PDF-1.4\n').toString('base64')
const pdf = (size: number): unknown => ({
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data: PDF + 'A'.repeat(size - PDF.length) },
})
const text = (size: number): unknown => ({ type: 'text', text: 'a'.repeat(size) })
const turns = (...contents: unknown[][]): string =>
  JSON.stringify(
    contents.flatMap((content) => [
      { role: 'user', content },
      { role: 'assistant', content: 'Read.' },
    ]),
  )
const RULE = { select: ['request-too-large'] }

it('is silent up to the limit', () => {
  expect(check(turns([pdf(16 * MEGA)], [pdf(15 * MEGA)]), RULE).findings).toEqual([])
})

it('is told at the message that goes over it', () => {
  const { findings } = check(turns([pdf(12 * MEGA)], [pdf(12 * MEGA)], [pdf(12 * MEGA)], [text(5)]), RULE)
  expect(findings.map(({ severity, pointer, message }) => `${severity} ${pointer}: ${message}`)).toEqual([
    'error /4: the conversation has 37,748,761 bytes, at most 33,554,432 are taken',
  ])
})

it('takes out the oldest, as many as it has to', () => {
  const value = turns([pdf(12 * MEGA), text(3)], [pdf(12 * MEGA)], [pdf(12 * MEGA)])
  const { output, findings, applied } = fix(value, RULE)
  expect(findings).toEqual([])
  expect(applied.map(({ removed }) => removed.map(({ kind }) => kind))).toEqual([['media']])
  const [first, , second] = JSON.parse(output) as { content: { type: string }[] }[]
  expect(first!.content).toEqual([{ type: 'text', text: '[Document removed to save context]' }, text(3)])
  expect(second!.content[0]!.type).toBe('document')
})

it('never cuts a text', () => {
  const value = turns([text(33 * MEGA), pdf(MEGA)])
  const { output, findings } = fix(value, RULE)
  expect(output === value).toBe(true)
  expect(findings.map(({ fix: offered }) => offered)).toEqual([null])
})
