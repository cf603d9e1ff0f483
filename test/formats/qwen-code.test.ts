import { describe, expect, it } from 'vitest'
import { fix } from '../../src/index.ts'
import { Flag } from '../../src/model/blocks.ts'
import { Opened } from './opened.ts'

const SESSION = '5d2f0c1e-0000-4000-8000-000000000001'
type Record = { [key: string]: unknown }

let clock = 0
const base = (uuid: string, parentUuid: string | null, more: Record): Record => ({
  uuid,
  parentUuid,
  sessionId: SESSION,
  timestamp: new Date(Date.UTC(2026, 8, 1, 9, 0, clock++)).toISOString(),
  cwd: '/w',
  version: '0.24.4',
  gitBranch: 'main',
  ...more,
})
const text = (value: string): Record => ({ text: value })
const call = (id: string, name = 'ls'): Record => ({ functionCall: { id, name, args: {} } })
const response = (id: string, output = 'out', name = 'ls'): Record => ({
  functionResponse: { id, name, response: { output } },
})
const user = (uuid: string, parent: string | null, ...parts: Record[]): Record =>
  base(uuid, parent, { type: 'user', provenance: 'real_user', message: { role: 'user', parts } })
const model = (uuid: string, parent: string | null, ...parts: Record[]): Record =>
  base(uuid, parent, {
    type: 'assistant',
    provenance: 'assistant_output',
    model: 'qwen-x',
    message: { role: 'model', parts },
  })
const result = (uuid: string, parent: string | null, id: string, output = 'out'): Record =>
  base(uuid, parent, {
    type: 'tool_result',
    provenance: 'tool_result',
    message: { role: 'user', parts: [response(id, output)] },
    toolCallResult: { callId: id, status: 'success' },
  })
const system = (uuid: string, parent: string | null, subtype: string, systemPayload: Record = {}): Record =>
  base(uuid, parent, { type: 'system', subtype, systemPayload })

/** Prompt, call, result, answer, with the notes that the client strews in. */
const healthy = (): Record[] => [
  user('u1', null, text('list the folder')),
  system('n1', 'u1', 'attribution_snapshot'),
  model('a1', 'n1', { text: 'I shall look', thought: true }, call('c1')),
  system('n2', 'a1', 'ui_telemetry'),
  result('r1', 'n2', 'c1'),
  model('a2', 'r1', text('one file')),
]
const cut = (record: Record, at: number): string => JSON.stringify(record).slice(0, at)
const linesOf = (records: readonly Record[]): string[] => records.map((record) => JSON.stringify(record))
const chainOf = (opened: Opened): (string | undefined)[] =>
  opened.transcript.chain!.path.map((entry) => opened.id(entry))

/** What must be true of every file that the editor leaves behind: the client walks it to the root, from the leaf that is meant. */
function expectSound(opened: Opened, leaf: string): void {
  const again = new Opened(opened.text)
  expect(again.transcript.chain!.breaks).toEqual([])
  expect(again.id(again.transcript.chain!.leaf)).toBe(leaf)
  expect(opened.shape).toEqual(again.shape)
  const uuids = new Set(again.values.map((record) => record.uuid))
  for (const { parentUuid } of again.values) if (parentUuid !== null) expect(uuids).toContain(parentUuid)
}

describe('detection', () => {
  it.each<[string, unknown[], boolean]>([
    ['a session', healthy(), true],
    ['notes only', [system('n1', null, 'ui_telemetry'), system('n2', 'n1', 'custom_title')], true],
    [
      'Claude Code',
      [{ uuid: 'a', parentUuid: null, sessionId: 's', type: 'user', message: { role: 'user', content: 'hi' } }],
      false,
    ],
    [
      "Claude Code's system records",
      [{ uuid: 'a', parentUuid: null, sessionId: 's', type: 'system', subtype: 'x', content: 'y' }],
      false,
    ],
    ['no parent at all', [{ uuid: 'a', sessionId: 's', type: 'user', message: { role: 'user', parts: [] } }], false],
    ['another type', [{ uuid: 'a', parentUuid: null, sessionId: 's', type: 'gemini', message: { parts: [] } }], false],
    [
      'an empty id',
      [{ uuid: '', parentUuid: null, sessionId: 's', type: 'user', message: { role: 'user', parts: [] } }],
      false,
    ],
    ['bare contents', [{ role: 'user', parts: [{ text: 'hi' }] }], false],
  ])('%s: %#', (_, records, expected) => {
    expect(Opened.lines(records).transcript.format === 'qwen-code').toBe(expected)
  })
})

