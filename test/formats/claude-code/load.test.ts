import { describe, expect, it } from 'vitest'
import { check } from '../../../src/index.ts'
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
  side,
  summary,
  system,
  text,
  use,
  user,
} from './records.ts'

/** The messages as `user[u1 u2] …`: which records are sent, folded as the client folds them. */
function loaded(...records: readonly (Fields | string)[]): string {
  const lines = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)))
  const opened = new Opened(`${lines.join('\n')}\n`, 'claude-code')
  return opened.messages
    .map(({ role, entries }) => `${role}[${entries.map((entry) => opened.id(entry)).join(' ')}]`)
    .join(' ')
}

const u1 = user('u1', null, 'Weed the beds')
const a1 = assistant('a1', 'u1', 'm1', text('Done.'))

describe('which record the client resumes at (observed with Claude Code 2.1.332)', () => {
  const fork = [u1, assistant('x', 'u1', 'm1', text('newer clock')), assistant('y', 'u1', 'm2', text('last line'))]
  it.each<[string, Fields[], string]>([
    ['the last record of the file, whatever the clock says', fork, 'user[u1] assistant[y]'],
    ['the branch that last-prompt names', [...fork, lastPrompt('x')], 'user[u1] assistant[x]'],
    [
      'that branch even when another one grew later',
      [u1, assistant('x', 'u1', 'm1', text('x')), lastPrompt('x'), assistant('y', 'u1', 'm2', text('y'))],
      'user[u1] assistant[x]',
    ],
    ['not a record that last-prompt names but that is not there', [u1, a1, lastPrompt('zz')], 'user[u1] assistant[a1]'],
    [
      'the tip of the branch that last-prompt names the beginning of',
      [u1, a1, lastPrompt('u1'), user('u2', 'a1', 'More'), assistant('a2', 'u2', 'm2', text('Ok'))],
      'user[u1] assistant[a1] user[u2] assistant[a2]',
    ],
    [
      'that very record, where the last one does not descend from it',
      [
        ...fork.slice(0, 2),
        user('u2', 'x', 'More'),
        assistant('a2', 'u2', 'm3', text('Ok')),
        fork[2]!,
        lastPrompt('u2'),
      ],
      'user[u1] assistant[x] user[u2]',
    ],
    [
      'no older last-prompt where the newest names a record that is not there',
      [...fork, lastPrompt('x'), lastPrompt('zz')],
      'user[u1] assistant[y]',
    ],
    ['no note without a message before it', [u1, a1, system('s', null, 'informational')], 'user[u1] assistant[a1]'],
    [
      'nor one that last-prompt names',
      [u1, a1, system('s', null, 'informational'), user('u2', 'a1', 'More'), lastPrompt('s')],
      'user[u1] assistant[a1] user[u2]',
    ],
    ['the newest last-prompt counts', [...fork, lastPrompt('y'), lastPrompt('x')], 'user[u1] assistant[x]'],
    ['an attachment can be the leaf', [u1, a1, attachment('t', 'u1', 'date_change')], 'user[u1]'],
    ['a system record can be the leaf', [u1, a1, system('s', 'u1', 'informational')], 'user[u1]'],
    ['progress never is', [u1, a1, progress('p', 'u1')], 'user[u1] assistant[a1]'],
    ['a subagent’s record never is', [u1, a1, side(user('s1', null, 'Side'))], 'user[u1] assistant[a1]'],
    [
      'of two roots the one that owns the last line',
      [u1, user('v1', null, 'Other'), a1, assistant('b1', 'v1', 'm9', text('B'))],
      'user[v1] assistant[b1]',
    ],
  ])('%s', (_, records, expected) => expect(loaded(...records)).toBe(expected))
})

