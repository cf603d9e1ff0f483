import { describe, expect, it } from 'vitest'
import type { Operation } from '../../../src/model/finding.ts'
import { Opened } from '../opened.ts'
import {
  assistant,
  attachment,
  boundary,
  type Fields,
  got,
  lastPrompt,
  progress,
  result,
  summary,
  system,
  text,
  use,
  user,
} from './records.ts'

const open = (...records: Fields[]): Opened => Opened.lines(records, 'claude-code')

/** The path that the client walks, invented records as `+`. */
function path(opened: Opened): string {
  return opened.transcript
    .chain!.path.map((entry) => opened.id(entry)!)
    .map((id) => (id.length > 20 ? '+' : id))
    .join(' ')
}

/** Makes repairs of one round; checks what must hold of every file, and answers with the file read anew. */
function edited(opened: Opened, ...repairs: Operation[][]): Opened {
  const before = opened.lines
  expect(opened.edit(...repairs)).toEqual(repairs.map(() => true))
  const again = new Opened(opened.text, 'claude-code')
  // What stays in memory is what a new reader sees.
  expect(again.shape).toEqual(opened.shape)
  expect(path(again)).toBe(path(opened))
  const { chain } = again.transcript
  expect(chain!.breaks).toEqual([])
  expect(chain!.shared).toEqual([])
  expect(chain!.compactions).toEqual([])
  const ids = new Set(again.values.map(({ uuid }) => uuid))
  for (const { parentUuid } of again.values) if (parentUuid) expect(ids).toContain(parentUuid)
  // A line is one that stood there, or one that a repair touched.
  const touched = opened.lines.filter((line) => !before.includes(line)).length
  expect(touched).toBeLessThanOrEqual(repairs.flat().length * 4)
  return again
}

const u1 = user('u1', null, 'Weed')
const c1 = assistant('c1', 'u1', 'm1', use('t1'))
const c2 = assistant('c2', 'c1', 'm1', use('t2'))
const answer = (opened: Opened, id: string): Operation => ({
  do: 'answer',
  call: opened.block('tool-call', id),
  text: 'lost',
})

