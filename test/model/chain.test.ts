import { describe, expect, it } from 'vitest'
import { Block } from '../../src/model/blocks.ts'
import { checkpointsInsidePairs, inherit, lostBranches, parentsOf, sharedIds } from '../../src/model/chain.ts'
import { Entry, type LinkKind } from '../../src/model/document.ts'
import { Links, NOWHERE } from '../../src/model/links.ts'
import { walk } from '../../src/model/walk.ts'
import { Ids } from '../../src/text/ids.ts'

interface Facts {
  readonly kind?: LinkKind
  readonly prompt?: boolean
  readonly call?: string
  readonly result?: string
}

type Linked = readonly [id: string, parent: string, facts?: Facts]

/** Links of records given as `[id, parent, facts]`; a parent of '' makes a root. */
class Chained {
  readonly ids = new Ids()
  list: Entry[] = []
  links = new Links([], 1, 0)
  readonly #facts = new Map<Entry, Facts>()

  constructor(...records: readonly Linked[]) {
    this.#take(records)
  }

  static many(count: number, link: (i: number) => Linked): Chained {
    const chained = new Chained()
    chained.#take(Array.from({ length: count }, (_, i) => link(i)))
    return chained
  }

  #take(records: readonly Linked[]): void {
    this.list = records.map(([id, parent, facts = {}], record) => {
      const entry = new Entry(record, [])
      entry.id = this.ids.add(id)
      entry.parent = this.ids.add(parent)
      entry.kind = facts.kind ?? 'message'
      const blocks: Block[] = []
      if (facts.call) blocks.push(new Block('tool-call', entry, ['content', 0], { id: this.ids.add(facts.call) }))
      if (facts.result) blocks.push(new Block('tool-result', entry, ['content', 0], { id: this.ids.add(facts.result) }))
      entry.blocks = blocks
      this.#facts.set(entry, facts)
      return entry
    })
    this.links = new Links(this.list, this.ids.size, records.length)
  }

  name(entry: Entry | undefined): string {
    return entry ? this.ids.text(entry.id) : '-'
  }

  walk(bridge = true) {
    const leaf = this.list.at(-1)!
    const { path, breaks, shared } = walk(this.links, leaf, bridge ? { bridge: ({ kind }) => kind === 'message' } : {})
    return {
      path: path.map((entry) => this.name(entry)).join(' '),
      breaks: breaks.map(({ kind, entry, next }) => `${kind} ${this.name(entry)}→${this.name(next)}`),
      shared: shared.map(({ first, later }) => `${first.record}/${later.record}`),
      entries: path,
    }
  }

  lost() {
    return lostBranches(this.links, this.walk().entries, {
      isLoaded: () => false,
      isPrompt: (entry) => this.#facts.get(entry)!.prompt === true,
      isForeign: () => false,
    }).map(({ fork, tip, live }) => `${this.name(fork)}: ${this.name(tip)} | ${this.name(live)}`)
  }
}

const note: Facts = { kind: 'note' }
const prompt: Facts = { prompt: true }

describe('walking from the leaf to the root', () => {
  it.each<[string, Chained, string, string[]]>([
    ['a sound chain', new Chained(['a', ''], ['b', 'a'], ['c', 'b']), 'a b c', []],
    ['a lost parent', new Chained(['a', ''], ['b', 'x'], ['c', 'b']), 'a b c', ['missing-parent b→a']],
    ['a lost parent of the first record', new Chained(['a', 'x'], ['b', 'a']), 'a b', []],
    ['its own parent', new Chained(['a', ''], ['b', 'b']), 'a b', ['parent-cycle b→a']],
    ['a ring of two', new Chained(['a', ''], ['b', 'c'], ['c', 'b']), 'a b c', ['parent-cycle b→a']],
    ['a ring with nothing before it', new Chained(['b', 'c'], ['c', 'b']), 'b c', ['parent-cycle b→-']],
    [
      'notes are no bridge',
      new Chained(['a', ''], ['n', 'a', note], ['b', 'x'], ['c', 'b']),
      'a b c',
      ['missing-parent b→a'],
    ],
    [
      'several breaks in one walk',
      new Chained(['a', 'x'], ['b', 'y'], ['c', 'z'], ['d', 'c']),
      'a b c d',
      ['missing-parent c→b', 'missing-parent b→a'],
    ],
    [
      'a damaged record without a parent',
      new Chained(['a', ''], ['t', '', { kind: 'damaged' }], ['b', 't']),
      'a t b',
      [],
    ],
  ])('%s', (_, chained, path, breaks) => {
    const walked = chained.walk()
    expect(walked.path).toBe(path)
    expect(walked.breaks).toEqual(breaks)
    expect(walked.shared).toEqual([])
  })

  it('ends at a lost parent where the client does', () => {
    expect(new Chained(['a', ''], ['b', 'x'], ['c', 'b']).walk(false).path).toBe('b c')
  })

  it('leaves a ring through the earlier record of an id', () => {
    const walked = new Chained(['a', ''], ['h', 'a'], ['b', 'h'], ['h', 'b'], ['c', 'h']).walk()
    expect(walked).toMatchObject({ path: 'a h b h c', breaks: [], shared: ['1/3'] })
  })

  it('takes a step back that led forward into a ring', () => {
    const walked = new Chained(['a', ''], ['x', 'a'], ['b', 'x'], ['c', 'b'], ['x', 'c'], ['d', 'c']).walk()
    expect(walked).toMatchObject({ path: 'a x b c d', breaks: [], shared: ['1/4'] })
  })
})

