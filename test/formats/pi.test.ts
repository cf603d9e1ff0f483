import { describe, expect, it } from 'vitest'
import { check, fix } from '../../src/index.ts'
import type { Operation } from '../../src/model/finding.ts'
import { Opened } from './opened.ts'

type Fields = { [key: string]: unknown }

const HEADER = {
  type: 'session',
  version: 3,
  id: 'b0b0b0b0-0000-7000-8000-000000000001',
  timestamp: stamp(0),
  cwd: '/garden',
}

function stamp(second: number): string {
  return new Date(Date.UTC(2026, 4, 1, 9, 0, second)).toISOString()
}

/** Entries in a row, each the child of the one before unless it says otherwise; ids are `e1`, `e2`, …. */
function tree(...entries: Fields[]): Fields[] {
  return [
    HEADER,
    ...entries.map((entry, i) => ({
      type: 'message',
      id: `e${i + 1}`,
      parentId: i === 0 ? null : `e${i}`,
      timestamp: stamp(i + 1),
      ...entry,
    })),
  ]
}

const said = (role: string, content: unknown, more: Fields = {}): Fields => ({
  type: 'message',
  message: { role, content, ...more },
})
const user = (text: string, more: Fields = {}): Fields => ({ ...said('user', [{ type: 'text', text }]), ...more })
const text = (value: string): Fields => ({ type: 'text', text: value })
const call = (id: string, more: Fields = {}): Fields => ({ type: 'toolCall', id, name: 'look', arguments: {}, ...more })
const answer = (content: Fields[], more: Fields = {}, entry: Fields = {}): Fields => ({
  ...said('assistant', content, {
    api: 'anthropic-messages',
    provider: 'anthropic',
    model: 'm-1',
    stopReason: 'stop',
    ...more,
  }),
  ...entry,
})
const result = (id: string, content = `got ${id}`, entry: Fields = {}): Fields => ({
  ...said('toolResult', [text(content)], { toolCallId: id, toolName: 'look', isError: false }),
  ...entry,
})
const compaction = (firstKeptEntryId: string, more: Fields = {}): Fields => ({
  type: 'compaction',
  summary: 'So far: weeds.',
  firstKeptEntryId,
  tokensBefore: 9,
  ...more,
})
const label = (targetId: string, more: Fields = {}): Fields => ({ type: 'label', targetId, label: 'here', ...more })

const open = (records: Fields[]): Opened => Opened.lines(records, 'pi')
const rulesOf = (records: Fields[], target?: string): string[] =>
  check(
    Buffer.from(records.map((each) => `${JSON.stringify(each)}\n`).join('')),
    target === undefined ? {} : { target },
  )
    .findings.filter(({ severity }) => severity !== 'info')
    .map(({ rule, line }) => `${rule}@${line}`)

/** Something that begins as a picture, of so many characters of base64. */
const picture = (size: number): string => 'iVBORw0KGgoA'.padEnd(size, 'A')

describe('detection', () => {
  it.each<[string, unknown[], string]>([
    [
      'a header whose version comes last',
      [{ type: 'session', id: 's', cwd: '/w', version: 3 }, ...tree(user('hi')).slice(1)],
      'pi',
    ],
    ['version 1', [{ type: 'session', id: 's', cwd: '/w' }, user('hi')], 'pi'],
    ['types of a later version', [HEADER, { type: 'moon_phase', id: 'x', parentId: null }], 'pi'],
    ['no header', tree(user('hi')).slice(1), 'pi'],
    ['no header and no message', [{ type: 'moon_phase', id: 'x' }], 'unknown'],
    ['another header', [{ type: 'session.start', id: 's', data: {} }], 'unknown'],
  ])('%s', (_, records, format) => {
    expect(Opened.lines(records).transcript.format).toBe(format)
  })
})