describe('answering a call', () => {
  it.each<[string, Fields[], string[], string, string[]]>([
    ['at the end', [u1, c1], ['t1'], 'u1 c1 +', ['user: text', 'assistant: tool-call(t1)', 'user: tool-result(t1)']],
    [
      'before the next prompt',
      [u1, c1, user('u2', 'c1', 'hi')],
      ['t1'],
      'u1 c1 + u2',
      ['user: text', 'assistant: tool-call(t1)', 'user: tool-result(t1) text'],
    ],
    [
      'behind progress and notes',
      [u1, c1, progress('p1', 'c1'), progress('p2', 'p1')],
      ['t1'],
      'u1 c1 p1 p2 +',
      ['user: text', 'assistant: tool-call(t1)', 'user: tool-result(t1)'],
    ],
    [
      'several of one turn in call order, behind the real one',
      [
        u1,
        c1,
        c2,
        assistant('c3', 'c2', 'm1', use('t3')),
        result('r', 'c3', 't2'),
        assistant('a', 'r', 'm2', text('x')),
      ],
      ['t1', 't3'],
      'u1 c1 c2 c3 r + + a',
      [
        'user: text',
        'assistant: tool-call(t1) tool-call(t2) tool-call(t3)',
        'user: tool-result(t2) tool-result(t1) tool-result(t3)',
        'assistant: text',
      ],
    ],
    [
      'a call that is off the path',
      [u1, c1, c2, result('r', 'c1', 't1'), assistant('a', 'r', 'm2', text('x'))],
      ['t2'],
      'u1 c1 r + a',
      [
        'user: text',
        'assistant: tool-call(t1) tool-call(t2)',
        'user: tool-result(t1) tool-result(t2)',
        'assistant: text',
      ],
    ],
    [
      'in a record that holds a result and more',
      [u1, c1, c2, user('r', 'c2', [got('t1'), text('and')])],
      ['t2'],
      'u1 c1 c2 r',
      ['user: text', 'assistant: tool-call(t1) tool-call(t2)', 'user: tool-result(t1) tool-result(t2) text'],
    ],
  ])('%s', (_, records, calls, walked, shape) => {
    const opened = open(...records)
    const again = edited(opened, ...calls.map((id) => [answer(opened, id)]))
    expect(path(again)).toBe(walked)
    expect(again.shape).toEqual(shape)
  })

  it('copies the envelope, and comes in time before what follows', () => {
    const opened = open(u1, c1, { ...user('u2', 'c1', 'hi'), timestamp: c1.timestamp })
    const [, call, invented] = edited(opened, [answer(opened, 't1')]).values
    expect(invented).toMatchObject({
      parentUuid: 'c1',
      sessionId: call!.sessionId,
      cwd: '/home/me/garden',
      version: '2.1.300',
      gitBranch: 'main',
      isSidechain: false,
      userType: 'external',
      type: 'user',
      timestamp: c1.timestamp,
      sourceToolAssistantUUID: 'c1',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: 'lost' }] },
    })
    expect(invented!.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(invented).not.toHaveProperty('requestId')
  })

  it('gives the same id to the same call every time', () => {
    const texts = [1, 2].map(() => {
      const opened = open(u1, c1)
      return edited(opened, [answer(opened, 't1')]).text
    })
    expect(texts[0]).toBe(texts[1])
  })

  it('takes the id of the lost result that the next record names', () => {
    const opened = open(u1, c1, assistant('a', 'lost', 'm2', text('x')), user('d', 'lost', 'left'), lastPrompt('a'))
    const again = edited(opened, [answer(opened, 't1')])
    expect(path(again)).toBe('u1 c1 lost a')
  })

  it('keeps the leaf, dead branches and the order of the file', () => {
    const opened = open(u1, c1, user('dead', 'c1', 'left'), user('u2', 'c1', 'live'), lastPrompt('u2'))
    const again = edited(opened, [answer(opened, 't1')])
    expect(path(again)).toBe('u1 c1 + u2')
    expect(again.values.find(({ uuid }) => uuid === 'dead')!.parentUuid).toBe('c1')
    expect(again.lines[3]).toBe(opened.lines[3])
  })

  it('adds to the list of what a compaction keeps', () => {
    const kept = (...uuids: string[]) => ({ preservedMessages: { anchorUuid: 's', uuids } })
    const opened = open(
      u1,
      c1,
      user('u2', 'c1', 'hi'),
      boundary('b', 'u2', kept('c1', 'u2')),
      summary('s', 'b'),
      user('u3', 's', 'x'),
    )
    const again = edited(opened, [answer(opened, 't1')])
    expect(path(again)).toBe('b s c1 + u2 u3')
  })

  it('adds behind the tail of what a compaction keeps', () => {
    for (const kept of [
      { preservedMessages: { anchorUuid: 's', uuids: ['u1', 'c1'] } },
      { preservedSegment: { anchorUuid: 's', headUuid: 'u1', tailUuid: 'c1' } },
    ]) {
      const opened = open(u1, c1, boundary('b', 'c1', kept), summary('s', 'b'), user('u3', 's', 'x'))
      const again = edited(opened, [answer(opened, 't1')])
      expect(path(again)).toBe('b s u1 c1 + u3')
    }
  })

  it('works without links', () => {
    const opened = open(
      { type: 'user', message: { role: 'user', content: 'a' } },
      { type: 'assistant', message: { role: 'assistant', content: [use('t1')] } },
      { type: 'user', message: { role: 'user', content: 'b' } },
    )
    opened.edit([answer(opened, 't1')])
    expect(opened.shape).toEqual(['user: text', 'assistant: tool-call(t1)', 'user: tool-result(t1) text'])
    expect(Object.keys(opened.values[2]!)).toEqual(['type', 'message'])
  })
})

