import { expect, test } from 'vitest'
import { Origins } from '../../src/engine/origins.ts'
import { type JsonChange, JsonEdits } from '../../src/text/edit.ts'
import { ValueRecords } from '../../src/text/value-records.ts'
import type { Path } from '../../src/text/view.ts'
import { Dice } from '../support/dice.ts'

const LIST: Path = ['list']
const remove = (...path: Path): JsonChange => ({ op: 'remove', path: [...LIST, ...path] })
const insert = (index: number): JsonChange => ({ op: 'insert', path: LIST, index, value: 'new' })
const set = (...path: Path): JsonChange => ({ op: 'set', path: [...LIST, ...path], value: 'new' })

const origin = (rounds: readonly JsonChange[][], ...path: Path): Path | undefined => {
  const origins = new Origins(new ValueRecords([]))
  for (const changes of rounds) origins.take([{ edit: 'json', record: 0, changes }])
  return origins.pathOf(0, [...LIST, ...path])?.slice(1)
}

test.each<[string, JsonChange[][], Path, Path | undefined]>([
  ['nothing was changed', [], [2, 'a'], [2, 'a']],
  ['an earlier item went', [[remove(0)]], [2, 'a'], [3, 'a']],
  ['a later item went', [[remove(3)]], [2], [2]],
  ['two went around it', [[remove(0), remove(2)]], [0], [1]],
  ['two went before it', [[remove(0), remove(1)]], [0], [2]],
  ['one came before it', [[insert(0)]], [2], [1]],
  ['it came itself', [[insert(1)]], [1], undefined],
  ['one came, one went', [[insert(0), remove(0)]], [1], [1]],
  ['round after round', [[remove(0)], [remove(0)], [insert(0)]], [1], [2]],
  ['it was set itself', [[set(1, 'a')]], [1, 'a'], [1, 'a']],
  ['something in it was set', [[set(1, 'a')]], [1], [1]],
  ['it stands in what was set', [[set(1)]], [1, 'a'], undefined],
  ['its neighbour was set', [[set(1)]], [2, 'a'], [2, 'a']],
])('where it stood at first: %s', (_, rounds, path, expected) => {
  expect(origin(rounds, ...path)).toEqual(expected)
})

test('every item leads back to itself, whatever came and went in some rounds', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const dice = new Dice(seed)
    const origins = new Origins(new ValueRecords([]))
    let list: unknown[] = Array.from({ length: 1 + dice.roll(12) }, (_, i) => i)
    for (let round = dice.roll(4); round >= 0; round--) {
      const changes: JsonChange[] = []
      list.forEach((_, i) => {
        if (dice.once(4)) changes.push(remove(i))
        while (dice.once(5)) changes.push(insert(i))
      })
      const edits = new JsonEdits()
      for (const change of changes) edits.add(change)
      list = (edits.toValue({ list }) as { list: unknown[] }).list
      origins.take([{ edit: 'json', record: 0, changes }])
    }
    const led = list.map((_, i) => origins.pathOf(0, [...LIST, i])?.[1] ?? 'new')
    expect(led, `seed ${seed}`).toEqual(list)
  }
})