describe('what pi loads', () => {
  it.each<[string, Fields[], string[]]>([
    [
      'a pair',
      tree(user('a'), answer([call('c1')]), result('c1')),
      ['user: text', 'assistant: tool-call(c1)', 'tool: tool-result(c1)'],
    ],
    [
      'only the branch of the last record',
      tree(user('a'), answer([text('left')]), user('b', { parentId: 'e1' }), answer([text('right')])),
      ['user: text', 'user: text', 'assistant: text'],
    ],
    [
      'a trailing note is the leaf',
      tree(user('a'), answer([text('lost')]), label('e1', { parentId: 'e1' })),
      ['user: text'],
    ],
    ['a missing parent ends the path', tree(user('a'), user('b', { parentId: 'gone' })), ['user: text']],
    [
      'a failed turn stays out, its result does not',
      tree(user('a'), answer([call('c1')], { stopReason: 'aborted' }), result('c1')),
      ['user: text', 'tool: tool-result(c1)'],
    ],
    [
      'a turn that was cut by its length stays in',
      tree(user('a'), answer([text('x')], { stopReason: 'length' })),
      ['user: text', 'assistant: text'],
    ],
    [
      'a compaction: the summary, what is kept, what follows',
      tree(user('old'), user('kept'), compaction('e2'), user('new')),
      ['user: text', 'user: text', 'user: text'],
    ],
    [
      'a compaction that keeps nothing names itself',
      tree(user('old'), compaction('e2'), user('new')),
      ['user: text', 'user: text'],
    ],
    [
      'a compaction whose first entry is gone',
      tree(user('old'), compaction('gone'), user('new')),
      ['user: text', 'user: text'],
    ],
    [
      'an older compaction among what is kept says nothing',
      tree(user('a'), compaction('e1'), user('b'), compaction('e1'), user('c')),
      ['user: text', 'user: text', 'user: text', 'user: text'],
    ],
    [
      'summaries of branches, messages of extensions, commands of the user',
      tree(
        { type: 'branch_summary', fromId: 'e9', summary: 'Tried roses.' },
        { type: 'branch_summary', fromId: 'e9', summary: '' },
        { type: 'custom_message', customType: 'x', content: 'rules', display: true },
        { type: 'custom', customType: 'x', data: {} },
        { message: { role: 'bashExecution', command: 'ls', output: 'a' } },
        { message: { role: 'bashExecution', command: 'ls', output: 'a', excludeFromContext: true } },
        { message: { role: 'system', content: '', sections: {} } },
        { message: { role: 'hookMessage', content: [text('from a hook')] } },
      ),
      ['user: text', 'user: text', 'user: text', 'user: text'],
    ],
    [
      'an edit that leaves a message out',
      tree(user('a'), answer([text('x')]), { type: 'context_edit', targetId: 'e2', replacement: null }),
      ['user: text'],
    ],
    [
      'of several edits the last one',
      tree(
        user('a'),
        answer([text('x')]),
        { type: 'context_edit', targetId: 'e2', replacement: null },
        { type: 'context_edit', targetId: 'e2', replacement: { content: [text('y'), text('z')] } },
      ),
      ['user: text', 'assistant: text text'],
    ],
    [
      'an edit that leaves nothing to say',
      tree(user('a'), answer([text('x')]), { type: 'context_edit', targetId: 'e1', replacement: { content: ' ' } }),
      ['assistant: text'],
    ],
    ['null content', tree(said('user', null)), ['user:']],
    [
      'of one id the last record',
      tree(user('a'), { ...user('b'), id: 'e1', parentId: null }, user('c', { parentId: 'e1' })),
      ['user: text', 'user: text'],
    ],
    [
      'version 1 counts lines',
      [
        { type: 'session', id: 's' },
        user('old'),
        user('kept'),
        { type: 'compaction', summary: 'So far.', firstKeptEntryIndex: 2 },
        user('new'),
      ],
      ['user: text', 'user: text', 'user: text'],
    ],
    [
      'version 1 reads no links',
      [{ type: 'session', id: 's' }, user('a', { id: 'x', parentId: 'gone' }), user('b', { id: 'y', parentId: null })],
      ['user: text', 'user: text'],
    ],
    ['version 2', [{ ...HEADER, version: 2 }, ...tree(user('a'), user('b')).slice(1)], ['user: text', 'user: text']],
  ])('%s', (_, records, shape) => {
    expect(open(records).shape).toEqual(shape)
  })

  it('reads what an edit says in the place of a text', () => {
    const edit = { type: 'context_edit', targetId: 'e1', replacement: { content: 'said anew' } }
    const { transcript, messages } = open(tree(user('a'), edit))
    const [block] = messages[0]!.blocks
    expect(transcript.records.view(block!.entry.record)!.get('replacement')!.get('content')!.string()).toBe('said anew')
  })
})