describe('what the client loads', () => {
  it('reads messages, thoughts, calls and results', () => {
    const opened = Opened.lines(healthy())
    expect(opened.shape).toEqual([
      'user: text',
      'assistant: thinking tool-call(c1)',
      'user: tool-result(c1)',
      'assistant: text',
    ])
    expect(opened.transcript.model).toBe('qwen-x')
    expect(opened.transcript.of.resume!(opened.transcript)).toBe(`qwen --resume ${SESSION}`)
  })

  it('takes the last record of the conversation in the file for the leaf, whatever stands behind it beside the chain', () => {
    const opened = Opened.lines([...healthy(), system('x1', 'a1', 'session_artifact_snapshot')])
    expect(opened.id(opened.transcript.chain!.leaf)).toBe('a2')
  })

  it('leaves out what was rewound, and does not call it lost', () => {
    const opened = Opened.lines([
      user('u1', null, text('one')),
      model('a1', 'u1', text('two')),
      system('w', 'u1', 'rewind'),
      user('u2', 'w', text('three')),
    ])
    expect(chainOf(opened)).toEqual(['u1', 'w', 'u2'])
    expect(opened.shape).toEqual(['user: text text'])
    expect(opened.transcript.chain!.lost).toEqual([])
  })

  it('calls a side lost whose fork goes on with a mere note', () => {
    const { chain, ids } = Opened.lines([
      user('u1', null, text('one')),
      model('a1', 'u1', text('two')),
      system('n', 'u1', 'ui_telemetry'),
      user('u2', 'n', text('three')),
    ]).transcript
    expect(chain!.lost.map(({ fork, tip, live }) => [fork, tip, live].map(({ id }) => ids.text(id)))).toEqual([
      ['u1', 'a1', 'n'],
    ])
  })

  it('joins the fragments of one uuid in the order of the file', () => {
    const opened = Opened.lines([
      user('u1', null, text('go')),
      model('a1', 'u1', text('first')),
      model('a1', 'u1', call('c1')),
      result('r1', 'a1', 'c1'),
    ])
    expect(opened.shape).toEqual(['user: text', 'assistant: text tool-call(c1)', 'user: tool-result(c1)'])
    expect(opened.transcript.chain!.shared).toEqual([])
  })

  it('tells copies from fragments, and copies that hide what follows from those that do no harm', () => {
    const records = healthy()
    const harmless = Opened.lines([...records, records[5]!])
    expect(harmless.transcript.chain!.shared.map(({ effect }) => effect)).toEqual(['same'])
    expect(harmless.shape).toEqual(Opened.lines(records).shape)
    const harmful = Opened.lines([...records, records[2]!])
    expect(harmful.transcript.chain!.shared.map(({ effect }) => effect)).toEqual(['harmful'])
    expect(harmful.id(harmful.transcript.chain!.leaf)).toBe('a1')
  })

  it('puts a compressed history in the place of all before it; the last one counts', () => {
    const compression = (uuid: string, parent: string, word: string) =>
      system(uuid, parent, 'chat_compression', {
        compressedHistory: [
          { role: 'user', parts: [text(word)] },
          { role: 'model', parts: [call('k1')] },
        ],
      })
    const opened = Opened.lines([
      ...healthy(),
      compression('z1', 'a2', 'older summary'),
      user('u2', 'z1', text('go on')),
      compression('z2', 'u2', 'summary'),
      result('r2', 'z2', 'k1'),
    ])
    expect(opened.shape).toEqual(['user: text', 'assistant: tool-call(k1)', 'user: tool-result(k1)'])
    expect(opened.messages[0]!.blocks[0]!.path).toEqual(['systemPayload', 'compressedHistory', 0, 'parts', 0])
    expect(opened.messages[0]!.entries[0]!.record).toBe(8)
    expect(opened.messages[0]!.entries[0]!.onPath).toBe(true)
    expect(opened.transcript.entriesOf(6)[1]!.onPath).toBe(false)
  })

  it.each([
    ['an object', { a: 1 }, ['broken-compaction']],
    ['a text', 'x', ['broken-compaction']],
    ['nothing', null, []],
    ['an empty list', [], []],
  ])('finds a compressed history that is %s', (_, compressedHistory, kinds) => {
    const opened = Opened.lines([...healthy(), system('z', 'a2', 'chat_compression', { compressedHistory })])
    expect(opened.transcript.chain!.compactions.map(({ kind }) => kind)).toEqual(kinds)
    expect(opened.messages.length).toBe(Array.isArray(compressedHistory) ? 0 : 4)
  })

  it.each([
    ['answered without the model', { phase: 'result' }, 'assistant', 0],
    ['sent to the model', { phase: 'result', sentToModel: true }, 'assistant', 1],
    ['only begun', { phase: 'invocation' }, 'assistant', 1],
    ['answered with an info', { phase: 'result' }, 'info', 1],
  ])('takes the echo of a slash command back when it was %s', (_, payload, type, left) => {
    const opened = Opened.lines([
      user('u1', null, text('/about')),
      system('s', 'u1', 'slash_command', { rawCommand: '/about', outputHistoryItems: [{ type }], ...payload }),
    ])
    expect(opened.messages.length).toBe(left)
  })

  it('appends a message written in mid-turn to the user content before it, and leaves out what was only spoken', () => {
    const opened = Opened.lines([
      user('u1', null, text('go')),
      model('a1', 'u1', call('c1')),
      result('r1', 'a1', 'c1'),
      { ...user('u2', 'r1', text('quick!')), subtype: 'mid_turn_user_message' },
      { ...user('u3', 'u2', text('spoken')), subtype: 'realtime_message' },
      model('a2', 'u3', text('done')),
    ])
    expect(opened.shape).toEqual([
      'user: text',
      'assistant: tool-call(c1)',
      'user: tool-result(c1) text',
      'assistant: text',
    ])
  })

  it('names records of another session', () => {
    const opened = Opened.lines([...healthy(), { ...user('u2', 'a2', text('x')), sessionId: 'other' }])
    expect(opened.transcript.chain!.foreign.map((entry) => opened.id(entry))).toEqual(['u2'])
    expect(Opened.lines(healthy()).transcript.chain!.foreign).toEqual([])
  })

  it('skips records that lack what the client asks of one', () => {
    const opened = Opened.lines([...healthy(), { ...user('u2', 'a2', text('x')), sessionId: '' }, { uuid: 'q' }])
    expect(opened.messages.length).toBe(4)
  })
})