describe('moving a result', () => {
  it('takes its record to the call, links and lines', () => {
    const opened = open(u1, c1, user('u2', 'c1', 'x'), assistant('a', 'u2', 'm2', text('d')), result('r', 'a', 't1'))
    const again = edited(opened, [
      { do: 'move-result', result: opened.block('tool-result', 't1'), call: opened.block('tool-call', 't1') },
    ])
    expect(path(again)).toBe('u1 c1 r u2 a')
    expect(again.values.map(({ uuid }) => uuid)).toEqual(['u1', 'c1', 'r', 'u2', 'a'])
    expect(again.values[2]!.toolUseResult).toEqual({ shown: ['t1'] })
  })

  it('takes one block out of a record that holds more', () => {
    const opened = open(
      u1,
      c1,
      user('u2', 'c1', 'x'),
      assistant('a', 'u2', 'm2', text('d')),
      user('r', 'a', [got('t1'), text('y')]),
    )
    const again = edited(opened, [
      { do: 'move-result', result: opened.block('tool-result', 't1'), call: opened.block('tool-call', 't1') },
    ])
    expect(path(again)).toBe('u1 c1 + u2 a r')
    expect(again.shape.at(-1)).toBe('user: text')
  })

  it('does not let another branch become the end', () => {
    const opened = open(u1, c1, user('u2', 'c1', 'x'), user('dead', 'u1', 'left'), result('r', 'u2', 't1'))
    const again = edited(opened, [
      { do: 'move-result', result: opened.block('tool-result', 't1'), call: opened.block('tool-call', 't1') },
    ])
    expect(path(again)).toBe('u1 c1 r u2')
  })
})

describe('removing', () => {
  it('a record by its only block links every child, dead ones too, and what names it', () => {
    const opened = open(
      u1,
      c1,
      assistant('copy', 'c1', 'm1', use('t1')),
      user('dead', 'copy', 'left'),
      { ...result('r', 'copy', 't1') },
      { type: 'summary', summary: 's', leafUuid: 'copy' },
    )
    const again = edited(opened, [{ do: 'remove-block', block: opened.block('tool-call', 't1', 1) }])
    expect(path(again)).toBe('u1 c1 r')
    const by = Object.fromEntries(again.values.map((value) => [value.uuid ?? value.type, value]))
    expect(by.dead!.parentUuid).toBe('c1')
    expect(by.r!.sourceToolAssistantUUID).toBe('c1')
    expect(by.summary!.leafUuid).toBe('c1')
  })

  it('two records in a row in one round', () => {
    const opened = open(
      u1,
      user('x', 'u1', [got('z1')]),
      user('y', 'x', [got('z2')]),
      assistant('a', 'y', 'm1', text('b')),
    )
    const again = edited(
      opened,
      [{ do: 'remove-block', block: opened.block('tool-result', 'z1') }],
      [{ do: 'remove-block', block: opened.block('tool-result', 'z2') }],
    )
    expect(path(again)).toBe('u1 a')
  })

  it('all blocks of a record one by one in one round', () => {
    const opened = open(u1, user('x', 'u1', [got('z1'), got('z2')]), assistant('a', 'x', 'm1', text('b')))
    const again = edited(
      opened,
      [{ do: 'remove-block', block: opened.block('tool-result', 'z1') }],
      [{ do: 'remove-block', block: opened.block('tool-result', 'z2') }],
    )
    expect(path(again)).toBe('u1 a')
  })

  it('one block of several leaves every other byte', () => {
    const opened = open(u1, user('x', 'u1', [text('keep'), got('z1')]))
    const before = opened.lines[1]!
    const again = edited(opened, [{ do: 'remove-block', block: opened.block('tool-result', 'z1') }])
    expect(again.lines[1]).toBe(before.replace(/,\{"type":"tool_result".*?\}(?=\])/, ''))
    expect(again.shape).toEqual(['user: text text'])
  })

  it('the first record makes the next one the root', () => {
    const opened = open(user('x', null, [got('z1')]), user('u', 'x', 'hi'))
    const again = edited(opened, [{ do: 'remove-block', block: opened.block('tool-result', 'z1') }])
    expect(again.values.map(({ parentUuid }) => parentUuid)).toEqual([null])
  })

  it('the leaf keeps the conversation that ends there, though another branch has a later line', () => {
    for (const pointer of [[], [lastPrompt('x')]]) {
      const a = assistant('a', 'u1', 'm1', text('b'))
      const opened = open(u1, a, user('dead', 'a', 'left'), user('x', 'a', [got('z1')]), ...pointer)
      const again = edited(opened, [{ do: 'remove-block', block: opened.block('tool-result', 'z1') }])
      expect(path(again)).toBe('u1 a')
    }
  })

  it('a record that a compaction keeps', () => {
    const kept = { preservedMessages: { anchorUuid: 's', uuids: ['u1', 'x', 'a'] } }
    const a = assistant('a', 'x', 'm1', text('b'))
    const opened = open(
      u1,
      user('x', 'u1', [got('z1')]),
      a,
      boundary('b', 'a', kept),
      summary('s', 'b'),
      user('u9', 's', 'z'),
    )
    const again = edited(opened, [{ do: 'remove-block', block: opened.block('tool-result', 'z1') }])
    expect(path(again)).toBe('b s u1 a u9')
  })

  it('an unfinished compaction brings back what stood before', () => {
    const a = assistant('a', 'u1', 'm1', text('b'))
    const opened = open(u1, a, boundary('b', 'a'), user('u2', 'gone', 'after'))
    const { breaks } = opened.transcript.chain!
    const again = edited(
      opened,
      [{ do: 'relink', entry: breaks[0]!.entry, parent: breaks[0]!.next }],
      [{ do: 'drop-entry', entry: opened.entry('b') }],
    )
    expect(path(again)).toBe('u1 a u2')
  })
})

