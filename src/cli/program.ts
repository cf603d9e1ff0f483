import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command, CommanderError, Option } from 'commander'
import type { ExplainFlags } from './commands/explain.ts'
import type { PayloadFlags } from './commands/payload.ts'
import type { RestoreFlags } from './commands/restore.ts'
import type { RulesFlags } from './commands/rules.ts'
import type { SessionsFlags } from './commands/sessions.ts'
import type { Context, GlobalFlags } from './context.ts'
import { explainError, UsageError } from './errors.ts'
import * as help from './help.ts'
import { write } from './io.ts'
import { checkOptions, colorChoice, judgingOptions } from './options.ts'
import type { CheckFlags } from './settings.ts'
import { didYouMean, nearest } from './suggest.ts'
import { version } from './version.ts'

const COMMANDS = [
  'check',
  'fix',
  'payload',
  'rules',
  'explain',
  'restore',
  'sessions',
  'formats',
  'targets',
  'init',
  'info',
  'help',
]

/** Reads the arguments, runs the command they name, and says in plain words what is wrong with them. */
export async function run(argv: readonly string[], context: Context): Promise<number> {
  const { io } = context
  const printed: string[] = []
  let code = 0
  const program = build(context, (done) => {
    code = done
  })
  each(program, (command) => {
    command.exitOverride()
    command.configureOutput({
      writeOut: (text) => printed.push(text),
      // What commander says of errors is worded anew below.
      writeErr: () => {},
      outputError: () => {},
      getOutHelpWidth: () => Math.min(110, io.stdout.columns || 100),
    })
  })
  const args = joinColor(argv)
  try {
    refuseMistyped(args, io.cwd())
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (context.signal.aborted) return 2
    if (error instanceof CommanderError && error.exitCode === 0) {
      await write(io.stdout, printed.join(''))
      return 0
    }
    await write(
      io.stderr,
      explainError(error instanceof CommanderError ? reworded(error) : error, argv.includes('--debug')),
    )
    return 2
  }
}

