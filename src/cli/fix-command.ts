import type { Judging } from './settings.ts'

/** Longer lists of files, as a shell makes them of a pattern, are not repeated. */
const LONGEST = 100

/** The command that repairs what a check with these arguments found. */
export function fixCommand(args: readonly string[], judging: Judging, unsafe: boolean): string {
  const words = ['convfix', 'check', '--fix']
  if (unsafe) words.push('--unsafe-fixes')
  const option = (name: string, value: string | number | undefined): void => {
    if (value !== undefined) words.push(name, quoteForShell(String(value)))
  }
  option('--input-format', judging.format)
  option('--target', judging.target)
  option('--model', judging.model)
  option('--max-media', judging.maxMedia)
  option('--select', judging.select?.join(','))
  option('--ignore', judging.ignore?.join(','))
  option('--fixable', judging.fixable?.join(','))
  option('--unfixable', judging.unfixable?.join(','))
  const severities = Object.entries(judging.severities ?? {})
  if (severities.length > 0) option('--severity', severities.map((pair) => pair.join('=')).join(','))
  const files = args.map(quoteForShell)
  if (args.some((arg) => arg.startsWith('-') && arg !== '-')) files.unshift('--')
  const list = files.join(' ')
  words.push(list.length > LONGEST ? '…' : list)
  return words.filter((word) => word !== '').join(' ')
}

/** A word as a POSIX shell takes it. */
export function quoteForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
