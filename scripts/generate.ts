import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RULES } from '../src/rules/index.ts'
import type { Rule } from '../src/rules/rule.ts'
import { TARGETS } from '../src/targets/index.ts'

/**
 * Writes what is made from the rules: one page each in `docs/rules`, and the table in the README.
 * `npm run generate -- --check` writes nothing and fails when something is stale.
 */
const ROOT = join(import.meta.dirname, '..')
const PAGES = join(ROOT, 'docs', 'rules')
const README = join(ROOT, 'README.md')
const TABLE = /(<!-- rules:begin -->\n)[\s\S]*(<!-- rules:end -->)/

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
      ? ['The error texts:', list([...new Set(rule.errors.map(({ text }) => `\`\` ${text} \`\``))])]
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
  const rows = judged.map(({ title, verdicts }) => {
    const { verdict, source } = verdicts[rule.name]!
    return `| ${title} | ${VERDICTS[verdict]} | ${source.replaceAll('|', '\\|')} |`
  })
  return ['| provider | such a request is | source |', '|---|---|---|', ...rows].join('\n')
}

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')

/** `owner/repository#7` as a link to the issue. */
function link(source: string): string {
  return source.replace(/^([\w.-]+\/[\w.-]+)#(\d+)$/, '[$&](https://github.com/$1/issues/$2)')
}

function table(): string {
  const rows = RULES.map(
    ({ name, family, summary, repair }) =>
      `| [${name}](docs/rules/${name}.md) | ${family} | ${summary} | ${repair ? '✔' : ''} |`,
  )
  return ['| rule | family | finds | `--fix` |', '|---|---|---|---|', ...rows, ''].join('\n')
}

const files = new Map(RULES.map((rule) => [join(PAGES, `${rule.name}.md`), `${page(rule)}\n`]))
const readme = existsSync(README) ? readFileSync(README, 'utf8') : undefined
if (readme)
  files.set(
    README,
    readme.replace(TABLE, (_, begin, end) => `${begin}${table()}${end}`),
  )

mkdirSync(PAGES, { recursive: true })
const left = readdirSync(PAGES, { withFileTypes: true }).map(({ name }) => join(PAGES, name))
const gone = left.filter((path) => !files.has(path))
const stale = [...files].filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
if (process.argv.includes('--check')) {
  for (const path of [...gone, ...stale.map(([path]) => path)]) console.error(`stale: ${path}`)
  process.exitCode = gone.length + stale.length > 0 ? 1 : 0
} else {
  for (const path of gone) rmSync(path)
  for (const [path, text] of stale) writeFileSync(path, text)
}
