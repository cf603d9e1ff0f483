import { describe, expect, test } from 'vitest'
import { columns, truncate, wrap } from '../../src/reporters/layout.ts'
import { pretty } from '../../src/reporters/pretty.ts'
import { bare, fileReport, finding, fixOf, runReport, shown, TAGS } from './sample.ts'

const broken = fileReport({ findings: [finding()] })

describe('findings', () => {
  test('one, with its turns, the API and the repair', () => {
    expect(pretty(runReport([broken]), shown())).toMatchInlineSnapshot(`
      "3f2a91c0.jsonl  claude-code · 212 records · anthropic · claude-sonnet-5

        118:1  error  Bash call toolu_01Ab has no result  orphan-tool-call
               116  user       "run the tests"
               117  assistant  "Running them." · call Bash toolu_01Ab  the call
             ▸ 118  user       "are you there?"  a result for toolu_01Ab must stand before this
               messages[57] · API: 400 \`tool_use\` ids were found without \`tool_result\` blocks immediately after
               fix: add an error result behind line 117 · nothing is lost
               left as it is: Claude Code 2.1.332 would drop the call

      ✖ 1 error in 1 of 1 file · 1 fixable: convfix check --fix 3f2a91c0.jsonl · 0.8 s
      "
    `)
  })

  test('on a narrow terminal', () => {
    expect(pretty(runReport([broken]), shown({ width: 60 }))).toMatchInlineSnapshot(`
      "3f2a91c0.jsonl  claude-code · 212 records · anthropic · claude-sonnet-5

        118:1  error  Bash call toolu_01Ab has    orphan-tool-call
                      no result
               116  user       "run the tests"
               117  assistant  "Running them." · call Bash toolu_…
                               the call
             ▸ 118  user       "are you there?"
                               a result for toolu_01Ab must stand
                               before this
               messages[57] · API: 400 \`tool_use\` ids were found
               without \`tool_result\` blocks immediately after
               fix: add an error result behind line 117 · nothing
               is lost
               left as it is: Claude Code 2.1.332 would drop the
               call

      ✖ 1 error in 1 of 1 file · 1 fixable: convfix check --fix 3f2a91c0.jsonl · 0.8 s
      "
    `)
  })

  test('where a turn does not fit its texts are shortened before its calls', () => {
    const frame = [
      {
        line: 7,
        role: 'assistant',
        blocks: ['"I count the jars before I look at the lids"', 'call Bash toolu_01'],
        mark: 'fault' as const,
      },
    ]
    const text = pretty(runReport([fileReport({ findings: [finding({ frame })] })]), shown({ width: 72 }))
    expect(text).toContain('▸ 7  assistant  "I count the jars be…" · call Bash toolu_01\n')
  })

  test('what was left out of a turn is marked in ASCII, too', () => {
    const blocks = ['…', '"I count the jars before…"', 'call Bash toolu_01', '…']
    const frame = [{ line: 7, role: 'assistant', blocks, mark: 'fault' as const }]
    const report = runReport([fileReport({ findings: [finding({ frame })] })])
    expect(pretty(report, shown({ unicode: false }))).toContain(
      '> 7  assistant  ... - "I count the jars before..." - call Bash toolu_01 - ...\n',
    )
  })

  test('in ASCII', () => {
    expect(
      pretty(runReport([broken]), shown({ unicode: false, fixCommand: 'convfix check --fix …' })),
    ).toMatchInlineSnapshot(`
      "3f2a91c0.jsonl  claude-code - 212 records - anthropic - claude-sonnet-5

        118:1  error  Bash call toolu_01Ab has no result  orphan-tool-call
               116  user       "run the tests"
               117  assistant  "Running them." - call Bash toolu_01Ab  the call
             > 118  user       "are you there?"  a result for toolu_01Ab must stand before this
               messages[57] - API: 400 \`tool_use\` ids were found without \`tool_result\` blocks immediately after
               fix: add an error result behind line 117 - nothing is lost
               left as it is: Claude Code 2.1.332 would drop the call

      x 1 error in 1 of 1 file - 1 fixable: convfix check --fix ... - 0.8 s
      "
    `)
  })

  test('in colours', () => {
    expect(pretty(runReport([broken]), shown({ paint: TAGS }))).toMatchInlineSnapshot(`
      "<u>3f2a91c0.jsonl</u>  <dim>claude-code · 212 records · anthropic · claude-sonnet-5</dim>

        118:1  <red>error</red>  Bash call toolu_01Ab has no result  <dim>orphan-tool-call</dim>
               116  user       <dim>"run the tests"</dim>
               117  assistant  "Running them." · call Bash toolu_01Ab  <cyan>the call</cyan>
             <red>▸</red> 118  user       "are you there?"  <cyan>a result for toolu_01Ab must stand before this</cyan>
               <dim>messages[57] · API: 400 \`tool_use\` ids were found without \`tool_result\` blocks immediately after</dim>
               <green>fix: add an error result behind line 117 · nothing is lost</green>
               <dim>left as it is: Claude Code 2.1.332 would drop the call</dim>

      <red>✖ 1 error in 1 of 1 file · 1 fixable: convfix check --fix 3f2a91c0.jsonl · 0.8 s</red>
      "
    `)
  })

  test('without the turns the other end of the pair is still named', () => {
    expect(pretty(runReport([broken]), shown({ excerpts: false }))).toMatchInlineSnapshot(`
      "3f2a91c0.jsonl  claude-code · 212 records · anthropic · claude-sonnet-5

        118:1  error  Bash call toolu_01Ab has no result  orphan-tool-call
               117:96  the call
               messages[57] · API: 400 \`tool_use\` ids were found without \`tool_result\` blocks immediately after
               fix: add an error result behind line 117 · nothing is lost
               left as it is: Claude Code 2.1.332 would drop the call

      ✖ 1 error in 1 of 1 file · 1 fixable: convfix check --fix 3f2a91c0.jsonl · 0.8 s
      "
    `)
  })

  test('several of different kinds stand in columns', () => {
    const findings = [
      bare({ line: 3, rule: 'torn-record', message: 'the record breaks off' }),
      bare({
        line: 12,
        column: 1203,
        severity: 'warning',
        rule: 'blank-text',
        message: 'a text of spaces only',
        fix: { safety: 'unsafe', title: 'remove it', loses: ['text', 'media'] },
      }),
      bare({ line: 90, severity: 'info', rule: 'extra-field', message: 'an extra field' }),
    ]
    expect(pretty(runReport([fileReport({ findings })]), shown())).toMatchInlineSnapshot(`
      "3f2a91c0.jsonl  claude-code · 212 records · anthropic · claude-sonnet-5

            3:1  error    the record breaks off     torn-record

        12:1203  warning  a text of spaces only     blank-text
                 fix with --unsafe-fixes: remove it · takes out text and media, kept in the backup

           90:1  info     an extra field            extra-field

      ✖ 2 problems (1 error, 1 warning) and 1 note in 1 of 1 file · 1 fixable: convfix check --fix 3f2a91c0.jsonl --unsafe-fixes · 0.8 s
      "
    `)
  })

  test('of one rule are cut after some, and counted', () => {
    const findings = Array.from({ length: 322 }, (_, i) => bare({ line: i + 1 }))
    const text = pretty(runReport([fileReport({ findings })]), shown())
    expect(text.match(/has no result/g)).toHaveLength(10)
    expect(text).toContain('+ 312 more of orphan-tool-call')
    expect(text).toContain('322 errors in 1 of 1 file')
  })

  test('suppressed ones are only counted', () => {
    const report = runReport([fileReport({ findings: [finding({ suppressed: true })] })])
    expect(pretty(report, shown())).toMatchInlineSnapshot(`
      "✔ 1 file, 212 records, no problems · 1 suppressed by the baseline (0.8 s)
      "
    `)
  })
})

