import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Row, TABLES, type TableName } from './bench.ts'

/** What one measurement gave, as it is kept for the README. */
export interface Result {
  /** The day, in UTC. */
  readonly date: string
  readonly machine: string
  readonly rows: readonly Row[]
}

/** By the name of the measurement. */
export type Results = Readonly<Record<string, Result>>

const FILE = join(import.meta.dirname, 'results.json')

export function savedResults(): Results {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Results) : {}
}

/** Puts new results in the place of old ones; those of other measurements stay. */
export function saveResults(results: Results): void {
  writeFileSync(FILE, `${JSON.stringify({ ...savedResults(), ...results }, null, 2)}\n`)
}

/** The rows of a table in the order of the measurements. */
export function rowsOf(
  table: TableName,
  order: readonly { name: string; table: TableName }[],
  results: Results,
): Row[] {
  return order.filter((bench) => bench.table === table).flatMap(({ name }) => results[name]?.rows ?? [])
}

/** A table for a terminal. */
export function plain(table: TableName, rows: readonly Row[]): string {
  const all: readonly Row[] = [TABLES[table].head, ...rows]
  const widths = TABLES[table].head.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)))
  return all
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** All tables that have rows, as Markdown, with the machine, the day and the commands. */
export function markdown(order: readonly { name: string; table: TableName }[], results: Results): string {
  const names = Object.keys(TABLES) as TableName[]
  return names
    .flatMap((table) => {
      const measured = order.filter((bench) => bench.table === table && results[bench.name])
      if (measured.length === 0) return []
      const { title, head, about } = TABLES[table]
      const told = measured.map(({ name }) => results[name]!)
      const only = (values: readonly string[]): string => [...new Set(values)].join('; ')
      const rows = [head, head.map(() => '---'), ...rowsOf(table, order, results)]
      return [
        `### ${title}`,
        `\`npm run bench -- ${measured.map(({ name }) => name).join(' ')}\`, ${only(told.map(({ date }) => date))}, ${only(told.map(({ machine }) => machine))}. ${about}`.trim(),
        rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
      ]
    })
    .join('\n\n')
}