describe('breaks in the chain', () => {
  const next = (opened: Opened) =>
    opened.transcript.chain!.breaks.map(({ kind, entry, next }) => [kind, opened.id(entry), opened.id(next)])

  it('goes on where the torn parent says that it hung', () => {
    const records = healthy()
    const lines = linesOf(records)
    lines[4] = cut(records[4]!, 250)
    const opened = new Opened(`${lines.join('\n')}\n`)
    expect(next(opened)).toEqual([['missing-parent', 'a2', 'n2']])
    expect(opened.shape).toEqual(['assistant: text'])
  })

  it('goes on at the record before when nothing is left of the parent', () => {
    const opened = Opened.lines([...healthy(), user('u2', 'gone', text('and now?'))])
    expect(next(opened)).toEqual([['missing-parent', 'u2', 'a2']])
  })

  it('passes by a record that goes on behind the break', () => {
    const opened = Opened.lines([
      user('u1', null, text('one')),
      model('a1', 'u1', text('two')),
      user('u2', 'a1', text('of another branch')),
      model('a3', 'gone', text('three')),
      model('a2', 'u2', text('of another branch')),
      user('u3', 'a3', text('four')),
    ])
    expect(next(opened)).toEqual([['missing-parent', 'a3', 'a1']])
  })

  it('makes the first record of the file the root when there is none before it', () => {
    expect(next(Opened.lines([user('u1', 'gone', text('one'))]))).toEqual([['missing-parent', 'u1', undefined]])
  })

  it('finds all breaks at once', () => {
    const opened = Opened.lines([
      user('u1', null, text('one')),
      model('a1', 'gone', text('two')),
      user('u2', 'lost', text('three')),
    ])
    expect(next(opened)).toEqual([
      ['missing-parent', 'u2', 'a1'],
      ['missing-parent', 'a1', 'u1'],
    ])
  })

  it('leaves a ring at the record that closes it', () => {
    const opened = Opened.lines([
      user('u1', 'a1', text('one')),
      model('a1', 'u1', text('two')),
      user('u2', 'a1', text('three')),
    ])
    expect(next(opened)).toEqual([['parent-cycle', 'u1', undefined]])
    expect(opened.messages.length).toBe(3)
  })

  it('leaves a ring by the parent that another fragment names', () => {
    const opened = Opened.lines([
      model('a2', 'n', text('answer')),
      user('u1', null, text('go')),
      { ...model('a2', 'u1', text('and more')) },
      system('n', 'a2', 'ui_telemetry'),
    ])
    expect(next(opened)).toEqual([['parent-cycle', 'a2', 'u1']])
  })

  it('takes a record beside the chain for no parent, but follows what it says of its own', () => {
    const opened = Opened.lines([
      user('u1', null, text('one')),
      model('a1', 'u1', text('two')),
      system('x', 'a1', 'session_artifact_event'),
      user('u2', 'x', text('three')),
    ])
    expect(next(opened)).toEqual([['missing-parent', 'u2', 'a1']])
  })
})