describe('sides of forks that are left out', () => {
  it.each<[string, Chained, string[]]>([
    ['a late note', new Chained(['u', '', prompt], ['a', 'u'], ['n', 'u', note], ['v', 'n', prompt]), ['u: a | n']],
    [
      'several records, one finding',
      new Chained(['u', '', prompt], ['a', 'u'], ['b', 'a'], ['n', 'u', note], ['v', 'n', prompt]),
      ['u: b | n'],
    ],
    ['a rewind', new Chained(['u', '', prompt], ['a', 'u'], ['v', 'u', prompt]), []],
    ['a prompt on the lost side', new Chained(['u', ''], ['v', 'u', prompt], ['n', 'u', note]), []],
    ['notes only on the lost side', new Chained(['u', ''], ['n', 'u', note], ['m', 'u', note], ['a', 'm']), []],
    [
      'a result that came again',
      new Chained(['c', '', { call: 't' }], ['r', 'c', { result: 't' }], ['a', 'r'], ['s', 'c', { result: 't' }]),
      ['c: a | s'],
    ],
    [
      'another result',
      new Chained(['c', '', { call: 't' }], ['r', 'c', { result: 't' }], ['s', 'c', { result: 'o' }]),
      [],
    ],
    ['another root', new Chained(['x', ''], ['y', 'x'], ['u', ''], ['n', 'u', note], ['a', 'n']), []],
  ])('%s', (_, chained, expected) => expect(chained.lost()).toEqual(expected))
})

describe('ids that several records bear', () => {
  const shared = (chained: Chained) => sharedIds(chained.links, chained.walk().entries, []).map(({ effect }) => effect)
  it('copies are the same', () => {
    expect(shared(new Chained(['a', ''], ['b', 'a'], ['a', ''], ['b', 'a']))).toEqual(['same', 'same'])
  })
  it('another parent and other content hide the first one', () => {
    expect(shared(new Chained(['a', ''], ['x', 'a', { call: 't' }], ['b', 'a'], ['x', 'b']))).toEqual(['harmful'])
  })
  it('a later version of the record under the same parent is none of that', () => {
    expect(shared(new Chained(['a', ''], ['x', 'a', { call: 't' }], ['x', 'a']))).toEqual(['same'])
  })
})

it('finds checkpoints between a call and its result', () => {
  const { list, ids } = new Chained(
    ['k', '', { kind: 'checkpoint' }],
    ['c', 'k', { call: 't' }],
    ['l', 'c', { kind: 'checkpoint' }],
    ['r', 'l', { result: 't' }],
  )
  expect(checkpointsInsidePairs(list).map(({ checkpoint }) => ids.text(checkpoint.id))).toEqual(['l'])
})

it('inherits along parents, and gives rings what dead ends get', () => {
  const parents = Int32Array.of(NOWHERE, 0, 1, 4, 3, 3)
  expect([...inherit(parents, (place) => (place === 0 ? 7 : undefined), 9)]).toEqual([7, 7, 7, 9, 9, 9])
})

describe('a hundred thousand hostile links', () => {
  const COUNT = 100_000
  const of = (link: (i: number) => Linked) => Chained.many(COUNT, link)
  it.each<[string, () => Chained]>([
    ['all parents lost', () => of((i) => [`${i}`, `x${i}`])],
    ['all their own parents', () => of((i) => [`${i}`, `${i}`])],
    ['one big ring', () => of((i) => [`${i}`, `${(i + 1) % COUNT}`])],
    ['rings of two', () => of((i) => [`${i}`, `${i ^ 1}`])],
    ['one id for all', () => of(() => ['x', 'x'])],
    ['a thousand ids again and again', () => of((i) => [`${i % 1000}`, `${(i * 7919) % 1000}`])],
    ['copies behind all that name them', () => of((i) => (i < COUNT / 2 ? [`${i}`, 'x'] : ['x', `${i - COUNT / 2}`]))],
    ['links at random', () => of((i) => [`${i}`, `${(i * 7919 + 13) % COUNT}`])],
  ])('%s are walked within seconds', (_, make) => {
    const chained = make()
    const start = performance.now()
    const { entries } = chained.walk()
    chained.lost()
    sharedIds(chained.links, entries, [])
    parentsOf(chained.links)
    expect(performance.now() - start).toBeLessThan(5_000)
    expect(new Set(entries).size).toBe(entries.length)
  })
})
