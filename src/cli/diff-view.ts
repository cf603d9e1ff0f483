import { columns, truncate } from '../reporters/layout.ts'
import { plain } from '../reporters/plain.ts'
import type { Paint } from '../reporters/reporter.ts'
import { type ColorChoice, loadPaint, resolveColor, resolveUnicode } from './color.ts'
import type { Io } from './io.ts'
import { write } from './io.ts'
import { streamWidth } from './report-out.ts'

/** Characters before the first difference of two lines that a terminal shows. */
const LEAD = 24

/**
 * Writes a difference: whole and byte for byte into a pipe, where `patch` may read it; on a terminal without the characters
 * that would steer it, and of lines that are too long the part where they differ.
 */
export async function showDiff(io: Io, diff: string, color: ColorChoice): Promise<void> {
  const { stdout } = io
  const paint = await loadPaint(resolveColor(color, io.env, stdout.isTTY))
  if (stdout.isTTY !== true) {
    await write(stdout, color === 'always' ? paintLines(diff.split('\n'), paint).join('\n') : diff)
    return
  }
  const dots = resolveUnicode(io.env, io.platform, true) ? '…' : '...'
  await write(stdout, paintLines(forTerminal(diff, streamWidth(stdout), dots), paint).join('\n'))
}

/** The lines of a difference as a terminal of that width shows them. */
export function forTerminal(diff: string, width: number, dots: string): string[] {
  const lines = diff.split('\n').map((line) => (line === '' ? '' : plain(line)))
  const out: string[] = []
  for (let i = 0; i < lines.length; ) {
    const removed = run(lines, i, '-')
    const added = run(lines, i + removed, '+')
    if (removed + added === 0) {
      out.push(truncate(lines[i]!, width, dots))
      i++
      continue
    }
    for (let k = 0; k < removed + added; k++) {
      const other = k < removed ? (k < added ? i + removed + k : -1) : k - removed < removed ? i + k - removed : -1
      out.push(window(lines[i + k]!, lines[other], width, dots))
    }
    i += removed + added
  }
  return out
}

/** How many lines from `start` on are taken out (or put in). File names at the head of a difference are none. */
function run(lines: readonly string[], start: number, sign: '-' | '+'): number {
  let count = 0
  for (let i = start; lines[i]?.startsWith(sign) && !/^(--- |\+\+\+ )/.test(lines[i]!); i++) count++
  return count
}

function window(line: string, other: string | undefined, width: number, dots: string): string {
  if (columns(line) <= width) return line
  let same = 1
  if (other !== undefined) while (same < line.length && line[same] === other[same]) same++
  const start = Math.max(1, Math.min(same - LEAD, line.length - width + 8))
  return truncate(start <= LEAD ? line : line[0] + dots + line.slice(start), width, dots)
}

function paintLines(lines: readonly string[], paint: Paint): string[] {
  return lines.map((line) => {
    if (/^(--- |\+\+\+ )/.test(line)) return paint.bold(line)
    if (line.startsWith('@@')) return paint.cyan(line)
    if (line.startsWith('-')) return paint.red(line)
    return line.startsWith('+') ? paint.green(line) : line
  })
}
