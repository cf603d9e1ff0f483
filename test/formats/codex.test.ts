import { describe, expect, it } from 'vitest'
import { check, fix } from '../../src/index.ts'
import { Opened } from './opened.ts'

type Json = { [key: string]: unknown }
const THREAD = '01990000-0000-7000-8000-000000000001'

/** Numbers and times of a session, as the lines are written. */
class Rollout {
  readonly lines: Json[] = []
  readonly #numbered: boolean

  constructor(numbered = false) {
    this.#numbered = numbered
    this.add('session_meta', {
      id: THREAD,
      timestamp: '2026-10-01T10:00:00.000Z',
      cwd: '/work',
      originator: 'codex_exec',
      cli_version: '0.171.0',
      ...(numbered ? { history_mode: 'paginated' } : {}),
    })
  }

  add(type: string, payload: Json, more: Json = {}): this {
    const count = this.lines.length
    const timestamp = `2026-10-01T10:00:${String(count).padStart(2, '0')}.000Z`
    this.lines.push({ timestamp, ...(this.#numbered ? { ordinal: count } : {}), type, payload, ...more })
    return this
  }

  items(...items: readonly Json[]): this {
    for (const item of items) this.add('response_item', item)
    return this
  }

  event(type: string, more: Json = {}): this {
    return this.add('event_msg', { type, ...more })
  }

  compacted(items: readonly Json[], more: Json = {}): this {
    return this.add('compacted', { message: '', replacement_history: items, ...more })
  }

  without(...indexes: readonly number[]): Json[] {
    return this.lines.filter((_, i) => !indexes.includes(i))
  }
}

const user = (text: string): Json => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
const say = (text: string, id?: string): Json => ({
  type: 'message',
  ...(id ? { id } : {}),
  role: 'assistant',
  content: [{ type: 'output_text', text }],
})
const call = (id: string): Json => ({ type: 'function_call', name: 'shell', arguments: '{}', call_id: id })
const out = (id: string, output = 'a.txt'): Json => ({ type: 'function_call_output', call_id: id, output })
const report = (content: string): Json => ({ author: '/root/b', recipient: '/root', other_recipients: [], content })
const reason = (id?: string): Json => ({
  type: 'reasoning',
  ...(id ? { id } : {}),
  summary: [],
  encrypted_content: 'gAAA',
})

const open = (lines: readonly Json[]): Opened => Opened.lines(lines)
const text = (lines: readonly Json[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
const rules = (input: string): string[] => check(input).findings.map(({ rule, severity }) => `${severity} ${rule}`)
const fixed = (lines: readonly Json[]): Json[] =>
  fix(text(lines))
    .output.trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json)

/** The items of a file in a few words, with the numbers of their records. */
const shape = (lines: readonly Json[]): string[] =>
  lines.map(({ ordinal, type, payload }) => {
    const item = payload as Json
    const name = type === 'response_item' ? (item.call_id ?? item.role ?? item.type) : type
    return `${ordinal === undefined ? '' : `${ordinal} `}${type === 'response_item' && String(item.type).endsWith('_output') ? 'out ' : ''}${name}`
  })

describe('detection', () => {
  const session = new Rollout().items(user('q')).lines
  it.each<[string, Json[], string]>([
    ['a session', session, 'codex'],
    ['one that lost its header', session.slice(1).concat(new Rollout().items(say('a')).lines.slice(1)), 'codex'],
    [
      'records of other products',
      [
        { type: 'user', payload: {} },
        { type: 'note', payload: {} },
      ],
      'unknown',
    ],
    [
      'bare items',
      [{ id: 's', timestamp: 't', instructions: null }, user('q'), { record_type: 'state' }],
      'codex-bare',
    ],
    [
      'events of codex exec --json',
      [
        { type: 'thread.started', thread_id: 't' },
        { type: 'item.completed', item: {} },
      ],
      'unknown',
    ],
  ])('%s', (_, lines, format) => {
    expect(open(lines).transcript.format).toBe(format)
  })

  it('knows the one object of early 2025', () => {
    const opened = new Opened(
      JSON.stringify({ session: { id: 's' }, items: [{ role: 'user', content: 'hi' }, call('c')] }),
    )
    expect(opened.transcript.format).toBe('codex-document')
    expect(opened.shape).toEqual(['user: text', 'assistant: tool-call(c)'])
  })
})

describe('what Codex replays', () => {
  const texts = (opened: Opened): string[] =>
    opened.messages.flatMap(({ blocks }) =>
      blocks.map((block) => {
        let view = opened.transcript.records.view(block.entry.record)
        for (const step of block.path) view = typeof step === 'number' ? view?.at(step) : view?.get(step)
        return (view?.kind === 'string' ? view : view?.get('text'))?.string() ?? block.kind
      }),
    )
  const marked = (text: string): Json => ({
    ...user(text),
    internal_chat_message_metadata_passthrough: { content_item_kinds: ['environments.environment_context'] },
  })

  it.each<[string, Rollout, string[]]>([
    ['items, not their twins in events', new Rollout().items(user('a')).event('user_message', { message: 'a' }), ['a']],
    [
      'no system messages, snapshots and unknown items',
      new Rollout().items({ ...user('s'), role: 'system' }, { type: 'ghost_snapshot' }, { type: 'dream' }, user('a')),
      ['a'],
    ],
    [
      'what a compaction brings, and what follows',
      new Rollout()
        .items(user('a'), say('b'))
        .compacted([user('a'), user('sum')])
        .items(user('c')),
      ['a', 'sum', 'c'],
    ],
    [
      'the newest compaction',
      new Rollout()
        .items(user('a'))
        .compacted([user('one')])
        .compacted([user('two')]),
      ['two'],
    ],
    [
      'prompts and a summary of the older form',
      new Rollout()
        .items(user('<environment_context>x'), user('a'), say('b'))
        .add('compacted', { message: 'sum' })
        .items(user('c')),
      ['a', 'sum', 'c'],
    ],
    [
      'not the turns that were taken back',
      new Rollout()
        .items(user('a'), say('b'), user('c'), say('d'))
        .event('thread_rolled_back', { num_turns: 1 })
        .items(user('e')),
      ['a', 'b', 'e'],
    ],
    [
      'the opening where more turns are taken back than there are',
      new Rollout()
        .items(user('<environment_context>x'), user('a'), say('b'))
        .event('thread_rolled_back', { num_turns: 9 }),
      ['<environment_context>x'],
    ],
    [
      'turns counted by what the user typed',
      new Rollout().items(user('a'), marked('date'), user('c')).event('thread_rolled_back', { num_turns: 1 }),
      ['a', 'date'],
    ],
    [
      'turns counted by what another agent said, too',
      new Rollout()
        .items(user('a'), say('b'))
        .add('inter_agent_communication', report('c'))
        .items(say('d'))
        .event('thread_rolled_back', { num_turns: 1 }),
      ['a', 'b'],
    ],
    [
      'no line of another agent that Codex cannot read',
      new Rollout().items(user('a')).add('inter_agent_communication', { author: '/root/b', content: 'c' }),
      ['a'],
    ],
    [
      'what another agent said not behind a summary of the older form',
      new Rollout().items(user('a')).add('inter_agent_communication', report('b')).add('compacted', { message: 'sum' }),
      ['a', 'sum'],
    ],
    ['no turn back of none', new Rollout().items(user('a')).event('thread_rolled_back', { num_turns: 0 }), ['a']],
  ])('%s', (_, rollout, expected) => {
    const opened = open(rollout.lines)
    expect(texts(opened)).toEqual(expected)
    expect([...opened.transcript.entries()].filter(({ onPath }) => onPath)).toHaveLength(expected.length)
  })

  it('names the command and the newest model', () => {
    const rollout = new Rollout()
      .add('turn_context', { model: 'one' })
      .items(user('a'))
      .add('turn_context', { model: 'two' })
    rollout.add('session_meta', { id: 'parent', cwd: '/elsewhere' })
    const opened = open(rollout.lines)
    expect(opened.transcript.of.resume?.(opened.transcript)).toBe(`codex resume ${THREAD}`)
    expect(opened.transcript.model).toBe('two')
  })
})

describe('healthy files', () => {
  it.each<[string, Rollout]>([
    [
      'calls far from their outputs',
      new Rollout(true).items(user('q'), call('c')).event('token_count').items(say('mid'), out('c'), say('ok')),
    ],
    [
      'an interrupted turn without item ids',
      new Rollout().items(user('q'), reason(), user('<turn_aborted>'), user('again'), say('ok')),
    ],
    [
      'an output of no call',
      new Rollout().items(
        user('q'),
        { type: 'function_call_output', call_id: null, name: 'open', output: 'x' },
        say('ok'),
      ),
    ],
    ['an orphan that a compaction took away', new Rollout().items(user('q'), out('gone')).compacted([user('q')])],
    ['metadata as long as the history', new Rollout().compacted([user('q')], { replacement_history_metadata: [{}] })],
  ])('%s', (_, rollout) => {
    expect(rules(text(rollout.lines))).toEqual([])
    expect(fix(text(rollout.lines)).output).toBe(text(rollout.lines))
  })

  it('takes gaps and no numbers in the middle', () => {
    const { lines } = new Rollout(true).items(user('q'), say('a'), user('r'), say('b'))
    lines[3] = { ...lines[3], ordinal: undefined }
    lines[4] = { ...lines[4], ordinal: 40 }
    expect(rules(text(lines))).toEqual([])
  })
})

describe('edits', () => {
  it('puts a new output behind the calls with the next free number, without an item id', () => {
    const { lines } = new Rollout(true)
      .items(user('q'), call('a'), call('b'))
      .event('token_count')
      .items(out('b'), out('a'), say('ok'))
    const damaged = lines.filter((_, i) => i !== 6)
    const after = fixed(damaged)
    expect(shape(after)).toEqual([
      '0 session_meta',
      '1 user',
      '2 a',
      '3 b',
      '4 event_msg',
      '5 out b',
      '6 out a',
      '7 assistant',
    ])
    expect(after[6]).toEqual({
      timestamp: '2026-10-01T10:00:05.001Z',
      ordinal: 6,
      type: 'response_item',
      payload: {
        type: 'function_call_output',
        call_id: 'a',
        output: expect.stringMatching(/^\[convfix] No result was recorded/),
      },
    })
    expect(after.filter((_, i) => i !== 6)).toEqual(damaged)
  })

  it('shifts later numbers until a gap takes the shift up', () => {
    const { lines } = new Rollout(true)
      .items(user('q'), call('a'), user('r'))
      .event('token_count')
      .items(say('ok'), say('end'))
    const gap = lines.map((line, i) => (i < 5 ? line : { ...line, ordinal: (line.ordinal as number) + 1 }))
    expect(shape(fixed(gap))).toEqual([
      '0 session_meta',
      '1 user',
      '2 a',
      '3 out a',
      '4 user',
      '5 event_msg',
      '6 assistant',
      '7 assistant',
    ])
    expect(fixed(gap).slice(6)).toEqual(gap.slice(5))
  })

  it('leaves a gap where a record goes', () => {
    const { lines } = new Rollout(true).items(user('q'), out('gone'), say('ok'))
    expect(shape(fixed(lines))).toEqual(['0 session_meta', '1 user', '3 assistant'])
  })

  it('numbers nothing in a file without numbers', () => {
    const { lines } = new Rollout().items(user('q'), call('a'), user('r'))
    expect(shape(fixed(lines))).toEqual(['session_meta', 'user', 'a', 'out a', 'user'])
  })

  it('moves an output with its time and what Codex noted on it', () => {
    const rollout = new Rollout(true).items(user('q'), reason('rs_1'))
    rollout.add('response_item', out('a', 'real'), { metadata: { history_sequence: 4 } }).items(call('a'), say('ok'))
    const after = fixed(rollout.lines)
    expect(shape(after)).toEqual(['0 session_meta', '1 user', '2 reasoning', '4 a', '5 out a', '6 assistant'])
    expect(after[4]).toEqual({ ...rollout.lines[3], ordinal: 5 })
  })

  it('never stamps a new record later than the one behind it', () => {
    const { lines } = new Rollout().items(user('q'), call('a'), user('r'))
    lines[3] = { ...lines[3], timestamp: lines[2]!.timestamp }
    expect(fixed(lines)[3]!.timestamp).toBe(lines[2]!.timestamp)
  })

  it('answers in bare files with bare items, and in the one object with an item', () => {
    const bare = [{ id: 's', timestamp: 't' }, user('q'), call('a'), user('r')]
    expect(fixed(bare)[3]).toMatchObject({ type: 'function_call_output', call_id: 'a' })
    const whole = JSON.stringify({ session: { id: 's' }, items: [user('q'), call('a'), user('r')] })
    expect((JSON.parse(fix(whole).output) as { items: Json[] }).items[2]).toMatchObject({ call_id: 'a' })
  })

  describe('in the history of a compaction', () => {
    const history = (line: Json | undefined): [unknown[], unknown[]] => {
      const payload = line?.payload as { replacement_history: Json[]; replacement_history_metadata: unknown[] }
      return [
        payload.replacement_history.map((item) => item.call_id ?? item.role),
        payload.replacement_history_metadata,
      ]
    }

    it('removes with the metadata', () => {
      const { lines } = new Rollout().compacted([user('q'), out('gone'), say('ok')], {
        replacement_history_metadata: [1, 2, 3],
      })
      expect(history(fixed(lines)[1])).toEqual([
        ['user', 'assistant'],
        [1, 3],
      ])
    })

    it('moves with the metadata', () => {
      const { lines } = new Rollout().compacted([user('q'), out('a'), call('a'), say('ok')], {
        replacement_history_metadata: [1, 2, 3, 4],
      })
      const after = fixed(lines)
      expect(history(after[1])).toEqual([
        ['user', 'a', 'a', 'assistant'],
        [1, 3, 2, 4],
      ])
      expect(check(text(after)).findings).toEqual([])
    })

    it('puts nothing new into it, but behind it', () => {
      const { lines } = new Rollout(true)
        .compacted([user('q'), call('a')], { replacement_history_metadata: [1, 2] })
        .items(user('r'))
      const after = fixed(lines)
      expect(after[1]).toEqual(lines[1])
      expect(shape(after)).toEqual(['0 session_meta', '1 compacted', '2 out a', '3 user'])
    })

    it('drops metadata of another length, with which Codex reads nothing of it', () => {
      const { lines } = new Rollout().compacted([user('q')], { replacement_history_metadata: [1, 2] })
      expect(rules(text(lines))).toEqual(['error broken-compaction'])
      expect((fixed(lines)[1]!.payload as Json).replacement_history_metadata).toBeUndefined()
    })
  })
})

describe('numbers', () => {
  const numbered = (...ordinals: (number | undefined)[]): Json[] => {
    const rollout = new Rollout(true)
    for (let i = 1; i < ordinals.length; i++) rollout.items(i % 2 === 1 ? user(`u${i}`) : say(`a${i}`))
    return rollout.lines.map((line, i) => ({ ...line, ordinal: ordinals[i] }))
  }
  it.each<[string, (number | undefined)[], string[], (number | undefined)[]]>([
    ['repeat', [0, 1, 1, 2, 5], ['warning invalid-ordinal'], [0, 1, 2, 3, 5]],
    ['fall', [0, 7, 3, 4, 9], ['warning invalid-ordinal'], [0, 7, 8, 9, 10]],
    ['are missing at the end', [0, 1, 2, undefined, undefined], ['error invalid-ordinal'], [0, 1, 2, 3, 4]],
    ['are missing altogether', [undefined, undefined], ['error invalid-ordinal'], [0, 1]],
    ['are none at the end', [0, 1, 1e300, -1, 0.5], ['error invalid-ordinal'], [0, 1, 2, 3, 4]],
    ['go wrong twice', [0, 0, 5, 5, 9], ['warning invalid-ordinal', 'warning invalid-ordinal'], [0, 1, 5, 6, 9]],
  ])('that %s', (_, ordinals, found, after) => {
    expect(rules(text(numbered(...ordinals)))).toEqual(found)
    expect(fixed(numbered(...ordinals)).map(({ ordinal }) => ordinal)).toEqual(after)
  })
})

describe('the header', () => {
  const context: Json = { cwd: '/work', model: 'gpt-5', thread_id: THREAD }

  it('is written with what the other records say', () => {
    const { lines } = new Rollout(true).add('turn_context', context).items(user('q'), say('ok'))
    const damaged = lines.slice(1)
    expect(rules(text(damaged))).toEqual(['error missing-header'])
    expect(fixed(damaged)[0]).toEqual({
      timestamp: lines[1]!.timestamp,
      ordinal: 0,
      type: 'session_meta',
      payload: {
        id: THREAD,
        cwd: '/work',
        timestamp: lines[1]!.timestamp,
        originator: 'unknown',
        cli_version: '0.0.0',
        history_mode: 'paginated',
      },
    })
  })

  it('is written with what is left of it', () => {
    const { lines } = new Rollout().items(user('q'), say('ok'))
    const torn = JSON.stringify(lines[0]).slice(0, -12)
    const { output } = fix(`${torn}\n${text(lines.slice(1))}`)
    expect(JSON.parse(output.split('\n')[0]!)).toMatchObject({
      type: 'session_meta',
      payload: { id: THREAD, cwd: '/work', originator: 'codex_exec' },
    })
    expect(check(output).findings).toEqual([])
  })

  it('is reported where nothing tells of it', () => {
    const damaged = text(new Rollout().items(user('q'), say('ok')).lines.slice(1))
    expect(rules(damaged)).toEqual(['error missing-header'])
    expect(fix(damaged).output).toBe(damaged)
  })
})

describe('whole sessions', () => {
  it('keeps the other bytes of a repaired file', () => {
    const odd =
      '{ "timestamp":"2026-10-01T10:00:01.000Z","type":"response_item" , "payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"q \\u00e9","n":12345678901234567890}]}}\n'
    const { lines } = new Rollout().items(call('a'), user('r'))
    const damaged = text(lines.slice(0, 1)) + odd + text(lines.slice(1))
    const { output } = fix(damaged)
    expect(output).toContain(odd)
    expect(output.split('\n').filter((line) => !damaged.includes(line))).toHaveLength(1)
  })

  it('repairs a turn that was written twice', () => {
    const turn = [user('q'), reason('rs_1'), { ...call('a'), id: 'fc_1' }, out('a'), say('ok', 'msg_1')]
    const after = fixed(new Rollout().items(...turn, ...turn).lines)
    expect(check(text(after)).findings).toEqual([])
    expect(shape(after)).toEqual([
      'session_meta',
      'user',
      'reasoning',
      'a',
      'out a',
      'assistant',
      'user',
      'reasoning',
      'a_2',
      'out a_2',
      'assistant',
    ])
  })
})

describe('files that are no text', () => {
  it.each([
    ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x0a, 0x7b]), 'zstd -d'],
    ['gzip', Buffer.from([0x1f, 0x8b, 0x08]), 'gzip -dk'],
    ['SQLite', Buffer.from('SQLite format 3\0\n{"a":1}\n'), 'SQLite database'],
    ['UTF-16', Buffer.from('\ufeff[{"role":"user","content":"x"}]', 'utf16le'), 'iconv -f UTF-16'],
    ['UTF-16, the other way round', Buffer.from('\ufeff[]', 'utf16le').swap16(), 'iconv -f UTF-16'],
    ['stray bytes', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('shop\n')]), 'no transcript'],
    ['neither', Buffer.from('SQLite format\n'), 'no transcript'],
  ])('%s', (_, bytes, words) => {
    const { findings } = check(new Uint8Array(bytes))
    expect(findings.map(({ rule }) => rule)).toEqual(['not-a-transcript'])
    expect(findings[0]!.message).toContain(words)
  })
})
