import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Row, TABLES, type TableName } from './bench.ts'

/** What one measurement gave, as it is kept for the README. */
export interface Result {
  readonly name: string
  readonly table: TableName
  /** The day, in UTC. */
  readonly date: string
  readonly machine: string
  /** How many runs the medians are of. */
  readonly times: number
  readonly rows: readonly Row[]
}

const FILE = join(import.meta.dirname, '..', '..', 'docs', 'speed.json')

export function savedResults(): Result[] {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Result[]) : []
}

/** Puts a result in the place of the old one; those of other measurements stay. */
export function saveResult(result: Result, order: readonly string[]): void {
  const all = [...savedResults().filter(({ name }) => name !== result.name), result]
  all.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
  writeFileSync(FILE, `${JSON.stringify(all, null, 2)}\n`)
}

/** A table for a terminal. */
export function plain(table: TableName, rows: readonly Row[]): string {
  const all: readonly Row[] = [TABLES[table].head, ...rows]
  const widths = TABLES[table].head.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)))
  const line = (row: Row): string =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  return all.map(line).join('\n')
}

/** Tables that have rows as Markdown, each with its command, the day and the machine. */
export function markdown(tables = Object.keys(TABLES) as readonly TableName[]): string {
  const results = savedResults()
  return tables
    .flatMap((table) => {
      const measured = results.filter((result) => result.table === table)
      if (measured.length === 0) return []
      const { title, head, about } = TABLES[table]
      const distinct = (values: readonly string[]): string => [...new Set(values)].join('; ')
      const command = `npm run bench -- ${measured.map(({ name }) => name).join(' ')}`
      const dates = distinct(measured.map(({ date }) => date))
      const machines = distinct(measured.map(({ machine }) => machine))
      const times = distinct(measured.map(({ times }) => `medians of ${times}`))
      const rows = [head, head.map(() => '---'), ...measured.flatMap((result) => result.rows)]
      return [
        `### ${title}`,
        `\`${command}\`, ${dates}, ${machines}, ${times}. ${about}`.trim(),
        rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
      ]
    })
    .join('\n\n')
}
