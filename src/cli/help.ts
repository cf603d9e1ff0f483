export const SEE = '`convfix --help` lists commands and options'

export const ABOUT =
  'Finds and repairs what broke a saved LLM conversation: the JSON and JSONL files in which agents keep their sessions.'

export const FILES = 'files, folders or patterns, or - for standard input (default: this folder)'

const EXIT_CODES = `
Exit codes:
  0  nothing is left at error level
  1  problems are left, or --diff or --dry-run would change something
  2  the job could not be done: wrong usage or configuration, nothing to check,
     a file that could not be read or written
  130  interrupted; no file is left half written`

const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`

export const PROGRAM = `${examples(
  'convfix sessions/*.jsonl',
  'convfix fix session.jsonl',
  'convfix payload session.jsonl',
  'convfix explain orphan-tool-call',
)}
${EXIT_CODES}`

export const CHECK = `${examples(
  'convfix check session.jsonl',
  'convfix check fixtures/ --max-warnings 0 --reporter pretty --reporter json=report.json',
  'convfix check --fix --out-dir repaired sessions/',
  'convfix check --diff session.jsonl',
  'convfix check --target openai-chat --input-format openai-chat - < messages.json',
)}

A file whose name begins with a dash goes behind --, as in: convfix check -- -home-dev-app.jsonl
${EXIT_CODES}`

export const FIX = `${examples(
  'convfix fix session.jsonl',
  'convfix fix --dry-run session.jsonl',
  'convfix fix - < broken.jsonl > repaired.jsonl',
)}

A repaired file replaces the old one, which stays beside it as NAME.convfix.bak; convfix restore puts it back.
${EXIT_CODES}`

export const PAYLOAD = `${examples(
  'convfix payload session.jsonl | jq length',
  'convfix payload --fix --target openai-chat session.jsonl',
)}
${EXIT_CODES}`

export const INIT = `${examples('convfix init', 'convfix check --print-config session.jsonl')}\n${EXIT_CODES}`

export const INFO = `${examples('convfix info')}\n${EXIT_CODES}`

export const RULES = `${examples('convfix rules', 'convfix rules --json')}\n${EXIT_CODES}`

export const LISTS = {
  formats: `${examples('convfix formats', 'convfix check --input-format openai-chat messages.json')}\n${EXIT_CODES}`,
  targets: `${examples('convfix targets', 'convfix check --target local-template messages.json')}\n${EXIT_CODES}`,
}

export const SESSIONS = `${examples('convfix sessions', 'convfix sessions claude-code --limit 100', 'convfix check --latest')}\n${EXIT_CODES}`

export const EXPLAIN = `${examples(
  'convfix explain orphan-tool-call',
  'convfix explain "API Error: 400 messages.36: `tool_use` ids were found without `tool_result` blocks" session.jsonl',
  'pbpaste | convfix explain - session.jsonl',
)}\n${EXIT_CODES}`

export const RESTORE = `${examples('convfix restore session.jsonl')}

The file that stands there now becomes the newest backup, so that a second restore undoes the first.
${EXIT_CODES}`