describe('how the client walks to the root (observed with Claude Code 2.1.332)', () => {
  const tail = [user('u2', 'gone', 'And now?'), assistant('a2', 'u2', 'm2', text('Rest.'))]
  it.each<[string, (Fields | string)[], string]>([
    [
      'a lost parent is bridged to the record before',
      [u1, a1, ...tail],
      'user[u1] assistant[a1] user[u2] assistant[a2]',
    ],
    [
      'a subagent’s record is no bridge',
      [u1, a1, side(user('s1', null, 'Side')), ...tail],
      'user[u1] assistant[a1] user[u2] assistant[a2]',
    ],
    [
      'the record before may be on another branch than the oldest one',
      [u1, a1, user('o', 'a1', 'old'), user('n', 'a1', 'new'), ...tail],
      'user[u1] assistant[a1] user[n u2] assistant[a2]',
    ],
    [
      'a ring is left at the record before',
      [u1, user('u2', 'a2', 'x'), assistant('a2', 'u2', 'm2', text('b')), user('u3', 'a2', 'z')],
      'user[u1 u2] assistant[a2] user[u3]',
    ],
    ['a record that is its own parent', [u1, assistant('a1', 'a1', 'm1', text('b'))], 'user[u1] assistant[a1]'],
    [
      'progress is passed by',
      [u1, progress('p', 'u1'), assistant('a1', 'p', 'm1', text('b'))],
      'user[u1] assistant[a1]',
    ],
    [
      'records of unknown types are passed by',
      [u1, { type: 'novelty', uuid: 'n', parentUuid: 'u1' }, assistant('a1', 'n', 'm1', text('b'))],
      'user[u1] assistant[a1]',
    ],
    ['of one uuid the last record counts', [u1, a1, { ...a1, requestId: 'again' }], 'user[u1] assistant[a1]'],
    [
      'a main record may hang on a subagent’s, which is sent',
      [u1, side(user('s1', 'u1', 'Side')), assistant('a1', 's1', 'm1', text('b'))],
      'user[u1 s1] assistant[a1]',
    ],
    ['parents may stand behind their children', [a1, u1, user('u2', 'a1', 'x')], 'user[u1] assistant[a1] user[u2]'],
    ['lines that do not parse are skipped', [u1, '{bad', a1], 'user[u1] assistant[a1]'],
    [
      'a torn record that still says its parent is passed by',
      [
        u1,
        '{"parentUuid":"u1","isSidechain":false,"uuid":"t","type":"user","mess',
        assistant('a1', 't', 'm1', text('b')),
      ],
      'user[u1] assistant[a1]',
    ],
  ])('%s', (_, records, expected) => expect(loaded(...records)).toBe(expected))
})

describe('what is sent as one message (observed with Claude Code 2.1.332)', () => {
  const c1 = assistant('c1', 'u1', 'm1', use('t1'))
  const c2 = assistant('c2', 'c1', 'm1', use('t2'))
  const r1 = result('r1', 'c1', 't1')
  const r2 = result('r2', 'c2', 't2')
  it.each<[string, Fields[], string]>([
    [
      'records of one message.id',
      [u1, assistant('a', 'u1', 'm', text('x')), assistant('b', 'a', 'm', use('t1')), result('r', 'b', 't1')],
      'user[u1] assistant[a b] user[r]',
    ],
    [
      'not those of different ids',
      [u1, a1, assistant('a2', 'a1', 'm2', text('x'))],
      'user[u1] assistant[a1] assistant[a2]',
    ],
    [
      'parallel calls form a tree: the path passes by a result',
      [u1, c1, c2, r1, r2, assistant('a', 'r2', 'm2', text('x'))],
      'user[u1] assistant[c1 c2] user[r1 r2] assistant[a]',
    ],
    [
      'or by a call and its result',
      [u1, c1, c2, r1, r2, assistant('a', 'r1', 'm2', text('x'))],
      'user[u1] assistant[c1 c2] user[r1 r2] assistant[a]',
    ],
    [
      'a prompt that was left beside them is not sent',
      [u1, c1, c2, r1, user('p', 'r1', 'wait'), r2, assistant('a', 'r2', 'm2', text('x'))],
      'user[u1] assistant[c1 c2] user[r1 r2] assistant[a]',
    ],
    [
      'a part that was written late stands before the call of its message',
      [u1, c1, r1, assistant('late', 'r1', 'm1', text('late')), user('u2', 'late', 'c')],
      'user[u1] assistant[late c1] user[r1 u2]',
    ],
    ['prompts in a row', [u1, user('u2', 'u1', 'b'), user('u3', 'u2', [text('c')])], 'user[u1 u2 u3]'],
    [
      'records marked as written by the client',
      [
        user('m', null, 'meta', { isMeta: true }),
        user('v', 'm', 'seen', { isVisibleInTranscriptOnly: true }),
        { ...assistant('e', 'v', 'm1', text('API Error')), isApiErrorMessage: true },
      ],
      'user[m v] assistant[e]',
    ],
    [
      'a local command is a text of the user’s',
      [u1, a1, system('s', 'a1', 'local_command', { content: '<command-name>/x</command-name>' })],
      'user[u1] assistant[a1] user[s]',
    ],
    [
      'other system records are not sent',
      [u1, a1, system('s', 'a1', 'informational', { content: 'i' })],
      'user[u1] assistant[a1]',
    ],
    [
      'a queued prompt comes behind the results of its turn',
      [u1, c1, attachment('q', 'c1', 'queued_command', { prompt: 'hurry' }), result('r', 'q', 't1')],
      'user[u1] assistant[c1] user[r q]',
    ],
    [
      'a message without content is dropped',
      [u1, a1, user('u2', 'a1', null), user('u3', 'u2', 'x')],
      'user[u1] assistant[a1] user[u3]',
    ],
  ])('%s', (_, records, expected) => expect(loaded(...records)).toBe(expected))

  it('reads results in several shapes', () => {
    expect(loaded(u1, c1, user('r', 'c1', [got('t1'), text('and')]))).toBe('user[u1] assistant[c1] user[r]')
  })
})