function build(context: Context, done: (code: number) => void): Command {
  const program = new Command('convfix')
    .description(help.ABOUT)
    .version(version(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .addOption(new Option('--color <when>', 'colours: auto, always or never').argParser(colorChoice).default('auto'))
    .addOption(new Option('--no-color', 'the same as --color never'))
    .option('--no-progress', 'no spinner on long runs')
    .option('--debug', 'print where an error comes from')
    .option('--config <file>', 'configuration (default: $CONVFIX_CONFIG, or the nearest one above each file)')
    .option('--no-config', 'no configuration')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', help.PROGRAM)

  const global = (command: Command): GlobalFlags => {
    const { color, ...rest } = command.optsWithGlobals<{ color: string | false; progress: boolean; debug?: boolean }>()
    return { ...rest, color: color === false ? 'never' : color } as GlobalFlags
  }

  const checking = program.command('check', { isDefault: true }).argument('[files...]', help.FILES)
  checkOptions(checking.option('--fix', 'repair what can be repaired without guessing'))
    .description('report what is wrong with saved conversations (the default command)')
    .addHelpText('after', help.CHECK)
    .action(async (files: string[], _: object, command: Command) => {
      const { check } = await import('./commands/check.ts')
      done(await check(context, files, global(command) as CheckFlags))
    })

  checkOptions(program.command('fix').argument('[files...]', help.FILES))
    .description('the same as check --fix')
    .addOption(new Option('--fix').hideHelp())
    .addHelpText('after', help.FIX)
    .action(async (files: string[], _: object, command: Command) => {
      const { check } = await import('./commands/check.ts')
      done(await check(context, files, { ...(global(command) as CheckFlags), fix: true }))
    })

  judgingOptions(program.command('payload').argument('<file>', 'a transcript, or - for standard input'))
    .description('print the messages that the API would get')
    .option('--fix', 'as they are after the repair; the file is left alone')
    .option('--unsafe-fixes', 'the same, with repairs that guess')
    .option('--conversation <label>', 'which conversation of the file')
    .addHelpText('after', help.PAYLOAD)
    .action(async (file: string, _: object, command: Command) => {
      const { payload } = await import('./commands/payload.ts')
      done(await payload(context, file, global(command) as PayloadFlags))
    })

  program
    .command('rules')
    .description('list the rules')
    .option('--target <name>', 'their severities under a provider, with what says so')
    .option('--json', 'as JSON, with their documentation')
    .addHelpText('after', help.RULES)
    .action(async (_: object, command: Command) => {
      const { rules } = await import('./commands/rules.ts')
      done(await rules(context, global(command) as RulesFlags))
    })

  program
    .command('explain')
    .argument('<rule|error>', 'name of a rule, or the error text of a provider (- reads it from standard input)')
    .argument('[file]', 'transcript in which the places that the error names are shown')
    .description('explain a rule, or a pasted API error: what it means and where it is')
    .option('--target <name>', 'provider rules (default: those of the format)')
    .option('--json', 'for machines')
    .addHelpText('after', help.EXPLAIN)
    .action(async (asked: string, file: string | undefined, _: object, command: Command) => {
      const { explain } = await import('./commands/explain.ts')
      done(await explain(context, asked, file, { ...command.opts<ExplainFlags>(), ...global(command) }))
    })

  program
    .command('restore')
    .argument('<file>', 'a file that was repaired')
    .description('put the newest backup of a file back')
    .option('--force', 'also when the file was changed since the repair')
    .addHelpText('after', help.RESTORE)
    .action(async (file: string, _: object, command: Command) => {
      const { restore } = await import('./commands/restore.ts')
      done(await restore(context, file, global(command) as RestoreFlags))
    })

  program
    .command('sessions')
    .argument('[agent]', 'only those of one agent')
    .description('list the sessions that the agents on this machine keep, newest first, with their health')
    .option('--limit <n>', 'how many are opened and judged (default: 20)')
    .option('--json', 'as JSON')
    .addHelpText('after', help.SESSIONS)
    .action(async (agent: string | undefined, _: object, command: Command) => {
      const { sessions } = await import('./commands/sessions.ts')
      done(await sessions(context, agent, global(command) as SessionsFlags))
    })

  program
    .command('targets')
    .argument('[name]', 'one of them, with its limits')
    .description('list the providers whose rules can be applied, or the limits of one')
    .option('--model <name>', 'only what counts for this model')
    .addHelpText('after', help.LISTS.targets)
    .action(async (name: string | undefined, _: object, command: Command) => {
      const lists = await import('./commands/lists.ts')
      done(await lists.targets(context, name, { ...command.opts<{ model?: string }>(), ...global(command) }))
    })

  for (const [name, description] of [['formats', 'list the transcript formats']] as const) {
    program
      .command(name)
      .description(description)
      .addHelpText('after', help.LISTS[name])
      .action(async (_: object, command: Command) => {
        const lists = await import('./commands/lists.ts')
        done(await lists[name](context, global(command)))
      })
  }

  program
    .command('init')
    .description('write a configuration that says what can be said')
    .addHelpText('after', help.INIT)
    .action(async () => {
      const { init } = await import('./commands/init.ts')
      done(await init(context))
    })

  program
    .command('info')
    .description('print versions and what applies here, for a report of a fault')
    .addHelpText('after', help.INFO)
    .action(async (_: object, command: Command) => {
      const { info } = await import('./commands/info.ts')
      done(await info(context, global(command)))
    })

  return program
}

function each(command: Command, visit: (command: Command) => void): void {
  visit(command)
  for (const sub of command.commands) each(sub, visit)
}

/** A bare `--color` means always; commander would take the next file for its value. */
function joinColor(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  const out: string[] = []
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i]!
    if (arg !== '--color' || (end >= 0 && i > end)) out.push(arg)
    else if (/^(auto|always|never)$/.test(argv[i + 1] ?? '')) out.push(`--color=${argv[++i]}`)
    else out.push('--color=always')
  }
  return out
}

/** With a default command a mistyped command would be taken for the name of a file. */
function refuseMistyped(argv: readonly string[], cwd: string): void {
  const [first, second] = argv
  if (first === 'help' && second !== undefined && !COMMANDS.includes(second)) throw unknownCommand(second)
  if (first === undefined || first.startsWith('-') || COMMANDS.includes(first)) return
  if (/[./\\*?[\]{}]/.test(first) || existsSync(resolve(cwd, first))) return
  const [near] = nearest(first, COMMANDS, 1)
  if (near) throw new UsageError(`"${first}" is neither a command nor a file (did you mean "${near}"?)`, help.SEE)
}

function unknownCommand(name: string): UsageError {
  return new UsageError(`unknown command "${name}"${didYouMean(name, COMMANDS)}`, help.SEE)
}

/** What is wrong with the arguments, in our own words where commander's do not help enough. */
function reworded(error: CommanderError): UsageError {
  const text = error.message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (.*)\?\)$/s, ' (did you mean $1?)')
    .replace(/'([^']*)'/g, '"$1"')
  const option = /^unknown option "(--?[^"=]+)/.exec(text)?.[1]
  if (option === '--format' || option === '-f' || option === '--output-format') {
    return new UsageError(
      `there is no option ${option}`,
      '--reporter names the form of the report (--reporter json), --input-format that of a transcript',
    )
  }
  if (error.code === 'commander.unknownCommand') {
    return unknownCommand(/"([^"]*)"/.exec(text)?.[1] ?? '')
  }
  return new UsageError(text, help.SEE)
}