describe('the target comes from the newest answer', () => {
  it.each<[string, Fields, string]>([
    ['Anthropic', {}, 'anthropic'],
    ['Chat Completions', { api: 'openai-completions' }, 'openai-chat'],
    ['Responses', { api: 'openai-responses' }, 'openai-responses'],
    ['an API that has no rules here', { api: 'moon-api' }, 'openai-chat'],
    ['a provider alone', { api: undefined }, 'anthropic'],
    ['nothing', { api: undefined, provider: undefined }, 'openai-chat'],
  ])('%s', (_, more, target) => {
    const older = answer([text('x')], { api: 'google-generative-ai' })
    const { transcript } = open(tree(user('a'), older, answer([text('x')], more)))
    expect(transcript.target).toBe(target)
  })

  it('unless one is asked for', () => {
    expect(rulesOf(tree(answer([text('x')], { api: 'openai-completions' })), 'anthropic')).toEqual([
      'first-message-role@2',
    ])
  })
})

describe('what is found', () => {
  it.each<[string, Fields[], string[]]>([
    ['a healthy session', tree(user('a'), answer([call('c1')]), result('c1'), answer([text('x')])), []],
    [
      'a call of a failed turn needs no answer',
      tree(user('a'), answer([call('c1')], { stopReason: 'error' }), user('b')),
      [],
    ],
    [
      'its result has no call',
      tree(user('a'), answer([call('c1')], { stopReason: 'error' }), result('c1')),
      ['orphan-tool-result@4'],
    ],
    ['a missing parent', tree(user('a'), user('b', { parentId: 'gone' })), ['missing-parent@3']],
    ['a ring', tree(user('a', { parentId: 'e2' }), user('b')), ['parent-cycle@2']],
    [
      'a label on an old record',
      tree(user('a'), answer([text('x')]), label('e1', { parentId: 'e1' })),
      ['lost-branch@3'],
    ],
    [
      'a change of the model after going back',
      tree(
        user('a'),
        answer([text('x')]),
        { type: 'model_change', parentId: 'e1', provider: 'p', modelId: 'm' },
        user('b'),
      ),
      [],
    ],
    ['going back over a prompt', tree(user('a'), answer([text('x')]), user('b'), label('e1', { parentId: 'e2' })), []],
    [
      'an old compaction in a pair that a newer one keeps',
      tree(user('a'), answer([call('c1')]), compaction('e2'), result('c1'), compaction('e2'), user('b')),
      ['compaction-inside-pair@4'],
    ],
    ['the newest compaction in a pair', tree(user('a'), answer([call('c1')]), compaction('e1'), result('c1')), []],
    ['a first kept entry that is gone', tree(user('a'), compaction('gone'), user('b')), ['broken-compaction@3']],
    [
      'a result behind another answer, which pi would give twice',
      tree(user('a'), answer([call('c1')]), answer([text('x')]), result('c1')),
      ['misordered-tool-result@5'],
    ],
    [
      'ids that pi writes anew for another model',
      tree(user('a'), answer([call('f.x:0')], { model: 'm-0' }), result('f.x:0'), answer([text('x')])),
      [],
    ],
    ['ids of the model itself', tree(user('a'), answer([call('f.x:0')]), result('f.x:0')), ['invalid-tool-call-id@3']],
    ['two ids in one', tree(user('a'), answer([call('call_1|fc_1')]), result('call_1|fc_1')), []],
    [
      'an image above the client’s own limit',
      tree(said('user', [{ type: 'image', mimeType: 'image/png', data: picture(5_242_884) }]), answer([text('x')])),
      ['media-too-large@2'],
    ],
    [
      'one at the limit',
      tree(said('user', [{ type: 'image', mimeType: 'image/png', data: picture(5_242_880) }]), answer([text('x')])),
      [],
    ],
  ])('%s', (_, records, found) => {
    expect(rulesOf(records)).toEqual(found)
  })
})

