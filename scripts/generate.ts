import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonSchema } from '../src/config/schema.ts'
import { FORMATS } from '../src/formats/index.ts'
import { RULES } from '../src/rules/index.ts'
import { FAMILIES, type Rule } from '../src/rules/rule.ts'
import { TARGETS } from '../src/targets/index.ts'
import { limitsOf } from '../src/targets/limits.ts'
import type { Target, Verdict } from '../src/targets/target.ts'
import { markdown } from './bench/results.ts'

/**
 * Writes what is made from the code: a page for each rule and each target, the JSON Schema of the configuration, the figures that
 * `npm run bench -- --save` kept, and the lists in the README, each of which stands between `<!-- NAME:begin -->` and `<!-- NAME:end -->`.
 * `npm run generate -- --check` writes nothing and fails when something is stale.
 */
const ROOT = join(import.meta.dirname, '..')
const PAGES = join(ROOT, 'docs', 'rules')
const TARGET_PAGES = join(ROOT, 'docs', 'targets')
const SCHEMAS = join(ROOT, 'docs', 'schema')
const README = join(ROOT, 'README.md')

const VERDICTS = { error: 'refused', warning: 'taken, to harm', ok: 'taken', unknown: 'not known' }

function page(rule: Rule): string {
  const { docs } = rule
  const judged = TARGETS.filter((target) => target.verdicts[rule.name])
  return [
    `# ${rule.name}`,
    `${rule.summary}. Family \`${rule.family}\`, ${rule.repair ? 'repaired by `--fix`' : 'reported only'}, since ${rule.since}.`,
    '## What it finds',
    docs.finds,
    '## Why it matters',
    docs.why,
    ...(rule.errors.length > 0
      ? ['The error texts:', list([...new Set(rule.errors.map(({ text }) => code(text)))])]
      : []),
    '## Example',
    `\`\`\`json\n${docs.example}\n\`\`\``,
    '## Repair',
    docs.repair,
    '## Fix safety',
    docs.safety,
    ...(judged.length > 0 ? ['## Providers', verdicts(rule, judged)] : []),
    ...(docs.sources.length > 0 ? ['## Sources', list(docs.sources.map(link))] : []),
  ].join('\n\n')
}

function verdicts(rule: Rule, judged: typeof TARGETS): string {
  const rows = judged.flatMap(({ title, verdicts }) =>
    verdictsOf(rule.name, verdicts).map(
      ([aspect, { verdict, source }]) => `| ${title}${aspect} | ${VERDICTS[verdict]} | ${cell(source)} |`,
    ),
  )
  return ['| provider | such a request is | source |', '|---|---|---|', ...rows].join('\n')
}

/** The verdict on a rule, and behind it those on kinds of its faults, each with what it is called. */
function verdictsOf(rule: string, verdicts: Target['verdicts']): [aspect: string, verdict: Verdict][] {
  return Object.entries(verdicts)
    .filter(([name]) => name === rule || name.startsWith(`${rule}/`))
    .map(([name, verdict]): [string, Verdict] => [
      name === rule ? '' : ` (${name.slice(rule.length + 1).replaceAll('-', ' ')})`,
      verdict,
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

/** A page for a provider: its limits, and what it does about each fault. */
function targetPage(target: (typeof TARGETS)[number]): string {
  const limits = limitsOf(target).map(({ what, limit, source }) => [what, cell(limit), cell(source)])
  const rules = RULES.flatMap(({ name }) =>
    verdictsOf(name, target.verdicts).map(([aspect, { verdict, source }]) => [
      `[${name}](../rules/${name}.md)${aspect}`,
      VERDICTS[verdict],
      cell(source),
    ]),
  )
  return [
    `# ${target.name}`,
    `${target.title}. Chosen with \`--target ${target.name}\`.`,
    '## Limits',
    table(['what', 'limit', 'source'], limits),
    '## Faults',
    table(['rule', 'such a request is', 'source'], rules),
  ].join('\n\n')
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')

/** `owner/repository#7` as a link to the issue. */
function link(source: string): string {
  return source.replace(/^([\w.-]+\/[\w.-]+)#(\d+)$/, '[$&](https://github.com/$1/issues/$2)')
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const linked = ({ name }: Pick<Rule, 'name'>): string => `[${name}](docs/rules/${name}.md)`

/** The error texts word for word, since that is how people find them, each with the rules that explain it. */
function errors(): string {
  const byText = new Map<string, Rule[]>()
  // Most texts come from providers, and they refuse messages rather than files.
  const ofFiles = (rule: Rule): boolean => rule.family === 'file' || rule.family === 'chain'
  for (const rule of [...RULES.filter((each) => !ofFiles(each)), ...RULES.filter(ofFiles)]) {
    for (const { text } of rule.errors) {
      const known = byText.get(text) ?? []
      if (!known.includes(rule)) byText.set(text, [...known, rule])
    }
  }
  return list([...byText].map(([text, rules]) => `${code(text)} – ${rules.map(linked).join(', ')}`))
}

/** As code, also where the text holds backticks itself. */
function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

const LISTS: Readonly<Record<string, () => string>> = {
  errors,
  rules: () =>
    table(
      ['rule', 'family', 'finds', '`--fix`'],
      RULES.map((rule) => [linked(rule), rule.family, rule.summary, rule.repair ? '✔' : '']),
    ),
  formats: () =>
    table(
      ['format', 'what it is', 'judged by the rules of'],
      FORMATS.map(({ name, title, target }) => [`\`${name}\``, title, `\`${target}\``]),
    ),
  targets: () =>
    table(
      ['target', 'provider'],
      TARGETS.map(({ name, title }) => [`[${name}](docs/targets/${name}.md)`, title]),
    ),
  speed: () => markdown(['cost', 'peers']),
}

function withLists(readme: string): string {
  return Object.entries(LISTS).reduce((text, [name, make]) => {
    const place = new RegExp(`(<!-- ${name}:begin -->\\n)[\\s\\S]*(<!-- ${name}:end -->)`)
    if (!place.test(text)) throw new Error(`README.md has no place for the list of ${name}`)
    return text.replace(place, (_, begin, end) => `${begin}${make()}\n${end}`)
  }, readme)
}

const files = new Map(RULES.map((rule) => [join(PAGES, `${rule.name}.md`), `${page(rule)}\n`]))
for (const target of TARGETS) files.set(join(TARGET_PAGES, `${target.name}.md`), `${targetPage(target)}\n`)
const names = (all: readonly { readonly name: string }[]): string[] => all.map(({ name }) => name)
const words = { rules: names(RULES), families: FAMILIES, targets: names(TARGETS), formats: names(FORMATS) }
mkdirSync(SCHEMAS, { recursive: true })
files.set(join(SCHEMAS, 'config.schema.json'), `${JSON.stringify(jsonSchema(words), null, 2)}\n`)
files.set(join(ROOT, 'docs', 'speed.md'), `# Speed and memory\n\n${markdown()}\n`)
files.set(README, withLists(readFileSync(README, 'utf8')))

const left = [PAGES, TARGET_PAGES].flatMap((folder) => {
  mkdirSync(folder, { recursive: true })
  return readdirSync(folder).map((name) => join(folder, name))
})
const gone = left.filter((path) => !files.has(path))
const stale = [...files].filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
if (process.argv.includes('--check')) {
  for (const path of [...gone, ...stale.map(([path]) => path)]) console.error(`stale: ${path}`)
  process.exitCode = gone.length + stale.length > 0 ? 1 : 0
} else {
  for (const path of gone) rmSync(path)
  for (const [path, text] of stale) writeFileSync(path, text)
}
