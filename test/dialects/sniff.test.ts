import { expect, it } from 'vitest'
import { sniff } from '../../src/dialects/sniff.ts'

const pdf = (...objects: string[]): string => Buffer.from(`%PDF-1.4\n${objects.join('\n')}`).toString('base64')
const object = (number: number, dictionary: string): string => `${number} 0 obj\n<< ${dictionary} >>\nendobj`
const tree = (number: number, count: number): string => object(number, `/Type /Pages /Count ${count}`)

it.each<[string, string[], number]>([
  ['the count of the tree', [tree(2, 12)], 12],
  ['the root of the tree, not its branches', [tree(3, 5), tree(2, 12), tree(4, 7)], 12],
  ['the count before the type', [object(2, '/Count 12 /Type/Pages')], 12],
  ['a dictionary inside the node', [object(2, '/Type /Pages /Resources << /Font << >> >> /Count 12')], 12],
  ['what was saved last', [tree(2, 120), 'startxref 9 %%EOF', tree(2, 80)], 80],
  ['page objects without a tree', [object(3, '/Type /Page /Parent 2 0 R'), object(4, '/Type/Page')], 2],
  ['a page saved twice', [object(3, '/Type /Page'), object(3, '/Type /Page')], 1],
  ['not the outline', [tree(2, 3), object(9, '/Type /Outlines /Count 900')], 3],
  ['not a name that only begins so', [object(3, '/Type /PageLabel')], 0],
  ['nothing of packed objects', [object(3, '/Type /ObjStm /N 40')], 0],
])('pages: %s', (_, objects, pages) => {
  expect(sniff(pdf(...objects))).toMatchObject({ format: 'application/pdf', pages })
})

it('counts the pages of what only looks like a tree in linear time', () => {
  const started = process.cpuUsage().user
  expect(sniff(pdf(`<<${'/Type/Pages '.repeat(340)}`.repeat(1000))).pages).toBe(0)
  // 4 MB; what looked back from each mark took 3 s.
  expect(process.cpuUsage().user - started).toBeLessThan(1_500_000)
})