/** Makes repairs of one round; checks what must hold of every file, and answers with the file read anew. */
function edited(opened: Opened, ...repairs: Operation[][]): Opened {
  const before = opened.lines
  expect(opened.edit(...repairs)).toEqual(repairs.map(() => true))
  const again = new Opened(opened.text, 'pi')
  expect(again.shape).toEqual(opened.shape)
  expect(again.transcript.chain?.breaks ?? []).toEqual([])
  const records = again.values.slice(1)
  const ids = new Set(records.map(({ id }) => id))
  for (const { parentId } of records) if (parentId) expect(ids).toContain(parentId)
  // Links are the only thing that changes in a record that no operation names.
  const without = ({ parentId, message, firstKeptEntryId, targetId, fromId, ...rest }: Fields): Fields => rest
  for (const line of before) {
    const old = JSON.parse(line) as Fields
    const now = records.find(({ timestamp }) => timestamp !== undefined && timestamp === old.timestamp)
    if (now) expect({ ...without(now), id: 0 }).toEqual({ ...without(old), id: 0 })
  }
  return again
}

const put = (opened: Opened, id: string): Operation => ({
  do: 'answer',
  call: opened.block('tool-call', id),
  text: 'lost',
})
const drop = (opened: Opened, id: string): Operation => ({ do: 'drop-entry', entry: opened.entry(id) })