describe('the editor', () => {
  const untouched = (before: readonly string[], opened: Opened, ...touched: string[]) => {
    const after = opened.lines
    for (const line of before)
      if (!touched.some((uuid) => line.includes(`"uuid":"${uuid}"`))) expect(after).toContain(line)
  }

  it('answers a call with a record of its own, and links what followed to it', () => {
    const records = healthy().filter(({ uuid }) => uuid !== 'r1')
    records[4]!.parentUuid = 'n2'
    const opened = Opened.lines(records)
    const before = opened.lines
    expect(opened.edit([{ do: 'answer', call: opened.block('tool-call', 'c1'), text: '[convfix] lost' }])).toEqual([
      true,
    ])
    expect(opened.shape).toEqual([
      'user: text',
      'assistant: thinking tool-call(c1)',
      'user: tool-result(c1)',
      'assistant: text',
    ])
    const made = opened.values.find(({ type }) => type === 'tool_result')!
    expect(made).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/),
      parentUuid: 'a1',
      sessionId: SESSION,
      timestamp: new Date(Date.parse(records[2]!.timestamp as string) + 1).toISOString(),
      type: 'tool_result',
      provenance: 'tool_result',
      cwd: '/w',
      version: '0.24.4',
      gitBranch: 'main',
      message: {
        role: 'user',
        parts: [{ functionResponse: { id: 'c1', name: 'ls', response: { error: '[convfix] lost' } } }],
      },
      toolCallResult: { callId: 'c1', status: 'error', resultDisplay: '[convfix] lost' },
    })
    expect(opened.block('tool-result', 'c1').is(Flag.synthetic)).toBe(true)
    untouched(before, opened, 'n2')
    expectSound(opened, 'a2')
  })

  it('puts answers behind the real results, in the order of the calls', () => {
    const opened = Opened.lines([
      user('u1', null, text('go')),
      model('a1', 'u1', call('c1'), call('c2'), call('c3')),
      result('r2', 'a1', 'c2'),
      model('a2', 'r2', text('done')),
    ])
    const answer = (id: string) => [{ do: 'answer', call: opened.block('tool-call', id), text: 'lost' }] as const
    expect(opened.edit(answer('c1'), answer('c3'))).toEqual([true, true])
    expect(opened.shape[2]).toBe('user: tool-result(c2) tool-result(c1) tool-result(c3)')
    expectSound(opened, 'a2')
  })

  it('makes the answer of a call that ends the file its leaf', () => {
    const opened = Opened.lines([
      user('u1', null, text('go')),
      model('a1', 'u1', call('c1')),
      system('n', 'a1', 'ui_telemetry'),
    ])
    opened.edit([{ do: 'answer', call: opened.block('tool-call', 'c1'), text: 'lost' }])
    expectSound(opened, 'n')
    expect(opened.shape[2]).toBe('user: tool-result(c1)')
  })

  it('writes an answer at the end behind records that lie beside the chain or off it', () => {
    const opened = Opened.lines([
      user('u1', null, text('go')),
      model('a1', 'u1', call('c1')),
      system('x', 'a1', 'session_artifact_event'),
    ])
    opened.edit([{ do: 'answer', call: opened.block('tool-call', 'c1'), text: 'lost' }])
    expectSound(opened, opened.values.find(({ type }) => type === 'tool_result')!.uuid as string)
  })

  it('gives the same answer each time, and another id when it is taken', () => {
    const records = [user('u1', null, text('go')), model('a1', 'u1', call('c1'))]
    const made = (more: Record[]): string => {
      const opened = Opened.lines([...records, ...more])
      opened.edit([{ do: 'answer', call: opened.block('tool-call', 'c1'), text: 'lost' }])
      return opened.values.find(({ type }) => type === 'tool_result')!.uuid as string
    }
    expect(made([])).toBe(made([]))
    expect(made([{ ...user(made([]), 'a1', text('x')), type: 'user' }])).not.toBe(made([]))
  })

  it('never lets an answer be older than what it answers or younger than what follows', () => {
    const records = [user('u1', null, text('go')), model('a1', 'u1', call('c1')), user('u2', 'a1', text('well?'))]
    records[2]!.timestamp = records[1]!.timestamp
    const opened = Opened.lines(records)
    opened.edit([{ do: 'answer', call: opened.block('tool-call', 'c1'), text: 'lost' }])
    expect(opened.values[2]!.timestamp).toBe(records[1]!.timestamp)
  })

  it('takes a result out with its record and links all that hung on it, dead branches too', () => {
    const opened = Opened.lines([
      ...healthy().slice(0, 5),
      model('dead', 'r1', text('rewound')),
      system('x', 'r1', 'session_artifact_event'),
      { ...user('u2', 'r1', text('next')) },
    ])
    opened.edit([{ do: 'remove-block', block: opened.block('tool-result', 'c1') }])
    expect(opened.values.filter(({ parentUuid }) => parentUuid === 'n2').map(({ uuid }) => uuid)).toEqual([
      'dead',
      'x',
      'u2',
    ])
    expectSound(opened, 'u2')
  })

  it('takes one part out of several and leaves the rest byte for byte', () => {
    const opened = new Opened(
      `${JSON.stringify(model('a1', null, call('c1'), call('c2'))).replace('{"functionCall":{"id":"c2"', '{ "functionCall": {"id":"c2"')}\n`,
    )
    opened.edit([{ do: 'remove-block', block: opened.block('tool-call', 'c1') }])
    expect(opened.text).toContain('"parts":[{ "functionCall": {"id":"c2"')
    expect(opened.shape).toEqual(['assistant: tool-call(c2)'])
  })

  it('keeps the leaf when the last record goes and one of a dead branch would be the last', () => {
    const opened = Opened.lines([
      user('u1', null, text('go')),
      model('dead', 'u1', text('rewound')),
      result('r1', 'u1', 'c9'),
    ])
    const before = opened.lines
    opened.edit([{ do: 'remove-block', block: opened.block('tool-result', 'c9') }])
    expect(opened.lines).toEqual([before[1], before[0]])
    expectSound(opened, 'u1')
  })

  it('moves a result by its links alone, to the place behind its call', () => {
    const opened = Opened.lines([
      user('u1', null, text('go')),
      model('a1', 'u1', call('c1')),
      user('u2', 'a1', text('hello?')),
      model('a2', 'u2', text('wait')),
      result('r1', 'a2', 'c1'),
      model('a3', 'r1', text('done')),
    ])
    const before = opened.lines
    opened.edit([
      { do: 'move-result', result: opened.block('tool-result', 'c1'), call: opened.block('tool-call', 'c1') },
    ])
    expect(chainOf(opened)).toEqual(['u1', 'a1', 'r1', 'u2', 'a2', 'a3'])
    untouched(before, opened, 'u2', 'r1', 'a3')
    expectSound(opened, 'a3')
  })

  it('moves a result that ends the file and keeps what stood before it as the leaf', () => {
    const opened = Opened.lines([
      user('u1', null, text('go')),
      model('a1', 'u1', call('c1')),
      user('u2', 'a1', text('hello?')),
      result('r1', 'u2', 'c1'),
    ])
    opened.edit([
      { do: 'move-result', result: opened.block('tool-result', 'c1'), call: opened.block('tool-call', 'c1') },
    ])
    expect(chainOf(opened)).toEqual(['u1', 'a1', 'r1', 'u2'])
    expectSound(opened, 'u2')
  })

  it('brings results before the text beside them', () => {
    const opened = Opened.lines([
      user('u1', null, text('go')),
      model('a1', 'u1', call('c1'), call('c2')),
      user('u2', 'a1', text('hm'), response('c1')),
      result('r2', 'u2', 'c2'),
    ])
    opened.edit([{ do: 'results-first', message: opened.messages[2]! }])
    expect(opened.shape[2]).toBe('user: tool-result(c2) tool-result(c1) text')
    expectSound(opened, 'u2')
  })

  it('gives a record of another session the name of this one', () => {
    const opened = Opened.lines([...healthy(), { ...user('u2', 'a2', text('x')), sessionId: 'other' }])
    opened.edit([{ do: 'adopt', entry: opened.entry('u2') }])
    expect(opened.values.map(({ sessionId }) => sessionId)).toEqual(Array(7).fill(SESSION))
  })

  it('is not misled by a record beside the chain with the uuid of a link', () => {
    const opened = Opened.lines([
      user('u1', null, text('go')),
      system('a2', 'u1', 'session_artifact_event'),
      model('a1', 'u1', call('c1')),
      model('a2', 'a1', text('done')),
    ])
    opened.edit([{ do: 'answer', call: opened.block('tool-call', 'c1'), text: 'lost' }])
    expect(opened.shape.slice(2)).toEqual(['user: tool-result(c1)', 'assistant: text'])
    expectSound(opened, 'a2')
  })

  it('writes a result that stands in an answer of the model into a record of its own', () => {
    const opened = Opened.lines([
      model('a0', null, response('c1')),
      user('u1', 'a0', text('go')),
      model('a1', 'u1', call('c1')),
      model('a2', 'a1', text('done')),
    ])
    opened.edit([
      { do: 'move-result', result: opened.block('tool-result', 'c1'), call: opened.block('tool-call', 'c1') },
    ])
    expect(opened.shape).toEqual(['user: text', 'assistant: tool-call(c1)', 'user: tool-result(c1)', 'assistant: text'])
    expectSound(opened, 'a2')
  })

  it('takes all of a repair back when one of its operations cannot be done', () => {
    const opened = Opened.lines(healthy())
    const before = opened.text
    const block = opened.block('tool-result', 'c1')
    const [message] = opened.messages
    expect(
      opened.edit([
        { do: 'fill-message', message: message!, text: 'x' },
        { do: 'relink', entry: opened.entry('a2'), parent: opened.entry('u1') },
        { do: 'insert-message', before: message!, role: 'user', text: 'new' },
        { do: 'remove-block', block },
        { do: 'remove-block', block },
      ]),
    ).toEqual([false])
    expect(opened.text).toBe(before)
  })

  it('links a record to another one, or makes it the root', () => {
    const opened = Opened.lines([...healthy(), user('u2', 'gone', text('and now?'))])
    const { entry, next } = opened.transcript.chain!.breaks[0]!
    opened.edit([{ do: 'relink', entry, parent: next }])
    expectSound(opened, 'u2')
    expect(opened.messages.length).toBe(5)
    opened.edit([{ do: 'relink', entry: opened.entry('u2'), parent: undefined }])
    expect(opened.messages.length).toBe(1)
  })

  it('drops a torn record and links what hung on it to its parent', () => {
    const records = healthy()
    const lines = linesOf(records)
    lines[4] = cut(records[4]!, 250)
    const opened = new Opened(`${lines.join('\n')}\n`)
    opened.edit([{ do: 'drop-entry', entry: opened.transcript.entriesOf(4)[0]! }])
    expect(chainOf(opened)).toEqual(['u1', 'n1', 'a1', 'n2', 'a2'])
    expectSound(opened, 'a2')
  })

  it('gives a repeated id to one record only, and takes a mere copy out', () => {
    const opened = Opened.lines([...healthy(), user('a1', 'a2', text('another')), model('a4', 'a1', text('answer'))])
    opened.edit([{ do: 're-id', entry: opened.transcript.chain!.shared[0]!.later }])
    expect(opened.shape.slice(-2)).toEqual(['user: text', 'assistant: text'])
    expectSound(opened, 'a4')
    const records = healthy()
    const copied = Opened.lines([...records, records[2]!])
    copied.edit([{ do: 're-id', entry: copied.transcript.chain!.shared[0]!.later }])
    expect(copied.lines).toEqual(linesOf(records))
  })

  it('renames a call and its result, the display copy too', () => {
    const opened = Opened.lines(healthy())
    opened.edit([
      { do: 'rename-id', block: opened.block('tool-call', 'c1'), id: 'n9' },
      { do: 'rename-id', block: opened.block('tool-result', 'c1'), id: 'n9' },
    ])
    expect(opened.text).not.toContain('"c1"')
    expect(opened.text).toContain('"toolCallResult":{"callId":"n9"')
  })

  it('inserts a message before the first one', () => {
    const opened = Opened.lines([model('a1', null, text('hi'))])
    opened.edit([{ do: 'insert-message', before: opened.messages[0]!, role: 'user', text: 'hello' }])
    expect(opened.shape).toEqual(['user: text', 'assistant: text'])
    expect(opened.values[0]).toMatchObject({ parentUuid: null, type: 'user', timestamp: opened.values[1]!.timestamp })
    expectSound(opened, 'a1')
  })

  it('merges a result into another one', () => {
    const opened = Opened.lines([
      model('a1', null, call('c1')),
      result('r1', 'a1', 'c1', 'one'),
      result('r2', 'r1', 'c1', 'two'),
    ])
    const [into, from] = [opened.block('tool-result', 'c1'), opened.block('tool-result', 'c1', 1)]
    opened.edit([{ do: 'merge-result', from, into }])
    expect(opened.text).toContain('"response":{"output":"one\\n\\ntwo"}')
    expectSound(opened, 'r1')
  })

  describe('in a compressed history', () => {
    const compressed = (): Record[] => [
      ...healthy(),
      system('z', 'a2', 'chat_compression', {
        compressedHistory: [
          { role: 'user', parts: [text('summary')] },
          { role: 'model', parts: [call('k1'), call('k2')] },
          { role: 'user', parts: [response('k1'), text('beside')] },
          { role: 'model', parts: [text('done')] },
          { role: 'user', parts: [response('k9')] },
        ],
        completedToolCallIds: ['k1', 'k9'],
      }),
    ]
    const history = (opened: Opened) =>
      (opened.values[6]!.systemPayload as { compressedHistory: { role: string; parts: unknown[] }[] }).compressedHistory

    it('answers a call behind the results of its turn', () => {
      const opened = Opened.lines(compressed())
      opened.edit([{ do: 'answer', call: opened.block('tool-call', 'k2'), text: 'lost' }])
      expect(opened.shape[2]).toBe('user: tool-result(k1) tool-result(k2) text')
      expectSound(opened, 'z')
    })

    it('takes a message out and its call from the completed ones', () => {
      const opened = Opened.lines(compressed())
      opened.edit([{ do: 'remove-block', block: opened.block('tool-result', 'k9') }])
      expect(history(opened)).toHaveLength(4)
      expect(opened.text).toContain('"completedToolCallIds":["k1"]')
    })

    it('renames an id among the completed ones', () => {
      const opened = Opened.lines(compressed())
      opened.edit([
        { do: 'rename-id', block: opened.block('tool-call', 'k1'), id: 'm1' },
        { do: 'rename-id', block: opened.block('tool-result', 'k1'), id: 'm1' },
      ])
      expect(opened.text).toContain('"completedToolCallIds":["m1","k9"]')
      expect(opened.text).not.toContain('"k1"')
    })

    it('leaves an id among the completed ones to the call that keeps it', () => {
      const twice = (): Opened => {
        const records = compressed()
        const { compressedHistory } = records[6]!.systemPayload as { compressedHistory: { parts: Record[] }[] }
        compressedHistory[1]!.parts = [call('k1'), call('k1')]
        compressedHistory[2]!.parts = [response('k1'), response('k1')]
        return Opened.lines(records)
      }
      const pick = (opened: Opened, kind: string) =>
        opened.messages.flatMap(({ blocks }) => blocks.filter((each) => each.kind === kind))[1]!
      const removed = twice()
      removed.edit([{ do: 'remove-block', block: pick(removed, 'tool-call') }])
      expect(removed.text).toContain('"completedToolCallIds":["k1","k9"]')
      const renamed = twice()
      renamed.edit([
        { do: 'rename-id', block: pick(renamed, 'tool-call'), id: 'm1' },
        { do: 'rename-id', block: pick(renamed, 'tool-result'), id: 'm1' },
      ])
      expect(renamed.text).toContain('"completedToolCallIds":["k1","k9","m1"]')
      expect(renamed.shape.slice(1, 3)).toEqual([
        'assistant: tool-call(k1) tool-call(m1)',
        'user: tool-result(k1) tool-result(m1)',
      ])
    })
  })

  describe('branch checkpoints', () => {
    const records = (): Record[] => [
      ...healthy(),
      user('u2', 'a2', text('more')),
      result('r9', 'u2', 'c9'),
      model('a3', 'r9', text('answer')),
      system('b', 'a3', 'branch_checkpoint', { v: 1, startExclusiveRecordUuid: 'r9', assistantRecordUuid: 'a3' }),
    ]

    it('begin behind the record before when theirs is gone', () => {
      const opened = Opened.lines(records())
      opened.edit([{ do: 'remove-block', block: opened.block('tool-result', 'c9') }])
      expect(opened.text).toContain('"startExclusiveRecordUuid":"u2"')
      expectSound(opened, 'b')
    })

    it('come to an end where records that are gone named each other as parents', () => {
      const lines = linesOf(records())
      lines[7] = cut({ ...records()[7]!, uuid: 'r9', parentUuid: 'r9' }, 120)
      const opened = new Opened(`${lines.join('\n')}\n`)
      opened.edit([{ do: 'drop-entry', entry: opened.transcript.entriesOf(7)[0]! }])
      expect(opened.text).toContain('"startExclusiveRecordUuid":null')
    })

    it('go with the answer that they name', () => {
      const opened = Opened.lines(records())
      opened.edit([{ do: 'drop-entry', entry: opened.entry('a3') }])
      expect(opened.text).not.toContain('branch_checkpoint')
      expectSound(opened, 'r9')
    })
  })
})

