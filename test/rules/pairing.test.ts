import { describe, expect, test } from 'vitest'
import {
  assistant,
  call,
  chat,
  fates,
  LOST,
  pairingIn,
  result,
  serverCall,
  serverResult,
  transcriptOf,
  user,
} from './build.ts'

const q = user('q')

describe('what becomes of calls and results, anthropic', () => {
  const shapes: [string, unknown[], Record<string, string[]>][] = [
    ['a pair', [q, assistant(call('1')), user(result('1'))], {}],
    [
      'results over several user messages, in any order',
      [q, assistant(call('1'), call('2')), user(result('2')), user(result('1'), 'ps')],
      {},
    ],
    ['results, then a user text', [q, assistant(call('1')), user(result('1')), user('thanks')], {}],
    [
      'a turn of several assistant messages',
      [q, assistant(call('1')), assistant('and', call('2')), user(result('1'), result('2'))],
      {},
    ],
    ['thinking and text around the call', [q, assistant('so', call('1'), 'now'), user(result('1'))], {}],
    ['a message without blocks before the result', [q, assistant(call('1')), user(), user(result('1'))], {}],

    ['no result, then the user', [q, assistant(call('1')), user('and?')], { open: ['1'] }],
    ['no result at the end', [q, assistant('on it', call('1'))], { open: ['1'] }],
    ['one of two', [q, assistant(call('1'), call('2')), user(result('1'), 'thanks')], { open: ['2'] }],
    ['an assistant message alone', [assistant('looking', call('1'))], { open: ['1'] }],

    ['text before the result', [q, assistant(call('1')), user('note', result('1'))], { behindText: ['1'] }],
    [
      'text between results',
      [q, assistant(call('1'), call('2')), user(result('1'), 'note', result('2'))],
      { behindText: ['2'] },
    ],
    [
      'text ended the run in the message before',
      [q, assistant(call('1'), call('2')), user(result('1'), 'note'), user(result('2'))],
      { displaced: ['2'] },
    ],
    [
      'text before the result in the second message of the run',
      [q, assistant(call('1'), call('2')), user(result('1')), user('note', result('2'))],
      { behindText: ['2'] },
    ],
    ['a user message between', [q, assistant(call('1')), user('wait'), user(result('1'))], { displaced: ['1'] }],
    [
      'past a later turn',
      [q, assistant(call('1')), user('wait'), assistant('yes?'), user(result('1'))],
      { displaced: ['1'] },
    ],
    [
      'past a later turn with a call',
      [q, assistant(call('1')), user('x'), assistant(call('2')), user(result('2'), result('1'))],
      { displaced: ['1'] },
    ],
    ['before its call', [q, user(result('1')), assistant(call('1')), user('and?')], { displaced: ['1'] }],
    ["in the assistant's own message", [q, assistant(call('1'), result('1')), user('and?')], { displaced: ['1'] }],

    ['no call', [user(result('0'), 'my question'), assistant('answer')], { orphans: ['0'] }],
    ['no call, among others', [q, assistant(call('1')), user(result('1'), result('0'))], { orphans: ['0'] }],
    [
      'before a call that has a result of its own',
      [user(result('1', 'old')), assistant(call('1')), user(result('1'))],
      { orphans: ['1'] },
    ],

    ['one open call, one left-over result', [q, assistant(call('1')), user(result('x'))], { misnamed: ['x for 1'] }],
    ['the same, behind a text', [q, assistant(call('1')), user('note'), user(result('x'))], { misnamed: ['x for 1'] }],
    [
      'two open calls, two left-over results',
      [q, assistant(call('1'), call('2')), user(result('x'), result('y'))],
      { open: ['1', '2'], orphans: ['x', 'y'] },
    ],
    [
      'one open call, two left-over results',
      [q, assistant(call('1')), user(result('x'), result('y'))],
      { open: ['1'], orphans: ['x', 'y'] },
    ],

    ['two results', [q, assistant(call('1')), user(result('1'), result('1'), 'note')], { surplus: ['1'] }],
    [
      'a second result past a later turn',
      [q, assistant(call('1')), user(result('1')), assistant('mid'), user(result('1', 'again'))],
      { surplus: ['1'] },
    ],
    [
      'a placeholder before the real result',
      [q, assistant(call('1')), user(result('1', LOST), result('1'))],
      { surplus: ['1'] },
    ],
    [
      'a placeholder, the real result later',
      [q, assistant(call('1')), user(result('1', LOST)), assistant('mid'), user(result('1'))],
      { surplus: ['1'], displaced: ['1'] },
    ],

    [
      'an id that comes back',
      [q, assistant(call('1')), user(result('1')), assistant(call('1')), user(result('1'))],
      { repeats: ['1'] },
    ],
    [
      'an id that comes back, the first without result',
      [q, assistant(call('1')), user('x'), assistant(call('1')), user(result('1'))],
      { repeats: ['1'], open: ['1'] },
    ],
    [
      'an id that comes back, one result late',
      [q, assistant(call('1')), user(result('1')), assistant(call('1')), user('x'), user(result('1'))],
      { repeats: ['1'], displaced: ['1'] },
    ],
    [
      'a late result of an id that comes back at the end',
      [q, assistant(call('1')), user(result('1'), 'x'), user(result('1')), assistant(call('1'))],
      { repeats: ['1'], surplus: ['1'], open: ['1'] },
    ],
    ['one call twice in a message', [q, assistant(call('1'), call('1')), user(result('1'))], { repeats: ['1'] }],
    [
      'two calls under one id, two results',
      [q, assistant(call('1', 'A'), call('1', 'B')), user(result('1', 'a'), result('1', 'b'))],
      { repeats: ['1'] },
    ],

    ['a server pair', [q, assistant(serverCall('s'), serverResult('s'), 'ok'), user('n')], {}],
    [
      'a server pair over two assistant messages',
      [q, assistant(serverCall('s')), assistant(serverResult('s')), user('n')],
      {},
    ],
    ['an open server call', [q, assistant(serverCall('s')), user('n')], { openServer: ['s'] }],
    [
      'a server result before its call',
      [q, assistant(serverResult('s'), serverCall('s')), user('n')],
      { orphanServer: ['s'], openServer: ['s'] },
    ],
    [
      'a result of a server call in a user message',
      [q, assistant(serverCall('s')), user(result('s'))],
      { openServer: ['s'], orphans: ['s'] },
    ],
  ]
  test.each(shapes)('%s', (_, messages, expected) => expect(fates(messages)).toEqual(expected))
})