describe('edits', () => {
  it('puts a result behind a call, with eight digits, both times and the child linked to it', () => {
    const opened = open(tree(user('a'), answer([call('c1')]), user('b')))
    const again = edited(opened, [put(opened, 'c1')])
    expect(again.shape).toEqual(['user: text', 'assistant: tool-call(c1)', 'tool: tool-result(c1)', 'user: text'])
    const [, , holder, added, next] = again.values as Fields[]
    expect(added).toEqual({
      type: 'message',
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
      parentId: holder!.id,
      timestamp: '2026-05-01T09:00:02.001Z',
      message: {
        role: 'toolResult',
        toolCallId: 'c1',
        toolName: 'look',
        content: [{ type: 'text', text: 'lost' }],
        isError: true,
        timestamp: Date.UTC(2026, 4, 1, 9, 0, 2, 1),
      },
    })
    expect(next!.parentId).toBe(added!.id)
  })

  it('keeps the order of calls, behind a real result', () => {
    const opened = open(tree(user('a'), answer([call('c1'), call('c2'), call('c3')]), result('c2'), user('b')))
    const again = edited(opened, [put(opened, 'c1')], [put(opened, 'c3')])
    expect(again.shape.slice(2, 5)).toEqual(['tool: tool-result(c2)', 'tool: tool-result(c1)', 'tool: tool-result(c3)'])
  })

  it('an answer at the end becomes the leaf, also behind another branch', () => {
    const opened = open(tree(user('a'), answer([text('left')]), answer([call('c1')], {}, { parentId: 'e1' })))
    const again = edited(opened, [put(opened, 'c1')])
    expect(again.values.at(-1)!.parentId).toBe('e3')
    expect(again.shape.at(-1)).toBe('tool: tool-result(c1)')
  })

  it('keeps another leaf when the last record goes', () => {
    const opened = open(
      tree(
        user('a'),
        answer([text('x')]),
        answer([text('left')], {}, { parentId: 'e1' }),
        result('c0', 'x', { parentId: 'e2' }),
      ),
    )
    const again = edited(opened, [drop(opened, 'e4')])
    expect(again.shape).toEqual(['user: text', 'assistant: text'])
    expect(again.values.at(-1)!.id).toBe('e2')
  })

  it('a result that was kept first and moves behind its call leaves what follows as the first one', () => {
    const opened = open(tree(user('a'), result('c1'), answer([call('c1')]), compaction('e2'), user('b')))
    const again = edited(opened, [
      { do: 'move-result', result: opened.block('tool-result', 'c1'), call: opened.block('tool-call', 'c1') },
    ])
    expect(again.values.find(({ type }) => type === 'compaction')!.firstKeptEntryId).toBe('e3')
    expect(again.shape).toEqual(['user: text', 'assistant: tool-call(c1)', 'tool: tool-result(c1)', 'user: text'])
  })

  it.each<[string, Fields[], string, string]>([
    ['the next one', tree(user('a'), result('c0'), user('b'), compaction('e2'), user('c')), 'e2', 'e3'],
    [
      'the compaction itself, where nothing is left',
      tree(user('a'), result('c0'), compaction('e2'), user('c')),
      'e2',
      'e3',
    ],
    [
      'the same one, where another record goes',
      tree(user('a'), user('b'), result('c0'), compaction('e2'), user('c')),
      'e3',
      'e2',
    ],
  ])('a compaction keeps from %s', (_, records, gone, kept) => {
    const opened = open(records)
    const again = edited(opened, [drop(opened, gone)])
    expect(again.values.find(({ type }) => type === 'compaction')!.firstKeptEntryId).toBe(kept)
  })

  it('a message that is put before what is kept is kept as well', () => {
    const opened = open(
      tree(user('a'), answer([text('x')]), compaction('e2'), {
        type: 'context_edit',
        targetId: 'e3',
        replacement: null,
      }),
    )
    const again = edited(opened, [{ do: 'insert-message', before: opened.messages[0]!, role: 'user', text: 'lost' }])
    expect(again.shape).toEqual(['user: text', 'assistant: text'])
  })

  it('labels and branch summaries follow to the record before, an edit stays with what it was about', () => {
    const opened = open(
      tree(
        user('a'),
        user('b'),
        label('e2'),
        { type: 'branch_summary', fromId: 'e2', summary: 'Tried.' },
        { type: 'context_edit', targetId: 'e2', replacement: null },
      ),
    )
    const again = edited(opened, [drop(opened, 'e2')])
    const named = again.values.map(({ targetId, fromId }) => targetId ?? fromId).filter(Boolean)
    expect(named).toEqual(['e1', 'e1', 'e2'])
  })

  it('a record of its own id keeps those that mean it', () => {
    const twins = tree(user('a'), user('b'), { ...user('c'), id: 'e2', parentId: 'e2' }, compaction('e2'), user('d'))
    twins[4] = { ...twins[4], parentId: 'e2' }
    const opened = open(twins)
    const later = [...opened.transcript.entries()].find(({ record }) => record === 3)!
    const again = edited(opened, [{ do: 're-id', entry: later }])
    const renamed = again.values[3]!.id
    expect(renamed).not.toBe('e2')
    expect(again.values[4]).toMatchObject({ parentId: renamed, firstKeptEntryId: renamed })
  })

  it('version 1 counts what is kept anew', () => {
    const records = [
      { type: 'session', id: 's' },
      user('old'),
      answer([call('c1')]),
      user('kept'),
      { type: 'compaction', summary: 'So far.', firstKeptEntryIndex: 2 },
      answer([call('c2')]),
      { type: 'compaction', summary: 'So far.', firstKeptEntryIndex: 3 },
      user('new'),
    ]
    const { output } = fix(Buffer.from(records.map((each) => `${JSON.stringify(each)}\n`).join('')), {})
    const values = Buffer.from(output)
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Fields)
    expect(values.map(({ firstKeptEntryIndex }) => firstKeptEntryIndex).filter(Boolean)).toEqual([2, 3])
    expect(values.filter(({ message }) => (message as Fields | undefined)?.role === 'toolResult')).toHaveLength(1)

    const open1 = open(records.filter((_, i) => i < 4 || i === 4))
    expect(open1.edit([{ do: 'answer', call: open1.block('tool-call', 'c1'), text: 'lost' }])).toEqual([true])
    const again = new Opened(open1.text, 'pi')
    expect(again.values.map(({ message }) => (message as Fields | undefined)?.role)).toEqual([
      undefined,
      'user',
      'assistant',
      'toolResult',
      'user',
      undefined,
    ])
    expect(again.values.at(-1)!.firstKeptEntryIndex).toBe(2)
    expect(again.shape).toEqual(['user: text', 'assistant: tool-call(c1)', 'tool: tool-result(c1)', 'user: text'])
  })

  it('an empty text inside a result goes alone: the result is real', () => {
    const { output } = fix(
      Buffer.from(
        `${tree(user('a'), answer([call('c1')]), result('c1', ''))
          .map((each) => JSON.stringify(each))
          .join('\n')}\n`,
      ),
      {},
    )
    const last = JSON.parse(Buffer.from(output).toString().trim().split('\n').at(-1)!) as {
      id: string
      message: Fields
    }
    expect(last).toMatchObject({ id: 'e3', message: { content: [], isError: false } })
  })

  it('an orphan that is kept becomes a message of the user', () => {
    const records = tree(result('c0', 'nine weeds', {}), answer([text('x')]))
    ;(records[1]!.message as Fields).timestamp = 7
    const { output } = fix(Buffer.from(records.map((each) => `${JSON.stringify(each)}\n`).join('')), {
      orphanResults: 'text',
    })
    const { message } = JSON.parse(Buffer.from(output).toString().split('\n')[1]!) as { message: Fields }
    expect(message).toEqual({
      role: 'user',
      content: [{ type: 'text', text: expect.stringContaining('nine weeds') }],
      timestamp: 7,
    })
  })

  it('does not take an edit away with the text that it gives', () => {
    const opened = open(tree(user('a'), { type: 'context_edit', targetId: 'e1', replacement: { content: 'b' } }))
    expect(opened.edit([{ do: 'remove-block', block: opened.messages[0]!.blocks[0]! }])).toEqual([false])
    expect(opened.edit([{ do: 'remove-message', message: opened.messages[0]! }])).toEqual([false])
  })
})