describe('other operations', () => {
  it('relinks a broken chain', () => {
    const opened = open(u1, c1, result('r', 'c1', 't1'), user('u2', 'gone', 'x'))
    const again = edited(opened, [{ do: 'relink', entry: opened.entry('u2'), parent: opened.entry('r') }])
    expect(path(again)).toBe('u1 c1 r u2')
  })

  it('gives the later record of two an id of its own, and its children with it', () => {
    const hook = (parent: string) => ({ type: 'saved_hook_context', uuid: 'h', parentUuid: parent, content: 'plugin' })
    const opened = open(
      u1,
      hook('u1'),
      assistant('a1', 'h', 'm1', text('x')),
      user('u2', 'a1', 'y'),
      hook('u2'),
      assistant('a2', 'h', 'm2', text('z')),
    )
    const [shared] = opened.transcript.chain!.shared
    expect(shared).toMatchObject({ effect: 'harmful', later: { record: 4 } })
    const again = edited(opened, [{ do: 're-id', entry: shared!.later }])
    expect(path(again)).toBe('u1 h a1 u2 + a2')
  })

  it('brings results to the front: whole records, or blocks of one', () => {
    const apart = open(u1, c1, user('x', 'c1', 'pre'), result('r', 'x', 't1'))
    const first = edited(apart, [{ do: 'results-first', message: apart.messages[2]! }])
    expect(path(first)).toBe('u1 c1 r x')
    const inside = open(u1, c1, user('r', 'c1', [text('pre'), got('t1')]))
    const second = edited(inside, [{ do: 'results-first', message: inside.messages[2]! }])
    expect(second.shape.at(-1)).toBe('user: tool-result(t1) text')
  })

  it('inserts, fills, removes and folds messages', () => {
    const a = assistant('a', 'u1', 'm1', text('b'))
    const inserted = open(u1, a)
    expect(
      edited(inserted, [{ do: 'insert-message', before: inserted.messages[0]!, role: 'user', text: 'hi' }]).shape,
    ).toEqual(['user: text text', 'assistant: text'])
    const between = open(u1, a, assistant('a2', 'a', 'm2', text('c')))
    const mended = edited(between, [
      { do: 'insert-message', before: between.messages[2]!, role: 'user', text: 'go on' },
    ])
    expect(path(mended)).toBe('u1 a + a2')
    const empty = open(u1, assistant('a', 'u1', 'm1'))
    expect(edited(empty, [{ do: 'fill-message', message: empty.messages[1]!, text: 'x' }]).shape[1]).toBe(
      'assistant: text',
    )
    const removed = open(u1, a, assistant('a2', 'a', 'm2', text('c')))
    expect(path(edited(removed, [{ do: 'remove-message', message: removed.messages[1]! }]))).toBe('u1 a2')
    const folded = open(u1, a, assistant('a2', 'a', 'm2', text('c')))
    const [, into, from] = folded.messages
    expect(edited(folded, [{ do: 'fold', from: from!, into: into! }]).shape).toEqual([
      'user: text',
      'assistant: text text',
    ])
  })

  it('renames ids, sets inputs, replaces and merges blocks', () => {
    const opened = open(u1, c1, result('r', 'c1', 't1'), user('r2', 'r', [got('t1', [text('more')]), text('z')]))
    const again = edited(
      opened,
      [
        { do: 'rename-id', block: opened.block('tool-call', 't1'), id: 't9' },
        { do: 'rename-id', block: opened.block('tool-result', 't1'), id: 't9' },
      ],
      [{ do: 'set-input', block: opened.block('tool-call', 't1'), value: { a: 1 } }],
      [
        {
          do: 'merge-result',
          from: opened.block('tool-result', 't1', 1),
          into: opened.block('tool-result', 't1'),
        },
      ],
    )
    expect(again.shape).toEqual(['user: text', 'assistant: tool-call(t9)', 'user: tool-result(t9) text'])
    expect(again.values[2]!.message).toMatchObject({ content: [{ content: [text('got t1'), text('more')] }] })
    // The display copy is left alone: the client does not send it.
    expect(again.values[2]!.toolUseResult).toEqual({ shown: ['t1'] })
  })

  it('takes none of a repair of which it cannot take all', () => {
    const opened = open(u1, c1, user('u2', 'c1', 'x'))
    const replace: Operation = { do: 'replace-block', block: opened.messages[2]!.blocks[0]!, text: 'y' }
    expect(opened.edit([replace], [answer(opened, 't1'), replace])).toEqual([true, false])
    expect(opened.shape).toEqual(['user: text', 'assistant: tool-call(t1)', 'user: text'])
    expect(path(opened)).toBe('u1 c1 u2')
  })

  it('keeps notes where they were', () => {
    const opened = open(
      u1,
      c1,
      attachment('t', 'c1', 'date_change'),
      user('u2', 't', 'x'),
      system('s', 'u2', 'informational'),
    )
    expect(path(edited(opened, [answer(opened, 't1')]))).toBe('u1 c1 t + u2 s')
  })
})