describe('what becomes of calls and results, openai-chat', () => {
  const { user: ask, say, calls, tool } = chat
  const shapes: [string, unknown[], Record<string, string[]>][] = [
    ['a pair', [ask('q'), calls('1'), tool('1'), ask('n')], {}],
    ['results in any order', [ask('q'), calls('1', '2'), tool('2'), tool('1')], {}],
    ['the assistant goes on before the result', [ask('q'), calls('1'), say('mid'), tool('1')], { displaced: ['1'] }],
    [
      'two assistant messages are two turns',
      [ask('q'), calls('1'), calls('2'), tool('1'), tool('2')],
      { displaced: ['1'] },
    ],
    ['a user message between', [ask('q'), calls('1'), ask('quick'), tool('1')], { displaced: ['1'] }],
    ['known and unknown', [ask('q'), calls('1'), tool('1'), tool('x')], { orphans: ['x'] }],
    [
      'again behind another message',
      [ask('q'), calls('1'), tool('1'), say('mid'), tool('1', 'again')],
      { surplus: ['1'] },
    ],
    [
      'under an alias',
      [ask('q'), calls({ id: 'fc_1', call_id: 'call_1' }), tool('call_1')],
      { misnamed: ['call_1 for fc_1'] },
    ],
    [
      'one of two under an alias',
      [
        ask('q'),
        calls({ id: 'call_1', response_item_id: 'fc_1' }, { id: 'call_2', response_item_id: 'fc_2' }),
        tool('call_1'),
        tool('fc_2'),
      ],
      { misnamed: ['fc_2 for call_2'] },
    ],
    [
      'twice, under two ids',
      [calls({ id: 'call_1', response_item_id: 'fc_1' }), tool('fc_1'), tool('call_1')],
      { misnamed: ['fc_1 for call_1'], surplus: ['call_1'] },
    ],
    ['an id that comes back', [ask('q'), calls('1'), tool('1'), calls('1'), tool('1')], { repeats: ['1'] }],
  ]
  test.each(shapes)('%s', (_, messages, expected) => expect(fates(messages, 'openai-chat')).toEqual(expected))
})

test('names that contradict each other are not joined', () => {
  const [found] = [fates([chat.user('q'), chat.calls('1'), { ...chat.tool('x'), name: 'other' }], 'openai-chat')]
  expect(found).toEqual({ open: ['1'], orphans: ['x'] })
})

describe('time grows with the messages, not with their square', () => {
  const sizes: [string, (n: number) => unknown[]][] = [
    ['healthy turns', (n) => times(n / 2, (i) => [assistant(call(`c${i}`)), user(result(`c${i}`))])],
    ['one id in every turn', (n) => times(n / 2, () => [assistant(call('c')), user(result('c'))])],
    [
      'one id in every turn, every result late',
      (n) => times(n / 3, () => [assistant(call('c')), user('x'), user(result('c'))]),
    ],
    [
      'one id in every turn, all results at the end',
      (n) => [...times(n / 3, () => [assistant(call('c')), user('x')]), ...times(n / 3, () => [user(result('c'))])],
    ],
    [
      'all results before their calls',
      (n) => [
        ...times(n / 3, (i) => [user(result(`c${i}`))]),
        ...times(n / 3, (i) => [assistant(call(`c${i}`)), user('x')]),
      ],
    ],
    ['a hundred thousand results without call', (n) => times(n, (i) => [user(result(`c${i}`))])],
    [
      'ten thousand calls in one turn',
      () => [
        assistant(...times(10_000, (i) => [call(`c${i}`)])),
        user(...times(10_000, (i) => [result(`c${9_999 - i}`)])),
      ],
    ],
    [
      'ten thousand calls of one id in one turn',
      () => [assistant(...times(10_000, () => [call('c')])), user(...times(10_000, () => [result('c')]))],
    ],
  ]
  test.each(sizes)('%s', (_, make) => {
    const transcript = transcriptOf(make(100_000), 'anthropic')
    const start = process.cpuUsage()
    pairingIn(transcript)
    // A quadratic walk takes minutes.
    expect(process.cpuUsage(start).user).toBeLessThan(2_000_000)
  })
})

function times<T>(n: number, make: (i: number) => T[]): T[] {
  return Array.from({ length: n }, (_, i) => make(i)).flat()
}
