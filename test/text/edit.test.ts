import { expect, test } from 'vitest'
import { type JsonChange, JsonEdits } from '../../src/text/edit.ts'
import { parseView } from '../../src/text/text-view.ts'
import type { Json, Path } from '../../src/text/view.ts'
import { bytesOf } from './support.ts'

const set = (path: Path, value: Json): JsonChange => ({ op: 'set', path, value })

/** The text after the changes, which the plain value has to agree with. */
function edited(text: string, ...changes: JsonChange[]): string {
  const edits = new JsonEdits()
  for (const change of changes) {
    expect(edits.accepts(change)).toBe(true)
    edits.add(change)
  }
  const bytes = bytesOf(text)
  const out = Buffer.from(edits.toText(parseView(bytes)!, bytes)).toString('utf8')
  expect(edits.toValue(JSON.parse(text))).toStrictEqual(JSON.parse(out))
  return out
}

test.each<[string, string, JsonChange[], string]>([
  ['a field', '{"a": 1}', [set(['b'], 2)], '{"a": 1,"b": 2}'],
  ['an object on the way', '{"a": 1}', [set(['f', 'n'], 'x')], '{"a": 1,"f": {"n":"x"}}'],
  ['objects on the way', '{}', [set(['f', 'g', 'n'], 'x')], '{"f":{"g":{"n":"x"}}}'],
  ['two values below one', '{}', [set(['f', 'n'], 'x'), set(['f', 'm'], 'y')], '{"f":{"n":"x","m":"y"}}'],
  ['an object in the place of null', '{"f":null,"z":1.0}', [set(['f', 'n'], 'x')], '{"f":{"n":"x"},"z":1.0}'],
  ['what stands there stays', '{"f":{"k":1.0}}', [set(['f', 'n'], 'x')], '{"f":{"k":1.0,"n":"x"}}'],
  ['a name of JavaScript’s own', '{}', [set(['__proto__', 'n'], 1)], '{"__proto__":{"n":1}}'],
])('sets: %s', (_, text, changes, expected) => {
  expect(edited(text, ...changes)).toBe(expected)
})

test.each<[string, string, JsonChange[]]>([
  ['removing below what is not there', '{"a": 1}', [{ op: 'remove', path: ['f', 'n'] }]],
  ['inserting below what is not there', '{"a": 1}', [{ op: 'insert', path: ['f', 'n'], index: 0, value: 1 }]],
  ['an item of a list that is not there', '{"a": 1}', [set(['f', 0], 'x')]],
  ['below a text', '{"f": "x"}', [set(['f', 'n'], 'x')]],
  ['below null, removing', '{"f": null}', [{ op: 'remove', path: ['f', 'n'] }]],
])('makes nothing: %s', (_, text, changes) => {
  expect(edited(text, ...changes)).toBe(text)
})