it('makes ten thousand repairs among a hundred thousand records within seconds', () => {
  const records: Fields[] = [u1]
  let parent = 'u1'
  for (let i = 0; i < 100_000; i++) {
    const id = `x${i}`
    records.push(i % 10 === 0 ? assistant(id, parent, `m${i}`, use(`t${i}`)) : user(id, parent, 'y'))
    parent = id
  }
  const opened = open(...records)
  const repairs = opened.messages
    .flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === 'tool-call'))
    .map((call): Operation[] => [{ do: 'answer', call, text: 'lost' }])
  expect(repairs.length).toBe(10_000)
  const start = performance.now()
  opened.edit(...repairs)
  expect(performance.now() - start).toBeLessThan(30_000)
  expect(opened.transcript.chain!.path.length).toBe(110_001)
})

describe('a branch that last-prompt names', () => {
  it.each(['m9', ''])('ends with the answer that is put behind it (message id %j)', (group) => {
    const opened = open(
      u1,
      assistant('c', 'u1', group, use('z1')),
      user('v', 'u1', 'instead'),
      assistant('w', 'v', 'm2', text('b')),
      lastPrompt('c'),
    )
    const again = edited(opened, [{ do: 'answer', call: opened.block('tool-call', 'z1'), text: 'lost' }])
    expect(again.shape).toEqual(['user: text', 'assistant: tool-call(z1)', 'user: tool-result(z1)'])
    expect(again.values.at(-1)!.leafUuid).toBe(again.values[2]!.uuid)
  })

  it('is left as it is where the last record of the file descends from it', () => {
    const opened = open(u1, assistant('c', 'u1', 'm9', use('z1')), lastPrompt('c'))
    const again = edited(opened, [{ do: 'answer', call: opened.block('tool-call', 'z1'), text: 'lost' }])
    expect(again.shape.at(-1)).toBe('user: tool-result(z1)')
    expect(again.values.at(-1)!.leafUuid).toBe('c')
  })
})