describe('what Qwen Code itself loses over', () => {
  const fixed = (records: readonly Record[]) => fix(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const ruled = (records: readonly Record[]) => fixed(records).applied.map(({ rule }) => rule)

  it('renames a call whose id came back in a later turn, for Qwen Code leaves it out', () => {
    const records = [
      ...healthy(),
      user('u2', 'a2', text('again')),
      model('a3', 'u2', call('c1')),
      result('r2', 'a3', 'c1'),
      model('a4', 'r2', text('done')),
    ]
    expect(ruled(records)).toEqual(['duplicate-tool-call'])
    const opened = new Opened(fixed(records).output)
    const ids = opened.messages.flatMap(({ blocks }) =>
      blocks.filter(({ kind }) => kind === 'tool-call').map(({ id }) => id),
    )
    expect(new Set(ids).size).toBe(2)
    expectSound(opened, 'a4')
  })

  const args = (id: string, value: number): Record => ({ functionCall: { id, name: 'ls', args: { value } } })
  it.each<[string, Record[], string[]]>([
    [
      'other calls',
      [
        model('a1', 'u1', args('c1', 1), args('c1', 2)),
        result('r1', 'a1', 'c1', 'one'),
        result('r2', 'r1', 'c1', 'two'),
      ],
      ['one', 'two'],
    ],
    ['a copy', [model('a1', 'u1', args('c1', 1), args('c1', 1)), result('r1', 'a1', 'c1', 'one')], ['one']],
    [
      'a copy in a record of its own',
      [model('a1', 'u1', args('c1', 1)), model('a1', 'u1', args('c1', 1), text('so')), result('r1', 'a1', 'c1', 'one')],
      ['one'],
    ],
    [
      'two copies',
      [model('a1', 'u1', args('c1', 1), args('c1', 1), args('c1', 1)), result('r1', 'a1', 'c1', 'one')],
      ['one'],
    ],
  ])('settles two calls under one id in one turn: %s', (_, turn, outputs) => {
    const records = [user('u1', null, text('look')), ...turn]
    const { output, findings, applied } = fixed(records)
    expect(new Set(applied.map(({ rule }) => rule))).toEqual(new Set(['duplicate-tool-call']))
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
    for (const said of outputs) expect(output.split(`"output":"${said}"`)).toHaveLength(2)
  })

  it.each<[string, string | undefined]>([
    ['an empty id', ''],
    ['no id', undefined],
  ])('gives a response with %s the id of its call, the display copy too', (_, id) => {
    const records = healthy()
    records[4] = {
      ...records[4]!,
      message: { role: 'user', parts: [{ functionResponse: { id, name: 'ls', response: { output: 'out' } } }] },
      toolCallResult: { callId: id, status: 'success' },
    }
    expect(ruled(records)).toEqual(['misordered-tool-result'])
    const [, , , , answer] = new Opened(fixed(records).output).values
    expect(answer!.message).toEqual({
      role: 'user',
      parts: [{ functionResponse: { id: 'c1', name: 'ls', response: { output: 'out' } } }],
    })
    expect(answer!.toolCallResult).toEqual(id === '' ? { callId: 'c1', status: 'success' } : { status: 'success' })
  })

  it('leaves calls and responses that all have no id to their names', () => {
    const records = healthy()
    ;(records[2]!.message as { parts: Record[] }).parts[1] = { functionCall: { name: 'ls', args: {} } }
    records[4] = {
      ...records[4]!,
      message: { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { output: 'out' } } }] },
    }
    expect(ruled(records)).not.toContain('misordered-tool-result')
  })

  it('takes an empty text out of what the model said, but not out of a prompt', () => {
    const records = healthy()
    ;(records[2]!.message as { parts: Record[] }).parts.unshift(text(''))
    expect(ruled(records)).toEqual(['empty-text'])
    const prompted = healthy()
    ;(prompted[0]!.message as { parts: Record[] }).parts.push(text(''))
    expect(ruled(prompted)).toEqual([])
  })

  it('takes in a record of another session that is linked into this one', () => {
    const records = healthy().map((record, i) => (i === 2 ? { ...record, sessionId: 'other' } : record))
    expect(ruled(records)).toEqual(['mixed-sessions'])
    expect(new Opened(fixed(records).output).shape).toEqual(Opened.lines(healthy()).shape)
  })
})