describe('compaction (observed with Claude Code 2.1.332 and its SDK 0.3.332)', () => {
  const before = [u1, a1, user('k1', 'a1', 'keep'), assistant('k2', 'k1', 'm2', text('kept'))]
  const after = [summary('s', 'b'), user('u9', 's', 'after')]
  const list = (...uuids: string[]) => ({ preservedMessages: { anchorUuid: 's', uuids } })
  const ends = (headUuid: string, tailUuid: string) => ({ preservedSegment: { headUuid, anchorUuid: 's', tailUuid } })
  it.each<[string, Fields[], string]>([
    ['begins anew with the summary', [...before, boundary('b', 'k2'), ...after], 'user[s u9]'],
    ['the summary may be the end', [...before, boundary('b', 'k2'), summary('s', 'b')], 'user[s]'],
    [
      'keeps the records of a list',
      [...before, boundary('b', 'k2', list('k1', 'k2')), ...after],
      'user[s k1] assistant[k2] user[u9]',
    ],
    [
      'keeps them at the end, too',
      [...before, boundary('b', 'k2', list('k1', 'k2')), summary('s', 'b')],
      'user[s k1] assistant[k2]',
    ],
    ['keeps none when one is missing', [...before, boundary('b', 'k2', list('zz', 'k2')), ...after], 'user[s u9]'],
    [
      'keeps a segment',
      [...before, boundary('b', 'k2', ends('k1', 'k2')), ...after],
      'user[s k1] assistant[k2] user[u9]',
    ],
    [
      'keeps none when a segment does not hold together',
      [...before, boundary('b', 'k2', ends('zz', 'k2')), ...after],
      'user[s u9]',
    ],
    [
      'is passed over where nothing was written behind it',
      [...before, boundary('b', 'k2')],
      'user[u1] assistant[a1] user[k1] assistant[k2]',
    ],
    [
      'begins anew whatever parent it gives',
      [...before, { ...boundary('b', 'k2'), parentUuid: 'k2' }, ...after],
      'user[s u9]',
    ],
    [
      'without a summary only what follows is left',
      [...before, boundary('b', 'k2'), user('u9', 'gone', 'after')],
      'user[u9]',
    ],
    [
      'only the newest counts',
      [...before, boundary('b0', 'a1', list('zz')), summary('s0', 'b0'), boundary('b', 's0'), ...after],
      'user[s u9]',
    ],
    [
      'stays before it where last-prompt names such a record behind it',
      [...before, boundary('b', 'k2'), ...after, lastPrompt('a1')],
      'user[u1] assistant[a1]',
    ],
    [
      'goes on into it where that record is kept',
      [...before, boundary('b', 'k2', list('k1', 'k2')), ...after, lastPrompt('k2')],
      'user[s k1] assistant[k2] user[u9]',
    ],
    [
      'goes on into it where that record is not known any more, since others are kept',
      [...before, boundary('b', 'k2', list('k1', 'k2')), ...after, lastPrompt('a1')],
      'user[s k1] assistant[k2] user[u9]',
    ],
    [
      'steers nothing by what stood before one of a subagent',
      [...before, lastPrompt('k2'), side(boundary('b', 'u1')), user('u9', 'a1', 'after')],
      'user[u1] assistant[a1] user[u9]',
    ],
    [
      'goes on from a branch that last-prompt named before it',
      [...before, lastPrompt('k2'), boundary('b', 'k2'), ...after],
      'user[s u9]',
    ],
  ])('%s', (_, records, expected) => expect(loaded(...records)).toBe(expected))
})