describe('repairs', () => {
  const removed = [{ kind: 'result' as const, bytes: 1204, sha256: 'ab', excerpt: 'total 48 drwxr' }]
  const fixed = [fixOf(), fixOf({ line: 130 }), fixOf({ rule: 'orphan-tool-result', line: 140, removed })]

  test('what was done, what was taken out, where the old file is, how to go on', () => {
    const file = fileReport({ fixed, changed: true, backup: '3f2a91c0.jsonl.convfix.bak' })
    expect(pretty(runReport([file], 'fix'), shown())).toMatchInlineSnapshot(`
      "3f2a91c0.jsonl  claude-code · 212 records · anthropic · claude-sonnet-5

        fixed: 2 × orphan-tool-call, 1 × orphan-tool-result
        taken out: line 140 · result, 1,204 bytes "total 48 drwxr" · orphan-tool-result
        backup: 3f2a91c0.jsonl.convfix.bak
        resume: claude --resume 3f2a91c0

      ✔ 3 problems fixed in 1 of 1 file, none left · 0.8 s
      "
    `)
  })

  test('a dry run says what would be done', () => {
    expect(pretty(runReport([fileReport({ fixed })], 'dry-run'), shown())).toMatchInlineSnapshot(`
      "3f2a91c0.jsonl  claude-code · 212 records · anthropic · claude-sonnet-5

        would fix: 2 × orphan-tool-call, 1 × orphan-tool-result
        would take out: line 140 · result, 1,204 bytes "total 48 drwxr" · orphan-tool-result

      ⚠ 3 problems would be fixed in 1 of 1 file, none left · 0.8 s
      "
    `)
  })

  test('a session in use is left alone, and what to do is said', () => {
    const live = 'claude (process 4711) has the file open for writing'
    const file = fileReport({ findings: [bare()], live, skipped: 'it is in use: nothing was written' })
    expect(pretty(runReport([file], 'fix'), shown())).toMatchInlineSnapshot(`
      "3f2a91c0.jsonl  claude-code · 212 records · anthropic · claude-sonnet-5

        118:1  error  Bash call toolu_01Ab has no result  orphan-tool-call

        not written: claude (process 4711) has the file open for writing; end the session first, or take --out-dir DIR, or --force

      ✖ 1 error in 1 of 1 file · 0.8 s
      "
    `)
  })

  test('what is left after a repair', () => {
    const left = bare({ rule: 'lost-branch', fix: { safety: 'unsafe', title: 'link the branch', loses: [] } })
    const file = fileReport({
      fixed,
      findings: [left],
      changed: true,
      unsettled: ['stacked-roles'],
      output: 'out/3f2a91c0.jsonl',
    })
    expect(pretty(runReport([file], 'fix'), shown())).toMatchInlineSnapshot(`
      "3f2a91c0.jsonl  claude-code · 212 records · anthropic · claude-sonnet-5

        118:1  error  Bash call toolu_01Ab has no result  lost-branch
               fix with --unsafe-fixes: link the branch · nothing is lost

        fixed: 2 × orphan-tool-call, 1 × orphan-tool-result
        taken out: line 140 · result, 1,204 bytes "total 48 drwxr" · orphan-tool-result
        written to: out/3f2a91c0.jsonl
        not settled: the repairs of stacked-roles did not come to an end

      ✖ 1 error in 1 of 1 file · 3 fixed · 1 fixable with --unsafe-fixes · 0.8 s
      "
    `)
  })
})

