import type { Command } from 'commander'
import { UsageError } from './errors.ts'
import { BASELINE_NAME } from './settings.ts'

/** Which rules a conversation is judged by: what `check` and `payload` share. */
export function judgingOptions(command: Command): Command {
  return command
    .option('--input-format <name>', 'transcript format (default: detected)')
    .option('--target <name>', "provider whose rules apply (default: the format's)")
    .option('--model <name>', 'model that limits depend on (default: the newest recorded)')
    .option('--max-media <n>', 'most images and documents in one request')
    .option('--select <names>', 'only these rules or families, separated by commas', collect)
    .option('--ignore <names>', 'not these rules or families', collect)
    .option('--fixable <names>', 'repair only what these rules or families find', collect)
    .option('--unfixable <names>', 'do not repair what these find', collect)
    .option('--severity <rule=level>', 'error, warning or info for a rule or family; may be repeated', collect)
    .option('--stdin-filename <name>', 'name of standard input in reports')
}

/** All that `check` and `fix` take. */
export function checkOptions(command: Command): Command {
  command
    .option('--unsafe-fixes', 'also make repairs that guess, or that nothing demands')
    .option('--diff', 'print what a repair would change; write nothing')
    .option('--dry-run', 'report what a repair would do; write nothing')
    .option('--force', 'also write into a session that is in use')
    .option('--no-backup', 'keep no copy of a repaired file')
    .option('--out-dir <dir>', 'write repaired files there and leave the originals alone')
    .option('--fixed-suffix <text>', 'write repaired files beside the originals, with this before the ending')
  return judgingOptions(command)
    .option(
      '-r, --reporter <name[=file]>',
      'pretty, concise, json, jsonl, github, gitlab, sarif, junit or html; may be repeated',
      collect,
    )
    .option(
      '--jobs <n>',
      'threads that check files (default: as many as the machine has, for a hundred files and more)',
    )
    .option('--statistics', 'how often each rule found something, at the end')
    .option('--no-excerpt', 'nothing of what the conversation says in the report')
    .option('--max-diagnostics <n>', 'most findings of one rule in one file that are shown to people (default: 10)')
    .option('--quiet', 'report errors only')
    .option('--silent', 'report nothing to the terminal: the exit code says it; files are written')
    .option('--latest', 'take the newest session that an agent keeps of this folder')
    .option('--agent <name>', 'with --latest: only this agent')
    .option('--show-files', 'also list files without a problem')
    .option('--max-warnings <n>', 'exit with 1 when there are more warnings')
    .option('--exit-zero', 'exit with 0 although there are problems')
    .option('--exit-non-zero-on-fix', 'exit with 1 when something was repaired')
    .option('--fix-only', 'repair, and say nothing of what is left')
    .option('--no-error-on-unmatched-pattern', 'an argument that matches nothing is no error')
    .option('--files-from <list>', 'also the files that a list names, one a line or ended by NUL; - for standard input')
    .option('--no-gitignore', 'also what .gitignore leaves out of folders and patterns')
    .option('--force-exclude', 'leave out what the configuration ignores also where it is named')
    .option('--baseline <file>', `what it knows is no problem (default: ${BASELINE_NAME} beside the configuration)`)
    .option('--no-baseline', 'no baseline')
    .option('--strict-baseline', 'exit with 1 when the baseline knows what is found no longer')
    .option('--update-baseline', 'write into the baseline what is found now')
    .option('--prune-baseline', 'take out of the baseline what is found no longer')
    .option('--print-config [file]', 'print what applies to a file')
    .option('--no-glob', 'arguments are names, never patterns')
}

/** @throws UsageError */
export function colorChoice(when: string): string {
  if (when === 'auto' || when === 'always' || when === 'never') return when
  throw new UsageError(`--color takes auto, always or never, not "${when}"`)
}

const collect = (value: string, before: readonly string[] | undefined): string[] => [...(before ?? []), value]