describe('files of other makes', () => {
  const bare = [
    { type: 'user', message: { role: 'user', content: 'a' } },
    { type: 'assistant', message: { content: [use('t1')] } },
    { type: 'user', message: { role: 'user', content: [got('t1')] } },
  ]
  it('reads records without links in the order of the file', () => {
    const opened = Opened.lines(bare)
    expect(opened.transcript.format).toBe('claude-code')
    expect(opened.transcript.chain).toBeUndefined()
    expect(opened.shape).toEqual(['user: text', 'assistant: tool-call(t1)', 'user: tool-result(t1)'])
  })

  it('reads a subagent’s file as a conversation that nobody resumes', () => {
    const opened = Opened.lines([side(u1), side(a1)])
    expect(opened.transcript.conversations.map(({ role }) => role)).toEqual(['subagent'])
    expect(opened.transcript.of.resume?.(opened.transcript)).toBeUndefined()
  })

  it('keeps the conversations of subagents apart', () => {
    const agent = (record: Fields, agentId: string): Fields => side({ ...record, agentId })
    const opened = Opened.lines([
      u1,
      agent(user('s1', null, 'one'), 'ag1'),
      agent(user('s2', null, 'two'), 'ag2'),
      agent(assistant('s3', 's1', 'm8', text('x')), 'ag1'),
      a1,
    ])
    expect(opened.transcript.conversations.map(({ label, messages }) => [label, messages.length])).toEqual([
      ['session', 2],
      ['subagent ag1', 2],
      ['subagent ag2', 1],
    ])
  })

  it.each<[string, Fields[]]>([
    ['Qwen Code', [{ ...u1, message: { role: 'user', parts: [{ text: 'a' }] } }]],
    ['a stream of `claude -p`', [{ type: 'user', session_id: 's', message: { role: 'user', content: 'a' } }]],
    [
      'pi',
      [
        { type: 'session', version: 3, id: 's' },
        { type: 'message', id: 'a', message: { role: 'user', content: 'a' } },
      ],
    ],
  ])('does not take %s for a session of Claude Code', (_, records) => {
    expect(Opened.lines(records).transcript.format).not.toBe('claude-code')
  })

  it('names the model and the command that resumes', () => {
    const opened = Opened.lines([{ type: 'summary', summary: 'Beds', leafUuid: 'a1' }, u1, a1])
    expect(opened.transcript.model).toBe('claude-x-1')
    expect(opened.transcript.of.resume?.(opened.transcript)).toBe(
      'claude --resume 7a1c0d2e-0000-4000-8000-000000000001',
    )
  })

  it('finds nothing in a healthy session with parallel calls, notes and bookkeeping', () => {
    const records = [
      { type: 'file-history-snapshot', messageId: 'u1', snapshot: {} },
      u1,
      assistant('c1', 'u1', 'm1', use('t1')),
      assistant('c2', 'c1', 'm1', use('t2')),
      result('r1', 'c1', 't1'),
      progress('p', 'c2'),
      result('r2', 'c2', 't2'),
      system('s', 'r1', 'informational'),
      assistant('a2', 'r2', 'm2', text('Both.')),
      system('s2', 'a2', 'stop_hook_summary'),
      lastPrompt('a2'),
      { type: 'api-request-blob', sessionId: 'x', message: { role: 'user', content: '' } },
    ]
    expect(check(records.map((record) => `${JSON.stringify(record)}\n`).join('')).findings).toEqual([])
  })
})