it('a torn record takes its place in the chain with it', () => {
  const lines = tree(user('a'), answer([call('c1')]), result('c1'), user('b')).map((each) => JSON.stringify(each))
  lines[3] = lines[3]!.slice(0, 120)
  const { output, findings } = fix(Buffer.from(`${lines.join('\n')}\n`), {})
  expect(findings).toEqual([])
  const again = new Opened(Buffer.from(output).toString(), 'pi')
  expect(again.shape).toEqual(['user: text', 'assistant: tool-call(c1)', 'tool: tool-result(c1)', 'user: text'])
})

it.each<[string, string | undefined]>([
  ['/s/2026_x.jsonl', 'pi --session /s/2026_x.jsonl'],
  ["/my s/it's.jsonl", "pi --session '/my s/it'\\''s.jsonl'"],
  ['/home/me/.openclaw/agents/main/sessions/x.jsonl', undefined],
])('resume %s', (path, command) => {
  const { transcript } = open(tree(user('a')))
  expect(transcript.of.resume!({ ...transcript, path } as never)).toBe(command)
})

describe('a header that is lost', () => {
  const lines = tree(user('a'), answer([text('x')])).map((each) => JSON.stringify(each))

  it('is told of, and nothing is made up', () => {
    const input = `${lines.slice(1).join('\n')}\n`
    expect(check(Buffer.from(input), {}).findings.map(({ rule, fix }) => [rule, fix])).toEqual([
      ['missing-header', null],
    ])
    expect(Buffer.from(fix(Buffer.from(input), {}).output).toString()).toBe(input)
  })

  it('is written again with what a torn one still says', () => {
    const input = [lines[0]!.slice(0, -12), ...lines.slice(1)].join('\n')
    const { output, findings } = fix(Buffer.from(`${input}\n`), {})
    expect(findings).toEqual([])
    const [header, ...rest] = Buffer.from(output).toString().trimEnd().split('\n')
    const { cwd: _, ...known } = HEADER
    expect(JSON.parse(header!)).toEqual(known)
    expect(rest).toEqual(lines.slice(1))
  })
})