describe('the sum', () => {
  const sum = (files: Parameters<typeof runReport>[0], changes = {}): string =>
    pretty(runReport(files), shown(changes)).trimEnd().split('\n').at(-1)!

  test('of nothing wrong', () => {
    const files = Array.from({ length: 41 }, () => fileReport({ records: 301 }))
    expect(sum(files)).toBe('✔ 41 files, 12,341 records, no problems (0.8 s)')
    expect(pretty(runReport(files), shown({ quiet: true }))).toBe('')
  })

  test('of notes only', () => {
    expect(sum([fileReport({ findings: [bare({ severity: 'info' })] })])).toBe(
      '✔ 1 file, 212 records, no problems, 1 note (0.8 s)',
    )
  })

  test('of warnings only', () => {
    expect(sum([fileReport({ findings: [bare({ severity: 'warning' })] }), fileReport()])).toBe(
      '⚠ 1 warning in 1 of 2 files · 0.8 s',
    )
  })

  test('of a mixture', () => {
    const unsafe = finding({ fix: { safety: 'unsafe', title: '', loses: [] } })
    const files = [
      fileReport({ findings: [finding(), finding(), unsafe, bare({ severity: 'warning' })] }),
      fileReport(),
    ]
    expect(sum(files)).toBe(
      '✖ 4 problems (3 errors, 1 warning) in 1 of 2 files · 2 fixable: convfix check --fix 3f2a91c0.jsonl (1 more with --unsafe-fixes) · 0.8 s',
    )
    expect(sum(files, { unsafeFixes: true })).toContain('· 3 fixable: convfix')
  })

  test('of a file that could not be read', () => {
    const unread = fileReport({ format: null, records: 0, error: 'permission denied' })
    expect(sum([fileReport(), unread])).toBe('✖ 2 files checked · 1 file could not be processed · 0.8 s')
  })

  test('lists all files where that is asked for', () => {
    const files = [
      fileReport(),
      fileReport({ path: 'package.json', format: null, records: 0, skipped: 'not a transcript' }),
    ]
    expect(pretty(runReport(files), shown({ showFiles: true }))).toMatchInlineSnapshot(`
      "3f2a91c0.jsonl  claude-code · 212 records · anthropic · claude-sonnet-5
      package.json  not a transcript

      ✔ 1 file, 212 records, no problems (0.8 s)
      "
    `)
  })
})

test('layout', () => {
  expect(columns('漢字 é e\u0301')).toBe(8)
  for (const emoji of ['👍', '👍🏽', '👩‍💻', '👨‍👩‍👧', '🇩🇪', '❤️']) expect([emoji, columns(emoji)]).toEqual([emoji, 2])
  expect(truncate('👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 5, '…')).toBe('👨‍👩‍👧👨‍👩‍👧…')
  expect(truncate('漢字漢字', 6, '…')).toBe('漢字…')
  expect(wrap('one two three', 7)).toEqual(['one two', 'three'])
})
